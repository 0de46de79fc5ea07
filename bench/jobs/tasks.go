package jobs

import "github.com/flott-dev/flott"

// tasks has eight tasks for each parallel subtask, and little to do for them: it is for measuring how jobs are deployed.
func tasks(env *flott.Environment, r Run) {
	s := env.From(flott.Sequence(1, r.Records)).Name("source").DisableChaining()
	for range 6 {
		s = s.Map(flott.Identity).DisableChaining()
	}
	count(s, r, flott.Identity)
}
