package taskplan

import (
	"fmt"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// Channels connect a producer's task with a consumer's. Both sides compute the same numbers out of the same wirings, so that
// plans of ten thousand tasks are as small as those of two:
//
//	consumer i:  gate.Channels(i) channels; edge k has gate.Range(k, i), fed in order by the tasks edge.Producers(i)
//	producer q:  target.Consumers(q) are its readers; the one of part p is target.Consumer(q, p), and at its gate
//	             target.Channel(q, i) is the channel that q feeds

// Channels is how many channels the gate has at consumer subtask i.
func (g *Gate) Channels(i int) int {
	n := 0
	for k := range g.Edges {
		n += g.Edges[k].Producers(i).Len()
	}
	return n
}

// Range is the channels of the k-th edge at consumer subtask i.
func (g *Gate) Range(k, i int) execgraph.Range {
	first := 0
	for j := range k {
		first += g.Edges[j].Producers(i).Len()
	}
	return execgraph.Range{First: first, End: first + g.Edges[k].Producers(i).Len()}
}

// Feeder is the edge and the producer subtask that feed a channel of the gate at consumer subtask i.
func (g *Gate) Feeder(i, channel int) (*GateEdge, int) {
	for k := range g.Edges {
		from := g.Edges[k].Producers(i)
		if channel < from.Len() {
			return &g.Edges[k], from.First + channel
		}
		channel -= from.Len()
	}
	panic(fmt.Sprintf("taskplan: the gate has no channel %d", channel))
}

// Producers is the producer subtasks that feed consumer subtask i, one channel each.
func (e *GateEdge) Producers(i int) execgraph.Range { return e.Wiring.ReadBy(i) }

// Consumers is the consumer subtasks that read from producer subtask q.
func (t *Target) Consumers(q int) execgraph.Range { return t.Wiring.ReadersOf(q) }

// Consumer is the consumer subtask that reads part p, from 0, of what producer subtask q makes. There are Consumers(q).Len()
// parts, and partitioners choose among these.
func (t *Target) Consumer(q, p int) int { return t.Wiring.ConsumerOf(q, p) }

// Channel is the channel that producer subtask q feeds at the gate of consumer subtask i, one of Consumers(q).
func (t *Target) Channel(q, i int) int {
	return t.Before.Len(i) + q - t.Wiring.ReadBy(i).First
}

// Before counts the channels in front of an edge in a gate, for any consumer subtask. ALL_TO_ALL edges have as many channels at
// every consumer; POINTWISE ones may have one more or less, so that their wirings are kept. Equal ones are kept once: a union of
// a thousand streams has few different parallelisms.
type Before struct {
	AllToAll  int // channels of ALL_TO_ALL edges
	Pointwise []Repeated
}

// Repeated is some edges with the same wiring.
type Repeated struct {
	Wiring execgraph.Wiring
	Times  int
}

// Len is the number of channels at consumer subtask i.
func (b *Before) Len(i int) int {
	n := b.AllToAll
	for _, r := range b.Pointwise {
		n += r.Times * r.Wiring.ReadBy(i).Len()
	}
	return n
}

func (b *Before) add(w execgraph.Wiring) {
	if w.Pattern == jobgraph.AllToAll {
		b.AllToAll += w.Producers
		return
	}
	for i := range b.Pointwise {
		if b.Pointwise[i].Wiring == w {
			b.Pointwise[i].Times++
			return
		}
	}
	b.Pointwise = append(b.Pointwise, Repeated{w, 1})
}
