package flott

import (
	"context"
	"os"
)

// A role is what a process does when its program comes to Execute or Start.
type role interface {
	// start runs the job, or does with it what the role is about.
	start(ctx context.Context, e *Environment, job string, a attachment) (*Job, error)
}

// An attachment says whether a job is to end with the one who has started it.
type attachment bool

const (
	attached attachment = true  // by Execute, which waits
	loose    attachment = false // by Start
)

// roleOf is the role of this process. Variables say it: the library parses no flags.
func (s *settings) roleOf(name string) role {
	switch name {
	case "":
		if address := os.Getenv("FLOTT_JOBMANAGER"); address != "" {
			return s.asClient(address)
		}
		return s.asEmbedded()
	case "plan":
		return s.asPrinter()
	case "worker":
		return s.asWorker()
	case "jobmanager":
		return s.asJobManager()
	case "taskmanager":
		return taskManager{}
	}
	s.mistake("the environment variable FLOTT_ROLE is %q; it must be plan, worker, jobmanager, taskmanager or absent", name)
	return s.asEmbedded()
}

// choose takes a variable's value, which is "" where it is absent.
func (s *settings) choose(name, choice string, take func(string) bool) {
	if value := os.Getenv(name); !take(value) {
		s.mistake("the environment variable %s is %q; it must be %s", name, value, choice)
	}
}
