package task

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"strings"
)

// Labels of a task's goroutine, in profiles and tracebacks. Goroutines that user code starts inherit them.
func (t *Task) labels() pprof.LabelSet {
	return pprof.Labels("job", t.plan.JobName, "task", t.plan.Name, "subtask", t.subtask, "task_id", t.id)
}

// maxTrace bounds the trace of all goroutines of the process that Stack looks through.
const maxTrace = 64 << 20

// Stack is the stack of the task's goroutine at this moment, nil if it does not run. It stops the process for as long as it takes
// to print all stacks: it is for the report of a call that does not return.
func (t *Task) Stack() []byte {
	trace := make([]byte, 1<<20)
	n := runtime.Stack(trace, true)
	for n == len(trace) && n < maxTrace {
		trace = make([]byte, 2*n)
		n = runtime.Stack(trace, true)
	}
	return find(trace[:n], t.id)
}

// find looks for the goroutine that has a task's label and runs it: headers have the labels in braces.
func find(trace []byte, id string) []byte {
	label := "task_id: " + id
	for g := range bytes.SplitSeq(trace, []byte("\n\n")) {
		header, _, _ := strings.Cut(string(g[:min(len(g), 1<<10)]), "\n")
		if strings.Contains(header, label) && bytes.Contains(g, []byte(".(*Task).Run(")) {
			return bytes.Clone(g)
		}
	}
	return nil
}
