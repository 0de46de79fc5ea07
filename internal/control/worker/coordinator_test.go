package worker

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
)

var errDisk = errors.New("disk full")

// A drawer is the enumerator of a source, and does what next says.
type drawer struct {
	parallelism int // 0: 1
	opening     error
	next        func(ctx context.Context, subtask int) ([]connector.Split, bool, error)
	closing     error
	setup       connector.Setup
	closed      int
}

func (d *drawer) readers() int { return max(1, d.parallelism) }

func (d *drawer) Enumerator(_ context.Context, s connector.Setup) (connector.Enumerator, error) {
	d.setup = s
	return enumerator{d}, d.opening
}

type enumerator struct{ *drawer }

func (e enumerator) Next(ctx context.Context, subtask int) ([]connector.Split, bool, error) {
	return e.next(ctx, subtask)
}

func (e enumerator) Snapshot() ([]byte, error) { return nil, nil }

func (e enumerator) Close() error {
	e.closed++
	return e.closing
}

func (b *bench) enumerates(number int) {
	b.Deploy(rpc.Deployment{Header: header(1), Enumerators: []rpc.Enumerator{{Operator: b.source, Number: number}}})
}

func (b *bench) ends(number int) {
	b.Cancel(rpc.Cancellation{Header: header(1), Enumerators: []rpc.Enumerator{{Operator: b.source, Number: number}}})
}

func (b *bench) asks(subtask, attempt, number int) {
	r := rpc.SplitRequest{Header: header(1), Operator: b.source, Number: number}
	r.Attempt.Index, r.Attempt.Number = subtask, attempt
	b.NextSplits(r)
}

func splits(ids ...string) (s []connector.Split) {
	for _, id := range ids {
		s = append(s, connector.Split{ID: id})
	}
	return s
}

// with gives out splits of these ids, one at a time.
func with(ids ...string) *drawer {
	d := &drawer{parallelism: 2}
	d.next = func(context.Context, int) ([]connector.Split, bool, error) {
		if len(ids) == 0 {
			return nil, true, nil
		}
		first := ids[0]
		ids = ids[1:]
		return splits(first), false, nil
	}
	return d
}

func TestCoordinatorAnswersReaders(t *testing.T) {
	d := with("a", "b")
	onBenchWith(t, d, nothing, func(b *bench) {
		b.enumerates(0)
		b.asks(1, 0, 1)
		b.hears("0/1 gets #1: a")
		b.asks(0, 0, 1)
		b.hears("0/0 gets #1: b")
		b.asks(1, 0, 2)
		b.asks(0, 0, 2)
		b.hears("0/1 gets #2: done", "0/0 gets #2: done")
		b.asks(7, 0, 1) // there is no such reader
		b.ends(0)
		b.hears("source ended #0")
		if d.closed != 1 || d.setup.Parallelism != 2 {
			t.Errorf("closed %d times, set up for %d readers", d.closed, d.setup.Parallelism)
		}
	})
}

func TestRequestsThatComeTwice(t *testing.T) {
	onBenchWith(t, with("a", "b"), nothing, func(b *bench) {
		b.enumerates(0)
		b.enumerates(0)
		b.asks(0, 0, 1)
		b.asks(0, 0, 1)
		b.hears("0/0 gets #1: a", "0/0 gets #1: a")
		b.asks(0, 0, 2)
		b.asks(0, 0, 1) // late
		b.hears("0/0 gets #2: b")
		b.ends(0)
		b.hears("source ended #0")
	})
}

// What an attempt was given is lost with it, and so its successor gets it again.
func TestNextAttemptStartsFromTheBeginning(t *testing.T) {
	onBenchWith(t, with("a", "b", "c"), nothing, func(b *bench) {
		b.enumerates(0)
		b.asks(0, 0, 1)
		b.asks(1, 0, 1)
		b.hears("0/0 gets #1: a", "0/1 gets #1: b")
		b.asks(0, 1, 1)
		b.asks(0, 0, 2) // of the attempt before
		b.hears("0/0 gets #1: a")
		b.asks(0, 1, 2)
		b.asks(0, 1, 3)
		b.hears("0/0 gets #2: c", "0/0 gets #3: done")
		b.asks(0, 2, 1)
		b.hears("0/0 gets #1: a c done")
		b.ends(0)
		b.hears("source ended #0")
	})
}

