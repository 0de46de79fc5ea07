package text

import (
	"fmt"
	"slices"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// Warnings are what Flink lets pass and is likely a mistake, in order of the operators.
func Warnings(g *streamgraph.Graph, job *jobgraph.Graph) []string {
	c := jobgraph.ChainingOf(g)
	var all []string
	for _, n := range g.Nodes {
		all = append(all, withoutUID(n)...)
		for _, e := range n.In {
			all = append(all, chainsByChance(g, c, e)...)
			all = append(all, scattered(g, e)...)
		}
	}
	for i := range job.Vertices {
		all = append(all, cappedInChain(&job.Vertices[i], g)...)
	}
	all = append(all, hiddenWithoutUID(g)...)
	return append(all, slotCost(job)...)
}

// withoutUID: the state of an operator is found again by its id, and a generated id changes with the program around it.
func withoutUID(n *streamgraph.Node) []string {
	stateful := n.SlotUses[program.MemoryStateBackend] || n.NewSource
	if !stateful || n.HasUID || n.UserHash != "" || hidden(n) {
		return nil
	}
	return []string{fmt.Sprintf("[%d] %s keeps state but has no uid: its generated id changes when operators are added or removed, and a savepoint's state is not found again. Set one with UID.", n.ID, n.Name)}
}

// hiddenWithoutUID: a program whose operators all have uids still has generated ids for those that it cannot reach.
func hiddenWithoutUID(g *streamgraph.Graph) []string {
	var all []string
	named := slices.ContainsFunc(g.Nodes, func(n *streamgraph.Node) bool { return n.HasUID })
	for _, n := range g.Nodes {
		if named && hidden(n) && !n.HasUID && n.UserHash == "" {
			all = append(all, fmt.Sprintf("[%d] %s has no uid and cannot be given one, as another operator's call made it: with generated ids switched off, Flink refuses this program.", n.ID, n.Name))
		}
	}
	return all
}

func hidden(n *streamgraph.Node) bool { return n.Transformation != nil && n.Transformation.Hidden }

// chainsByChance: parallelism decides whether two operators share a thread, and with it who waits for whom.
func chainsByChance(g *streamgraph.Graph, c *jobgraph.Chaining, e *streamgraph.Edge) []string {
	u, d := e.Source, e.Target
	if c.Chained(e) {
		if u.ParallelismConfigured == d.ParallelismConfigured {
			return nil
		}
		return []string{fmt.Sprintf("%s -> %s are chained only because the job's parallelism is %d, which is what %s has set: at another one they are separate tasks. StartNewChain on %s makes it the same at every parallelism.",
			u.Name, d.Name, u.Parallelism, configured(u, d).Name, d.Name)}
	}
	if asked(g, e) || !atEqualParallelism(c.Unchained(e)) || u.ParallelismConfigured == d.ParallelismConfigured {
		return nil
	}
	return []string{fmt.Sprintf("%s -> %s would be chained at parallelism %d, which %s has set: the job behaves differently there. StartNewChain on %s makes it the same at every parallelism.",
		u.Name, d.Name, configured(u, d).Parallelism, configured(u, d).Name, d.Name)}
}

func configured(u, d *streamgraph.Node) *streamgraph.Node {
	if u.ParallelismConfigured {
		return u
	}
	return d
}

// atEqualParallelism says that the parallelisms are all that keeps an edge from being chained; that its partitioner is then
// REBALANCE follows from them.
func atEqualParallelism(reasons []jobgraph.Reason) bool {
	differ := false
	for _, r := range reasons {
		switch r {
		case jobgraph.OtherParallelism:
			differ = true
		case jobgraph.NotForward:
		default:
			return false
		}
	}
	return differ
}

// scattered: nobody asked for this rebalance, and records of one key that were in order arrive at different subtasks.
func scattered(g *streamgraph.Graph, e *streamgraph.Edge) []string {
	u, d := e.Source, e.Target
	ordered := u.Parallelism == 1 && u.ParallelismConfigured && !u.Source || u.SlotUses[program.MemoryStateBackend]
	if !ordered || u.Parallelism >= d.Parallelism || e.Partitioner.Strategy != program.Rebalance || asked(g, e) {
		return nil
	}
	return []string{fmt.Sprintf("%s has parallelism %d and %s has %d, so that results of one key go to different subtasks in turn and may be reordered. Set the parallelism of %s to %d, or KeyBy before it.",
		u.Name, u.Parallelism, d.Name, d.Parallelism, d.Name, u.Parallelism)}
}

// asked says that the program names the rebalance of the edge.
func asked(g *streamgraph.Graph, e *streamgraph.Edge) bool {
	for _, v := range g.VirtualPartitions {
		if v.Original == e.Source.ID && v.Strategy == program.Rebalance {
			return true
		}
	}
	return false
}

// cappedInChain: a vertex takes the max parallelism of its head, whatever the others of the chain say.
func cappedInChain(v *jobgraph.Vertex, g *streamgraph.Graph) []string {
	nodes := map[int]*streamgraph.Node{}
	for _, n := range g.Nodes {
		nodes[n.ID] = n
	}
	head := nodes[v.Chain[v.Head()].Node]
	var all []string
	for i := range v.Chain {
		n := nodes[v.Chain[i].Node]
		if n == head || n.MaxParallelism < 0 || n.MaxParallelism == head.MaxParallelism {
			continue
		}
		all = append(all, fmt.Sprintf("%s has max parallelism %d, but runs in the chain of %s with %s: the chain has its head's, and so other key groups. Set the same, or StartNewChain on %s.",
			n.Name, n.MaxParallelism, head.Name, maxText(head), n.Name))
	}
	return all
}

// slotCost: each slot sharing group needs slots of its own.
func slotCost(job *jobgraph.Graph) []string {
	if len(job.SlotSharingGroups) < 2 || job.Type == streamgraph.Batch {
		return nil
	}
	sum, most := 0, 0
	for i := range job.SlotSharingGroups {
		n := widest(job, i)
		sum, most = sum+n, max(most, n)
	}
	var all []string
	for i := range job.SlotSharingGroups {
		all = append(all, fmt.Sprintf("slot sharing group %q needs %s of its own: the job needs %d, against %d if all operators shared theirs.",
			job.SlotSharingGroups[i].Name, count(widest(job, i), "slot", "slots"), sum, most))
	}
	return all
}

// widest is the largest parallelism of a slot sharing group.
func widest(job *jobgraph.Graph, group int) int {
	n := 1
	for _, v := range job.SlotSharingGroups[group].Vertices {
		n = max(n, job.Vertices[v].Parallelism)
	}
	return n
}
