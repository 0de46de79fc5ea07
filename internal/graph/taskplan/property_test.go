package taskplan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/graph/taskplan"
	"pgregory.net/rapid"
)

// genProgram is sources and operators with random parallelism, each of which reads a union of random earlier steps and side
// outputs, some more than once, or two unions, with random partitioning.
func genProgram(t *rapid.T) string {
	var b strings.Builder
	if rapid.Bool().Draw(t, "batch") {
		b.WriteString("mode BATCH\n")
	}
	parallelism := rapid.IntRange(1, 7)
	fmt.Fprintf(&b, "s0 = source p=%d\ns1 = source p=%d\n", parallelism.Draw(t, "parallelism"), parallelism.Draw(t, "parallelism"))
	steps := []string{"s0", "s1"}
	for i := range rapid.IntRange(1, 5).Draw(t, "operators") {
		op := fmt.Sprintf("m%d", i)
		inputs := rapid.IntRange(1, 2).Draw(t, "inputs")
		for k := range inputs {
			var read []string
			for e := range rapid.IntRange(1, 4).Draw(t, "edges") {
				step := fmt.Sprintf("%s_%d_%d", op, k, e)
				kind := rapid.SampledFrom([]string{"rebalance", "rescale", "keyby", "broadcast", "global", "custom"}).Draw(t, "partitioning")
				fmt.Fprintf(&b, "%s = %s %s\n", step, kind, rapid.SampledFrom(steps).Draw(t, "producer"))
				read = append(read, step)
				if rapid.IntRange(0, 3).Draw(t, "twice") == 0 {
					read = append(read, step)
				}
			}
			fmt.Fprintf(&b, "%s_%d = union %s\n", op, k, strings.Join(read, " "))
		}
		kind := map[int]string{1: "map", 2: "co"}[inputs]
		fmt.Fprintf(&b, "%s = %s %s_0", op, kind, op)
		if inputs == 2 {
			fmt.Fprintf(&b, " %s_1", op)
		}
		fmt.Fprintf(&b, " p=%d\n", parallelism.Draw(t, "parallelism"))
		fmt.Fprintf(&b, "%s.side = side %s\n", op, op)
		steps = append(steps, op, op+".side")
	}
	return b.String()
}

// An end is one channel as its consumer names it.
type end struct{ vertex, subtask, gate, channel int }

// Every part of every partition is one channel of one consumer, and both sides agree on who is at the other end.
func TestChannelsMeet(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := plans(t, genProgram(rt))
		fed := map[end]string{} // by the producer, with what it says of itself
		for _, p := range all {
			for _, out := range p.Partitions {
				for k := range out.Targets {
					feed(rt, fed, p, &out, &out.Targets[k])
				}
			}
		}
		for _, p := range all {
			for i := range p.Gates {
				read(rt, fed, p, i)
			}
		}
		if len(fed) > 0 {
			rt.Fatalf("nobody reads %v", fed)
		}
	})
}

// feed notes the channels that one producer feeds.
func feed(t *rapid.T, fed map[end]string, p *taskplan.Plan, out *taskplan.Partition, to *taskplan.Target) {
	readers := to.Consumers(p.Subtask)
	seen := map[int]bool{}
	for part := range readers.Len() {
		c := to.Consumer(p.Subtask, part)
		if seen[c] || c < readers.First || c >= readers.End {
			t.Fatalf("part %d of %s/%d goes to %d of %v", part, p.Name, p.Subtask, c, readers)
		}
		seen[c] = true
		at := end{to.VertexIndex, c, to.Gate, to.Channel(p.Subtask, c)}
		if other, taken := fed[at]; taken {
			t.Fatalf("%+v is fed by %s and by %s/%d", at, other, p.Name, p.Subtask)
		}
		fed[at] = fmt.Sprint(p.ID, p.Subtask, out.DataSet, out.Partitioner, to.Edge, to.Position)
	}
}

// read takes away the channels of one gate, which have to be fed by whom the gate expects.
func read(t *rapid.T, fed map[end]string, p *taskplan.Plan, gate int) {
	g := &p.Gates[gate]
	channels := 0
	for k := range g.Edges {
		e := &g.Edges[k]
		r, from := g.Range(k, p.Subtask), e.Producers(p.Subtask)
		if r.First != channels || r.Len() != from.Len() {
			t.Fatalf("edge %d has channels %v for producers %v after %d channels", k, r, from, channels)
		}
		channels = r.End
		for c := r.First; c < r.End; c++ {
			if edge, producer := g.Feeder(p.Subtask, c); edge != e || producer != from.First+c-r.First {
				t.Fatalf("channel %d is said to be fed by %s/%d", c, edge.Producer, producer)
			}
			at := end{p.Index, p.Subtask, gate, c}
			want := fmt.Sprint(e.Producer, from.First+c-r.First, e.DataSet, e.Partitioner, e.ID, k)
			if fed[at] != want {
				t.Fatalf("%+v is fed by %q instead of %q", at, fed[at], want)
			}
			delete(fed, at)
		}
	}
	if channels != g.Channels(p.Subtask) {
		t.Fatalf("gate %d has %d channels, not %d", gate, g.Channels(p.Subtask), channels)
	}
}
