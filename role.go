package flott

import (
	"fmt"
	"os"

	"github.com/flott-dev/flott/internal/id"
)

// A role is what a process does when its program comes to Execute. FLOTT_ROLE says it: the library parses no flags.
type role string

const (
	embedded role = ""     // runs the job in this process
	planning role = "plan" // compiles the job and prints it instead of running it: what "flott plan" starts
)

func (s *settings) readRole(value string) {
	switch r := role(value); r {
	case embedded, planning:
		s.role = r
		if r == planning {
			s.readPrintout()
		}
	default:
		s.mistake("the environment variable FLOTT_ROLE is %q; it must be %q or absent", r, planning)
	}
}

// show is what Execute and Start do in the role plan: they print the job, or all that is wrong with it. So a program with several
// jobs prints one after the other, and ends when its main does; at a mistake it ends at once.
func (e *Environment) show(job string) (*Job, error) {
	plan, err := e.Plan(job)
	if err == nil {
		err = e.settings.printout.write(plan)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return finished(), nil
}

// finished is a job that was not run, and is over.
func finished() *Job {
	j := &Job{id: id.Job{}.String(), over: make(chan struct{})}
	j.result = &Result{JobID: j.id}
	close(j.over)
	return j
}
