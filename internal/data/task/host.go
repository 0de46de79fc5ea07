package task

import (
	"log/slog"
	"time"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A Host is what a task needs of the process that runs it.
type Host struct {
	Directory *shuffle.Directory // finds the tasks to send to
	// Place says where a subtask of a vertex of the job runs, and as which attempt. nil: all run in this process, and are started
	// together, so that their attempts have the same number.
	Place  func(vertex, subtask int) shuffle.Place
	Codecs *codec.Set   // of the user's, for records that go to other processes; nil: none
	Logger *slog.Logger // nil: slog.Default()
	// FlushGap is the least time between two flushes of an output because the task has nothing else to do.
	FlushGap time.Duration
	// Splits is the line of a source to its enumerator; nil: there are no sources with splits.
	Splits func(source id.Operator, subtask int) operator.Splits
	// Report hears on the task's goroutine how far the task has got: execgraph.Initializing, then execgraph.Running. How it ends, Run
	// returns. nil: nobody listens.
	Report func(execgraph.State)
}

func (h *Host) report(s execgraph.State) {
	if h.Report != nil {
		h.Report(s)
	}
}

func (h *Host) logger() *slog.Logger {
	if h.Logger != nil {
		return h.Logger
	}
	return slog.Default()
}
