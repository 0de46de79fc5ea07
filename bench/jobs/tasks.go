package jobs

import (
	"time"

	"github.com/flott-dev/flott"
)

// tasks has eight tasks for each parallel subtask, and a record a second for them: it is for measuring how jobs are deployed.
func tasks(env *flott.Environment, r Run) {
	slow := func(n int64) int64 {
		time.Sleep(time.Second)
		return n
	}
	s := env.From(flott.Sequence(1, r.Records)).Name("source").DisableChaining().Map(slow).DisableChaining()
	for range 5 {
		s = s.Map(flott.Identity).DisableChaining()
	}
	count(s, r, flott.Identity)
}
