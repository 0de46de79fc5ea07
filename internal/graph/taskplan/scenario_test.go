package taskplan_test

import "testing"

// A union of a stream with itself: two edges, with channels of their own, so that records come twice and both edges carry the
// watermark, also where both read one data set.
func TestScenario_A2(t *testing.T) {
	const program = `
		parallelism 2
		s = source
		u = union s s
		k = keyby u
		w = reduce k
		o = print w`
	for _, mode := range []string{"STREAMING", "BATCH"} {
		fed := map[int]int{} // by channel of subtask 0, how often
		all := plans(t, "mode "+mode+program)
		for _, p := range all[:2] {
			for i := range p.Partitions {
				for k := range p.Partitions[i].Targets {
					fed[p.Partitions[i].Targets[k].Channel(p.Subtask, 0)]++
				}
			}
		}
		gate := &all[2].Gates[0]
		if n := gate.Channels(0); n != 4 || len(gate.Edges) != 2 {
			t.Fatalf("%s: %d channels of %d edges", mode, n, len(gate.Edges))
		}
		for c := range 4 {
			if fed[c] != 1 {
				t.Errorf("%s: channel %d is fed %d times", mode, c, fed[c])
			}
		}
	}
}
