package golden

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// execSection is section executionGraph of a golden.
type execSection struct {
	TotalSubtasks int                 `json:"totalSubtasks"`
	Vertices      []execVertexSection `json:"vertices"`
	Regions       [][]string          `json:"pipelinedRegions"`
	SlotSharing   [][]string          `json:"executionSlotSharingGroups"`
	SlotsRequired int                 `json:"slotsRequired"`
}

type execVertexSection struct {
	ID             string              `json:"id"`
	Name           string              `json:"name"`
	Parallelism    int                 `json:"parallelism"`
	MaxParallelism int                 `json:"maxParallelism"`
	KeyGroups      [][2]int            `json:"keyGroupRanges"`
	Inputs         []execInputSection  `json:"inputs"`
	Outputs        []execOutputSection `json:"outputs"`
}

type execInputSection struct {
	DataSet   string            `json:"dataSetId"`
	Pattern   jobgraph.Pattern  `json:"distributionPattern"`
	Consumers []consumerSection `json:"consumers"`
}

type consumerSection struct {
	Subtask    int      `json:"subtask"`
	Partitions []int    `json:"partitions"`
	Ranges     [][4]int `json:"ranges"`
	GroupSize  int      `json:"numConsumersOfGroup"`
}

type execOutputSection struct {
	DataSet    string              `json:"dataSetId"`
	Result     jobgraph.ResultType `json:"resultType"`
	Partitions []partitionSection  `json:"partitions"`
}

type partitionSection struct {
	Partition     int        `json:"partition"`
	Subpartitions int        `json:"subpartitions"`
	Groups        [][]string `json:"consumerGroups"`
}

func execSectionOf(g *execgraph.Graph) *execSection {
	slots := g.Slots()
	slices.SortFunc(slots, func(a, b execgraph.Slot) int {
		return cmp.Or(cmp.Compare(a.Subtasks[0].Vertex, b.Subtasks[0].Vertex), cmp.Compare(a.Subtasks[0].Index, b.Subtasks[0].Index))
	})
	s := &execSection{
		TotalSubtasks: g.Subtasks(),
		Regions:       mapped(g.Regions(), subtaskNames),
		SlotSharing:   mapped(slots, func(s execgraph.Slot) []string { return subtaskNames(s.Subtasks) }),
		SlotsRequired: len(slots),
	}
	for i := range g.Vertices {
		s.Vertices = append(s.Vertices, execVertexSectionOf(g, &g.Vertices[i]))
	}
	return s
}

func subtaskNames(subtasks []execgraph.Subtask) []string { return mapped(subtasks, subtaskName) }

func subtaskName(s execgraph.Subtask) string { return fmt.Sprintf("%d:%d", s.Vertex, s.Index) }

func execVertexSectionOf(g *execgraph.Graph, v *execgraph.Vertex) execVertexSection {
	s := execVertexSection{
		ID:             v.Job.ID.String(),
		Name:           v.Job.Name,
		Parallelism:    v.Parallelism,
		MaxParallelism: v.MaxParallelism,
		Outputs:        mapped(v.Job.Produces, func(d jobgraph.DataSet) execOutputSection { return execOutputSectionOf(g, v, &d) }),
	}
	for i := range v.Parallelism {
		r := v.KeyGroups(i)
		s.KeyGroups = append(s.KeyGroups, [2]int{r.First, r.Last})
	}
	for k, w := range v.Inputs {
		in := v.Job.Inputs[k]
		s.Inputs = append(s.Inputs, execInputSection{
			DataSet:   g.Job.Vertices[in.Producer].Produces[in.DataSet].ID.String(),
			Pattern:   w.Pattern,
			Consumers: consumerSections(w),
		})
	}
	return s
}

func consumerSections(w execgraph.Wiring) []consumerSection {
	consumers := make([]consumerSection, w.Consumers)
	for i := range consumers {
		read, part := w.ReadBy(i), w.Subpartition(i)
		consumers[i] = consumerSection{
			Subtask:    i,
			Partitions: numbers(read),
			Ranges:     [][4]int{{read.First, read.End - 1, part, part}},
			GroupSize:  w.Group(w.GroupOfConsumer(i)).Consumers.Len(),
		}
	}
	return consumers
}

func numbers(r execgraph.Range) []int {
	n := make([]int, 0, r.Len())
	for i := r.First; i < r.End; i++ {
		n = append(n, i)
	}
	return n
}

func execOutputSectionOf(g *execgraph.Graph, v *execgraph.Vertex, d *jobgraph.DataSet) execOutputSection {
	s := execOutputSection{DataSet: d.ID.String(), Result: d.Result}
	consumers := slices.SortedFunc(slices.Values(d.Consumers), func(a, b jobgraph.Consumer) int {
		return cmp.Or(cmp.Compare(a.Vertex, b.Vertex), cmp.Compare(a.Input, b.Input))
	})
	for q := range v.Parallelism {
		p := partitionSection{Partition: q, Subpartitions: g.Subpartitions(d, q)}
		for _, c := range consumers {
			readers := numbers(g.Wiring(c).ReadersOf(q))
			p.Groups = append(p.Groups, mapped(readers, func(i int) string {
				return subtaskName(execgraph.Subtask{Vertex: c.Vertex, Index: i})
			}))
		}
		s.Partitions = append(s.Partitions, p)
	}
	return s
}
