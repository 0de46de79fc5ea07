package rest

import (
	"encoding/json"
	"fmt"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/text"
)

// graphsBody is the four graphs of a job as one picture: what was programmed, what is chained, what runs, and where.
type graphsBody struct {
	StreamGraph    *text.StreamDocument `json:"streamGraph"` // null: the job came without
	JobGraph       graphsJob            `json:"jobGraph"`
	ExecutionGraph graphsExecution      `json:"executionGraph"`
	Physical       graphsPhysical       `json:"physical"`
}

type graphsJob struct {
	Vertices []graphsVertex `json:"vertices"`
}

type graphsVertex struct {
	ID               string        `json:"id"`
	Key              int           `json:"key"`
	Name             string        `json:"name"`
	Operators        []int         `json:"operators"` // ids in the stream graph
	Parallelism      int           `json:"parallelism"`
	SlotSharingGroup string        `json:"slotSharingGroup"`
	Inputs           []graphsInput `json:"inputs"`
}

type graphsInput struct {
	Vertex       string `json:"vertex"`
	Edge         string `json:"edge"` // id in the stream graph
	ShipStrategy string `json:"shipStrategy"`
	Distribution string `json:"distribution"`
	ResultType   string `json:"resultType"`
	Channels     int    `json:"channels"`
	// Wiring is the first and last producer that each consumer reads from; null: all read from all.
	Wiring [][2]int `json:"wiring"`
}

type graphsExecution struct {
	Vertices []graphsSubtasks `json:"vertices"`
	Regions  []graphsRegion   `json:"regions"`
}

type graphsSubtasks struct {
	ID       string          `json:"id"`
	Subtasks []graphsSubtask `json:"subtasks"`
}

type graphsSubtask struct {
	Index         int    `json:"index"`
	Attempt       int    `json:"attempt"`
	State         string `json:"state"`
	Busy          int64  `json:"busy"`
	BackPressured int64  `json:"backPressured"`
	Idle          int64  `json:"idle"`
	Rate          double `json:"rate"`
	TaskManager   string `json:"taskManager"`
	Slot          int    `json:"slot"` // of the TaskManager
	Host          string `json:"host"`
	Endpoint      string `json:"endpoint"`
	Pid           int    `json:"pid"` // of the worker; 0: it is not known
}

type graphsRegion struct {
	ID       int      `json:"id"`
	Subtasks int      `json:"subtasks"`
	Vertices []string `json:"vertices"`
}

type graphsPhysical struct {
	Managers []graphsManager `json:"taskManagers"`
}

type graphsManager struct {
	ID     string         `json:"id"`
	Host   string         `json:"host"`
	Worker processFigures `json:"worker"`
	Slots  []int          `json:"slots"` // that the job has
}

func (c *call) graphs() (g graphsBody, err error) {
	j, err := c.job()
	if err != nil {
		return g, err
	}
	managers, err := c.server.source.TaskManagers(c.Context())
	if err != nil {
		return g, err
	}
	execution, err := execgraph.From(j.Graph)
	if err != nil {
		return g, fmt.Errorf("graph of job %s: %w", j.ID, err)
	}
	g.JobGraph = jobPicture(j, execution)
	g.ExecutionGraph = c.server.executionPicture(j, execution, workerPids(j, managers))
	g.Physical = physicalPicture(j, managers)
	g.StreamGraph, err = c.server.streamPicture(j)
	return g, err
}

// streamPicture is the document that came with the job, with the rates of now.
func (s *Server) streamPicture(j *view.Job) (*text.StreamDocument, error) {
	if j.StreamGraph == nil {
		return nil, nil
	}
	var doc text.StreamDocument
	if err := json.Unmarshal(j.StreamGraph, &doc); err != nil {
		return nil, fmt.Errorf("stream graph of job %s: %w", j.ID, err)
	}
	out := s.ratesByNode(j)
	for i := range doc.Edges {
		if r, ok := out[doc.Edges[i].Source]; ok {
			doc.Edges[i].Rate = &r
		}
	}
	return &doc, nil
}

// ratesByNode is how many records a second operators send, by their ids in the stream graph.
func (s *Server) ratesByNode(j *view.Job) map[int]float64 {
	out := map[int]float64{}
	for v := range j.Vertices {
		p := place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]}
		for i, a := range current(p.now) {
			r, ok := s.history.rates(p, i, a)
			for k := range r.operators {
				if ok && k < len(p.graph.Chain) {
					out[p.graph.Chain[k].Node] += r.operators[k].recordsOut
				}
			}
		}
	}
	return out
}

