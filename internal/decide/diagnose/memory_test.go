package diagnose

import (
	"maps"
	"testing"
)

func TestMemory(t *testing.T) {
	const detail = "warn memory: Memory is short: Workers use nearly all the memory that they may: "
	for name, test := range map[string]struct {
		memory map[string]Memory
		want   string
	}{
		"enough":   {map[string]Memory{"tm-1": {879, 1000}}, ""},
		"short":    {map[string]Memory{"tm-1": {880, 1000}, "tm-2": {20, 1000}}, detail + "88 % on tm-1. One that needs more than its part is ended."},
		"too much": {map[string]Memory{"tm-1": {1200, 1000}}, detail + "120 % on tm-1. "},
		"several":  {map[string]Memory{"tm-1": {900, 1000}, "tm-2": {950, 1000}}, detail + "95 % on tm-2 and 90 % on tm-1. "},
		"no limit": {map[string]Memory{"tm-1": {1 << 40, 0}}, ""},
		"nobody":   {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "source", 1)
			w.o.Memory = test.memory
			if test.want == "" {
				expect(t, w.pass(2, nil))
				return
			}
			expect(t, w.pass(2, nil), test.want)
		})
	}
}

// What was short stays so until it clearly is not.
func TestMemoryStaysShort(t *testing.T) {
	w := newWorld(t, "source", 1)
	use := func(used int64) Diagnosis {
		w.o.Memory = map[string]Memory{"tm-1": {used, 1000}}
		return w.pass(2, nil)
	}
	expect(t, use(830))
	if got := use(900).Findings[0].Figures; !maps.Equal(got, map[string]int64{"used": 900, "limit": 1000, "share": 900}) {
		t.Errorf("%v", got)
	}
	expect(t, use(830), "warn memory")
	expect(t, use(829))
	expect(t, use(879))
}
