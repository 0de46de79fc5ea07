package worker

import (
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/id"
)

// lines are those of a task's sources to their enumerators. They belong to the task's goroutine; what comes back over them comes
// as a mail.
type lines struct {
	task *running
	box  *shuffle.Mailbox
	open map[id.Operator]*line
}

// of is the line of one source.
func (l *lines) of(source id.Operator, _ int) operator.Splits {
	if l.open[source] == nil {
		l.open[source] = &line{task: l.task, source: source}
	}
	return l.open[source]
}

// assign may be called from any goroutine.
func (r *running) assign(a rpc.Assignment) {
	r.lines.box.Mail(func() error {
		if line := r.lines.open[a.Operator]; line != nil {
			return line.answered(a)
		}
		return nil
	})
}

// repeat says again what is under way, as it may be lost.
func (l *lines) repeat() {
	l.box.Mail(func() error {
		for _, line := range l.open {
			if line.give != nil {
				line.ask()
			}
		}
		return nil
	})
}

// A line has at most one request under way.
type line struct {
	task   *running
	source id.Operator
	number int                                             // of the last request
	give   func(splits []connector.Split, done bool) error // what it waits for; nil: nothing
}

// Request asks for splits.
func (l *line) Request(give func(splits []connector.Split, done bool) error) {
	l.number++
	l.give = give
	l.ask()
}

func (l *line) ask() {
	l.task.jobManager.RequestSplits(rpc.SplitRequest{
		Header: l.task.header, Attempt: rpc.AttemptOf(l.task.plan), Operator: l.source, Number: l.number,
	})
}

// answered passes splits on. An answer may come twice.
func (l *line) answered(a rpc.Assignment) error {
	give := l.give
	if give == nil || a.Number != l.number {
		return nil
	}
	l.give = nil
	return give(a.Splits, a.Done)
}
