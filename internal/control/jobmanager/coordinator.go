package jobmanager

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/id"
)

// A Source is an operator whose splits come from an enumerator.
type Source struct {
	Operator    id.Operator
	Name        string
	Parallelism int // the number of readers
	Enumerable
}

// An Enumerable makes enumerators, as every connector.Source does.
type Enumerable interface {
	Enumerator(ctx context.Context, s connector.Setup) (connector.Enumerator, error)
}

// soon is how long a reader waits for whom the enumerator had no splits, until it is asked again.
const soon = 50 * time.Millisecond

// A coordinator answers the readers of one source. All calls to the enumerator come from its goroutine, one after the other. It
// ends when ctx does, or when the enumerator fails.
type coordinator struct {
	source    Source
	workers   rpc.TaskManager
	fail      func(cause error)
	log       *slog.Logger
	requests  *inbox[rpc.SplitRequest]
	waiting   []rpc.SplitRequest // of readers for whom there were no splits yet
	goroutine *watch.Goroutine   // nil: not started
}

func (c *coordinator) start(ctx context.Context) {
	c.goroutine = watch.Go(func() error { return c.run(ctx) }, func(err error) { c.ended(ctx, err) })
}

// ended fails the job, if there was a failure and it still matters.
func (c *coordinator) ended(ctx context.Context, err error) {
	switch {
	case err == nil:
	case ctx.Err() == nil:
		c.fail(fault.OfEnumerator(c.source.Name, err))
	default:
		c.log.Warn("enumerator failed while the job was ending", "source", c.source.Name, "error", err)
	}
}

func (c *coordinator) run(ctx context.Context) (err error) {
	e, err := c.source.Enumerator(ctx, connector.Setup{Parallelism: c.source.Parallelism})
	if err != nil {
		return err
	}
	defer func() {
		if closing := e.Close(); err == nil {
			err = closing
		}
	}()
	return c.serve(ctx, e)
}

// serve answers requests until ctx ends.
func (c *coordinator) serve(ctx context.Context, e connector.Enumerator) error {
	var again <-chan time.Time
	for {
		var ask []rpc.SplitRequest
		select {
		case <-ctx.Done():
			return nil
		case <-c.requests.bell:
			ask = c.requests.take()
		case <-again:
			again, ask, c.waiting = nil, c.waiting, nil
		}
		for _, r := range ask {
			if err := c.answer(ctx, e, r); err != nil || ctx.Err() != nil {
				return err
			}
		}
		if again == nil && len(c.waiting) > 0 {
			again = time.After(soon)
		}
	}
}

// answer asks the enumerator on behalf of one reader.
func (c *coordinator) answer(ctx context.Context, e connector.Enumerator, r rpc.SplitRequest) error {
	splits, done, err := e.Next(ctx, r.Attempt.Index)
	switch {
	case ctx.Err() != nil: // whatever Next says now, nobody waits for it
		return nil
	case err != nil:
		return err
	case len(splits) == 0 && !done:
		c.waiting = append(c.waiting, r)
	default:
		c.workers.Assign(rpc.Assignment{SplitRequest: r, Splits: splits, Done: done})
	}
	return nil
}

// coordinators are those of one job. Their methods but request are for its JobMaster.
type coordinators struct {
	all       map[id.Operator]*coordinator
	ctx       context.Context // ends when the job is ending
	end       context.CancelFunc
	cancelled time.Time
}

func newCoordinators(sources []Source, workers rpc.TaskManager, fail func(error), log *slog.Logger) *coordinators {
	cs := &coordinators{all: make(map[id.Operator]*coordinator, len(sources))}
	cs.ctx, cs.end = context.WithCancel(context.Background())
	for _, s := range sources {
		cs.all[s.Operator] = &coordinator{
			source: s, workers: workers, fail: fail, log: log, requests: newInbox[rpc.SplitRequest](),
		}
	}
	return cs
}

// request may be called from any goroutine.
func (cs *coordinators) request(r rpc.SplitRequest) {
	if c := cs.all[r.Operator]; c != nil {
		c.requests.put(r)
	}
}

func (cs *coordinators) start() {
	for _, c := range cs.all {
		c.start(cs.ctx)
	}
}

// cancel lets the coordinators end, without waiting for it.
func (cs *coordinators) cancel() {
	if cs.cancelled.IsZero() {
		cs.cancelled = time.Now()
		cs.end()
	}
}

// stop waits for the end of the coordinators, and returns those that do not come to it.
func (cs *coordinators) stop() (stuck []*watch.Stuck) {
	cs.cancel()
	patience, release := context.WithDeadline(context.Background(), cs.cancelled.Add(watch.Patience))
	defer release()
	for _, c := range cs.all {
		if c.goroutine == nil {
			continue
		}
		select {
		case <-c.goroutine.Done():
		case <-patience.Done():
			if !c.goroutine.Ended() {
				stuck = append(stuck, &watch.Stuck{Who: fmt.Sprintf("enumerator of operator %q", c.source.Name), Stack: watch.Take().Of(c.goroutine)})
			}
		}
	}
	return stuck
}