func jobPicture(j *view.Job, e *execgraph.Graph) graphsJob {
	doc := graphsJob{[]graphsVertex{}}
	for i := range j.Graph.Vertices {
		v := &j.Graph.Vertices[i]
		out := graphsVertex{
			ID: v.ID.String(), Key: i, Name: v.Name, Operators: []int{}, Parallelism: j.Vertices[i].Parallelism,
			SlotSharingGroup: j.Graph.SlotSharingGroups[v.SlotSharingGroup].Name, Inputs: []graphsInput{},
		}
		for k := range v.Chain {
			out.Operators = append(out.Operators, v.Chain[k].Node)
		}
		for k := range v.Inputs {
			in := &v.Inputs[k]
			from := &j.Graph.Vertices[in.Producer]
			out.Inputs = append(out.Inputs, graphsInput{
				from.ID.String(), in.Edge, string(in.Partitioner), string(in.Pattern()), string(from.Produces[in.DataSet].Result),
				channels(e.Vertices[i].Inputs[k]), wiringPicture(e.Vertices[i].Inputs[k]),
			})
		}
		doc.Vertices = append(doc.Vertices, out)
	}
	return doc
}

// channels is how many pairs of subtasks an edge connects.
func channels(w execgraph.Wiring) (n int) {
	for i := range w.Groups() {
		group := w.Group(i)
		n += group.Partitions.Len() * group.Consumers.Len()
	}
	return n
}

// wiringPicture saves readers Flink's arithmetic.
func wiringPicture(w execgraph.Wiring) [][2]int {
	if w.Pattern == jobgraph.AllToAll {
		return nil
	}
	all := make([][2]int, w.Consumers)
	for i := range all {
		reads := w.ReadBy(i)
		all[i] = [2]int{reads.First, reads.End - 1}
	}
	return all
}

// workerPids is the processes of a job, by TaskManager.
func workerPids(j *view.Job, managers []*view.TaskManager) map[string]int {
	pids := map[string]int{}
	for _, t := range managers {
		for i := range t.Slots {
			if t.Slots[i].Job == j.ID {
				pids[t.ID] = t.Slots[i].Worker.Pid
			}
		}
	}
	return pids
}

func (s *Server) executionPicture(j *view.Job, e *execgraph.Graph, pids map[string]int) graphsExecution {
	doc := graphsExecution{[]graphsSubtasks{}, []graphsRegion{}}
	for v := range j.Vertices {
		p := place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]}
		out := graphsSubtasks{p.graph.ID.String(), []graphsSubtask{}}
		for i, a := range current(p.now) {
			r, _ := s.history.rates(p, i, a)
			out.Subtasks = append(out.Subtasks, graphsSubtask{
				i, a.Execution.Attempt, a.State.String(), int64(r.busy), int64(r.backPressured), int64(r.idle),
				double(max(r.recordsIn, r.recordsOut)), a.TaskManager, a.Slot, a.Host, endpointOf(a.Location), pids[a.TaskManager],
			})
		}
		doc.Vertices = append(doc.Vertices, out)
	}
	for i, region := range e.Regions() {
		doc.Regions = append(doc.Regions, regionPicture(j, i, region))
	}
	return doc
}

func regionPicture(j *view.Job, i int, region []execgraph.Subtask) graphsRegion {
	out := graphsRegion{i, len(region), []string{}}
	last := -1
	for _, t := range region { // in the order of vertices
		if t.Vertex != last {
			last = t.Vertex
			out.Vertices = append(out.Vertices, j.Graph.Vertices[last].ID.String())
		}
	}
	return out
}

func physicalPicture(j *view.Job, managers []*view.TaskManager) graphsPhysical {
	doc := graphsPhysical{[]graphsManager{}}
	for _, t := range managers {
		out := graphsManager{ID: t.ID, Host: t.Host, Slots: []int{}}
		for i := range t.Slots {
			if t.Slots[i].Job == j.ID {
				out.Slots = append(out.Slots, i)
				out.Worker = figures(t.Slots[i].Worker)
			}
		}
		if len(out.Slots) > 0 {
			doc.Managers = append(doc.Managers, out)
		}
	}
	return doc
}
