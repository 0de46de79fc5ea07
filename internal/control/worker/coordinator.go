package worker

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/control/inbox"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/fault"
)

// An Enumerable makes enumerators, as every connector.Source does.
type Enumerable interface {
	Enumerator(ctx context.Context, s connector.Setup) (connector.Enumerator, error)
}

// soon is how long a reader waits for whom the enumerator had no splits, until it is asked again.
const soon = 50 * time.Millisecond

// A coordinator answers the readers of one source. All calls to the enumerator come from its goroutine, one after the other. It
// ends when it is cancelled, or when the enumerator fails.
//
// It remembers what each reader was given. A reader that starts anew, while the enumerator does not, is given that again: what the
// attempt before it has read is lost.
type coordinator struct {
	header     rpc.Header
	enumerator rpc.Enumerator
	source     Enumerable
	name       string
	jobManager rpc.JobManager
	log        *slog.Logger

	requests *inbox.Inbox[rpc.SplitRequest]
	context  context.Context // ends when it is cancelled
	cancel   context.CancelFunc
	life     life
	said     atomic.Pointer[rpc.SourceEnd] // nil: it has not ended

	readers []reader // by subtask
	waiting []int    // readers for whom there were no splits yet
}

// A reader is what a coordinator knows of one subtask. Numbers of attempts and requests grow.
type reader struct {
	asked   rpc.SplitRequest // the newest
	answer  *rpc.Assignment  // to it; nil: not yet
	given   []connector.Split
	done    bool
	waiting bool
}

func (w *Worker) newCoordinator(h rpc.Header, e rpc.Enumerator, at place) *coordinator {
	c := &coordinator{
		header: h, enumerator: e, source: at.source, name: at.name, jobManager: w.jobManager, log: w.log,
		requests: inbox.New[rpc.SplitRequest](), readers: make([]reader, at.parallelism),
	}
	c.context, c.cancel = context.WithCancel(context.Background())
	c.life = life{who: fmt.Sprintf("enumerator of operator %q", at.name), giveUp: func(s *watch.Stuck) { c.report(s) }}
	return c
}

func (c *coordinator) start() { c.life.goroutine = watch.Go(c.run, c.ended) }

func (c *coordinator) report(cause error) {
	end := rpc.SourceEnd{Header: c.header, Enumerator: c.enumerator, Cause: cause}
	c.said.Store(&end)
	c.jobManager.SourceEnded(end)
}

// repeat says once more how it ended, if it has.
func (c *coordinator) repeat() {
	if end := c.said.Load(); end != nil {
		c.jobManager.SourceEnded(*end)
	}
}

func (c *coordinator) last(cause error) { c.life.once(func() { c.report(cause) }) }

// ended reports the end. A failure matters only if nobody had cancelled.
func (c *coordinator) ended(err error) {
	defer c.cancel()
	switch {
	case err == nil:
		c.last(nil)
	case c.context.Err() == nil:
		c.last(fault.OfEnumerator(c.name, err))
	default:
		c.log.Warn("enumerator failed while the job was ending", "source", c.name, "error", err)
		c.last(nil)
	}
}

func (c *coordinator) run() (err error) {
	e, err := c.source.Enumerator(c.context, connector.Setup{Parallelism: len(c.readers)})
	if err != nil {
		return err
	}
	defer func() {
		if closing := e.Close(); err == nil {
			err = closing
		}
	}()
	return c.serve(e)
}

// serve answers requests until it is cancelled.
func (c *coordinator) serve(e connector.Enumerator) error {
	var again <-chan time.Time
	for {
		select {
		case <-c.context.Done():
			return nil
		case <-c.requests.Bell():
			for _, r := range c.requests.Take() {
				if err := c.take(e, r); err != nil || c.context.Err() != nil {
					return err
				}
			}
		case <-again:
			again = nil
			if err := c.askAgain(e); err != nil {
				return err
			}
		}
		if again == nil && len(c.waiting) > 0 {
			again = time.After(soon)
		}
	}
}

// take takes a request, which may come late or twice.
func (c *coordinator) take(e connector.Enumerator, r rpc.SplitRequest) error {
	if r.Attempt.Index >= len(c.readers) {
		return nil
	}
	to := &c.readers[r.Attempt.Index]
	switch {
	case older(r, to.asked):
		return nil
	case r == to.asked && to.answer != nil:
		c.jobManager.Assigned(*to.answer)
		return nil
	}
	var again []connector.Split
	if r.Attempt.Number > to.asked.Attempt.Number {
		again = to.given
	}
	to.asked, to.answer = r, nil
	if to.done || len(again) > 0 {
		c.give(to, again, to.done)
		return nil
	}
	return c.ask(e, r.Attempt.Index)
}

func older(r, than rpc.SplitRequest) bool {
	if r.Attempt.Number != than.Attempt.Number {
		return r.Attempt.Number < than.Attempt.Number
	}
	return r.Number < than.Number
}

func (c *coordinator) askAgain(e connector.Enumerator) error {
	waiting := c.waiting
	c.waiting = nil
	for _, i := range waiting {
		c.readers[i].waiting = false
		if c.readers[i].answer != nil { // it has started anew meanwhile
			continue
		}
		if err := c.ask(e, i); err != nil || c.context.Err() != nil {
			return err
		}
	}
	return nil
}

// ask asks the enumerator on behalf of one reader.
func (c *coordinator) ask(e connector.Enumerator, subtask int) error {
	to := &c.readers[subtask]
	splits, done, err := e.Next(c.context, subtask)
	switch {
	case c.context.Err() != nil: // whatever Next says now, nobody waits for it
		return nil
	case err != nil:
		return err
	case len(splits) > 0 || done:
		to.given, to.done = append(to.given, splits...), done
		c.give(to, splits, done)
	case !to.waiting:
		to.waiting = true
		c.waiting = append(c.waiting, subtask)
	}
	return nil
}

func (c *coordinator) give(to *reader, splits []connector.Split, done bool) {
	to.answer = &rpc.Assignment{SplitRequest: to.asked, Splits: splits, Done: done}
	c.jobManager.Assigned(*to.answer)
}
