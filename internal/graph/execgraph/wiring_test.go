package execgraph_test

import (
	"testing"

	. "github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"pgregory.net/rapid"
)

// Flink's choice for a few POINTWISE wirings: what each consumer reads, as first and last partition and subpartition.
func TestPointwise(t *testing.T) {
	for _, c := range []struct {
		producers, consumers int
		want                 [][3]int
	}{
		{3, 3, [][3]int{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}},
		{4, 1, [][3]int{{0, 3, 0}}},
		{7, 3, [][3]int{{0, 1, 0}, {2, 3, 0}, {4, 6, 0}}},
		{1, 4, [][3]int{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}}},
		{2, 5, [][3]int{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 1, 1}, {1, 1, 0}}},
		{4, 6, [][3]int{{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {2, 2, 1}, {2, 2, 0}, {3, 3, 0}}},
	} {
		w := Wiring{jobgraph.Pointwise, c.producers, c.consumers}
		for i, want := range c.want {
			r := w.ReadBy(i)
			if got := [3]int{r.First, r.End - 1, w.Subpartition(i)}; got != want {
				t.Errorf("%d -> %d: consumer %d reads %v instead of %v", c.producers, c.consumers, i, got, want)
			}
		}
	}
}

func genWiring(t *rapid.T) Wiring {
	return Wiring{
		Pattern:   rapid.SampledFrom([]jobgraph.Pattern{jobgraph.AllToAll, jobgraph.Pointwise}).Draw(t, "pattern"),
		Producers: rapid.IntRange(1, 60).Draw(t, "producers"),
		Consumers: rapid.IntRange(1, 60).Draw(t, "consumers"),
	}
}

// Groups divide the partitions and the consumers among themselves, in order and without gaps.
func TestGroupsDivide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWiring(t)
		partitions, consumers := 0, 0
		for i := range w.Groups() {
			g := w.Group(i)
			if g.Partitions.First != partitions || g.Consumers.First != consumers || g.Partitions.Len() < 1 || g.Consumers.Len() < 1 {
				t.Fatalf("group %d of %+v is %+v", i, w, g)
			}
			partitions, consumers = g.Partitions.End, g.Consumers.End
			for q := g.Partitions.First; q < g.Partitions.End; q++ {
				if w.GroupOfPartition(q) != i || w.ReadersOf(q) != g.Consumers {
					t.Fatalf("partition %d of %+v is in group %d, not %d", q, w, w.GroupOfPartition(q), i)
				}
			}
			for c := g.Consumers.First; c < g.Consumers.End; c++ {
				if w.GroupOfConsumer(c) != i || w.ReadBy(c) != g.Partitions {
					t.Fatalf("consumer %d of %+v is in group %d, not %d", c, w, w.GroupOfConsumer(c), i)
				}
			}
		}
		if partitions != w.Producers || consumers != w.Consumers {
			t.Fatalf("groups of %+v hold %d partitions and %d consumers", w, partitions, consumers)
		}
	})
}

// POINTWISE is fair: no two groups differ by more than one, and one side has one member.
func TestPointwiseIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWiring(t)
		w.Pattern = jobgraph.Pointwise
		least, most := w.Producers+w.Consumers, 0
		for i := range w.Groups() {
			g := w.Group(i)
			p, c := g.Partitions.Len(), g.Consumers.Len()
			if min(p, c) != 1 {
				t.Fatalf("group %d of %+v connects %d with %d", i, w, p, c)
			}
			least, most = min(least, p+c), max(most, p+c)
		}
		if most-least > 1 {
			t.Fatalf("groups of %+v have %d to %d members", w, least, most)
		}
	})
}

// Each subpartition of a partition has one reader.
func TestSubpartitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWiring(t)
		q := rapid.IntRange(0, w.Producers-1).Draw(t, "partition")
		readers := w.ReadersOf(q)
		seen := make([]bool, readers.Len())
		for i := readers.First; i < readers.End; i++ {
			sub := w.Subpartition(i)
			if seen[sub] {
				t.Fatalf("subpartition %d of partition %d of %+v has two readers", sub, q, w)
			}
			seen[sub] = true
			if c := w.ConsumerOf(q, sub); c != i {
				t.Fatalf("subpartition %d of partition %d of %+v is read by %d, not %d", sub, q, w, c, i)
			}
		}
	})
}
