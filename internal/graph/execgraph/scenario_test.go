package execgraph_test

import "testing"

// In batch each blocking stage is a region of its own, and two slots are enough for any of them: they can be used again.
func TestScenario_A10(t *testing.T) {
	const program = `
		parallelism 2
		s = source
		k = keyby s
		r = reduce k
		q = rebalance r
		o = print q`
	batch := layOut(t, "mode BATCH"+program)
	if n := len(batch.Regions()); n != 6 {
		t.Errorf("%d regions instead of one for each subtask", n)
	}
	groups := map[int]int{}
	for _, s := range batch.Slots() {
		groups[s.Group]++
	}
	if len(groups) != 3 {
		t.Errorf("the 3 stages share %d slot sharing groups", len(groups))
	}
	for g, n := range groups {
		if n != 2 {
			t.Errorf("stage %d needs %d slots", g, n)
		}
	}

	streaming := layOut(t, program)
	if n := len(streaming.Regions()); n != 1 {
		t.Errorf("as a stream the program has %d regions", n)
	}
	if n := len(streaming.Slots()); n != 2 {
		t.Errorf("as a stream the program needs %d slots", n)
	}
}