func TestNextEnumeratorAnswers(t *testing.T) {
	onBenchWith(t, with("a", "b"), nothing, func(b *bench) {
		b.enumerates(0)
		b.asks(0, 0, 1)
		b.hears("0/0 gets #1: a")
		b.ends(0)
		b.hears("source ended #0")
		b.enumerates(1)
		b.asks(0, 1, 1)
		b.hears("0/0 gets #1: b")
		b.ends(1)
		b.hears("source ended #1")
	})
}

func TestCoordinatorAsksAgainSoon(t *testing.T) {
	var found atomic.Bool
	d := &drawer{parallelism: 2, next: func(_ context.Context, subtask int) ([]connector.Split, bool, error) {
		if found.Load() && subtask == 1 {
			return splits("new"), false, nil
		}
		return nil, false, nil
	}}
	onBenchWith(t, d, nothing, func(b *bench) {
		b.enumerates(0)
		b.asks(1, 0, 1)
		b.hears()
		time.Sleep(10*soon + soon/2)
		b.hears()
		found.Store(true)
		b.asks(0, 0, 1) // does not put off the other reader
		time.Sleep(soon / 2)
		b.hears("0/1 gets #1: new")
		b.ends(0)
		b.hears("source ended #0")
	})
}

func TestEnumeratorFails(t *testing.T) {
	fails := func(context.Context, int) ([]connector.Split, bool, error) { return nil, false, errDisk }
	panics := func(context.Context, int) ([]connector.Split, bool, error) { panic(errDisk) }
	for name, d := range map[string]*drawer{
		"opening": {opening: errDisk},
		"next":    {next: fails},
		"panic":   {next: panics},
		"both":    {next: fails, closing: errors.New("closing")},
	} {
		t.Run(name, func(t *testing.T) {
			onBenchWith(t, d, nothing, func(b *bench) {
				b.enumerates(0)
				b.asks(0, 0, 1)
				got := <-b.heard
				if !strings.HasPrefix(got, `source ended #0: enumerator of operator "Source: source": `) || !strings.Contains(got, "disk full") {
					t.Errorf("the JobManager heard %q", got)
				}
				if opened := d.opening == nil; opened != (d.closed == 1) {
					t.Errorf("closed %d times", d.closed)
				}
			})
		})
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	calls := 0
	d := &drawer{parallelism: 2, next: func(ctx context.Context, _ int) ([]connector.Split, bool, error) {
		calls++
		<-ctx.Done()
		return nil, false, ctx.Err()
	}}
	onBenchWith(t, d, nothing, func(b *bench) {
		b.enumerates(0)
		b.asks(0, 0, 1)
		b.asks(1, 0, 1)
		b.hears()
		b.ends(0)
		b.hears("source ended #0")
		if d.closed != 1 || calls != 1 {
			t.Errorf("asked %d times, closed %d times", calls, d.closed)
		}
	})
}

func TestFailureToCloseIsLogged(t *testing.T) {
	onBenchWith(t, &drawer{closing: errDisk}, nothing, func(b *bench) {
		b.enumerates(0)
		b.hears()
		b.ends(0)
		b.hears("source ended #0")
		if !strings.Contains(b.log.String(), "disk full") {
			t.Errorf("the log is %q", b.log.String())
		}
	})
}

func TestStuckEnumeratorIsGivenUp(t *testing.T) {
	d := &drawer{}
	onBenchWith(t, d, nothing, func(b *bench) {
		release := make(chan bool)
		d.next = func(context.Context, int) ([]connector.Split, bool, error) {
			<-release
			return nil, false, nil
		}
		b.enumerates(0)
		b.asks(0, 0, 1)
		b.hears()
		b.ends(0)
		b.hears()
		time.Sleep(watch.Patience)
		if got := <-b.heard; !strings.HasPrefix(got, "source ended #0: stuck in ") || !strings.Contains(got, "TestStuckEnumeratorIsGivenUp") {
			t.Errorf("the JobManager heard %q", got)
		}
		close(release)
		b.hears()
	})
}
