// Package label names the labels that the goroutines of tasks carry in profiles of runtime/pprof. A CPU or goroutine profile of a
// worker can be cut by them: go tool pprof -tagfocus, and the flame graphs of the page.
package label

// The labels.
const (
	Job      = "job"      // name
	Task     = "task"     // name of the vertex
	Vertex   = "vertex"   // id
	Subtask  = "subtask"  // "(2/4)"
	Attempt  = "attempt"  // from 0
	Operator = "operator" // name of the operator that works; none while the task itself does
)
