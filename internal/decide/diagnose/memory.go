package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// # Memory
//
// A worker that needs more memory than its part of the TaskManager's is ended, and its job fails or starts again. Before that, all
// workers there together come near to what they may use.

const (
	shortFrom  = 0.88
	shortSlack = 0.05
)

// A Memory is what the workers of a TaskManager use together.
type Memory struct{ Used, Limit int64 } // bytes; limit 0: there is none

func (m Memory) share() float64 { return float64(m.Used) / float64(max(1, m.Limit)) }

// short is the finding that TaskManagers of the job are short of memory, if some are. One that was stays so until it clearly is not.
func (j *Job) short(o *Observation) []Finding {
	j.full = slices.DeleteFunc(slices.Sorted(maps.Keys(o.Memory)), func(name string) bool {
		from := shortFrom
		if slices.Contains(j.full, name) {
			from -= shortSlack
		}
		return o.Memory[name].Limit == 0 || o.Memory[name].share() < from
	})
	if len(j.full) == 0 {
		return nil
	}
	slices.SortStableFunc(j.full, func(a, b string) int { return cmp.Compare(o.Memory[b].share(), o.Memory[a].share()) })
	fullest := o.Memory[j.full[0]]
	f := Finding{
		Kind: MemoryShort, Level: Warn, Head: "Memory is short",
		Advice:  "Raise taskmanager.memory.process.size, give a TaskManager fewer slots, or keep less state.",
		Figures: map[string]int64{"used": fullest.Used, "limit": fullest.Limit, "share": thousandths(fullest.share())},
	}
	var shares []string
	for _, name := range j.full {
		shares = append(shares, fmt.Sprintf("%s on %s", percent(o.Memory[name].share()), name))
	}
	f.Detail = fmt.Sprintf("Workers use nearly all the memory that they may: %s. One that needs more than its part is ended.", list(shares))
	return []Finding{f}
}
