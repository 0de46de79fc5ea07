// Package label names the labels that the goroutines of tasks carry in profiles of runtime/pprof. A CPU or goroutine profile of a
// worker can be cut by them: go tool pprof -tagfocus, and the flame graphs of the page.
package label

import (
	"context"
	"runtime/pprof"
)

// The labels.
const (
	Job      = "job"      // name
	Task     = "task"     // name of the vertex
	Vertex   = "vertex"   // id
	Subtask  = "subtask"  // "(2/4)"
	Attempt  = "attempt"  // from 0
	Operator = "operator" // name of the operator that works; none while the task itself does
	Work     = "work"     // of a goroutine that is no task's: see Watching
)

// Watching is the work that is done for those who look at jobs: REST, its streams of events, and the samples of tasks that they need.
const Watching = "watching"

// Watch runs f as that work.
func Watch(f func()) {
	pprof.Do(context.Background(), pprof.Labels(Work, Watching), func(context.Context) { f() })
}
