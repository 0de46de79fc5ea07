package jobmanager

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
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// A fakeSource is a source and its enumerator, which does what next says.
type fakeSource struct {
	opening error
	next    func(ctx context.Context, subtask int) ([]connector.Split, bool, error)
	closing error
	setup   connector.Setup
	closed  int
}

func (s *fakeSource) Enumerator(_ context.Context, setup connector.Setup) (connector.Enumerator, error) {
	s.setup = setup
	return s, s.opening
}

func (s *fakeSource) Next(ctx context.Context, subtask int) ([]connector.Split, bool, error) {
	return s.next(ctx, subtask)
}

func (s *fakeSource) Snapshot() ([]byte, error) { return nil, nil }

func (s *fakeSource) Close() error {
	s.closed++
	return s.closing
}

// withSource is a job of two readers.
func withSource(s *fakeSource) Submission {
	sub := submission(2)
	sub.Sources = []Source{{Operator: operatorID(0), Name: "File Source", Parallelism: 2, Enumerable: s}}
	return sub
}

func (b *bench) requests(subtask, number int) {
	b.RequestSplits(rpc.SplitRequest{
		Header:  rpc.Header{Job: theJob, Token: theToken},
		Attempt: attempt(0, subtask), Operator: operatorID(0), Number: number,
	})
}

func splits(ids ...string) (s []connector.Split) {
	for _, id := range ids {
		s = append(s, connector.Split{ID: id})
	}
	return s
}

func TestCoordinatorAnswersReaders(t *testing.T) {
	left := []string{"a", "b"}
	s := &fakeSource{next: func(context.Context, int) ([]connector.Split, bool, error) {
		if len(left) == 0 {
			return nil, true, nil
		}
		first := left[0]
		left = left[1:]
		return splits(first), false, nil
	}}
	onBench(t, withSource(s), func(b *bench) {
		b.hears("deploy 0/0 0/1")
		b.requests(1, 1)
		b.hears("assign 0/1 #1: a")
		b.requests(0, 1)
		b.hears("assign 0/0 #1: b")
		b.requests(1, 2)
		b.requests(0, 2)
		b.hears("assign 0/1 #2: done", "assign 0/0 #2: done")
		b.RequestSplits(rpc.SplitRequest{Header: rpc.Header{Job: theJob, Token: theToken}, Operator: operatorID(5)}) // of no source
		b.reports(0, 0, execgraph.Finished, nil)
		b.reports(0, 1, execgraph.Finished, nil)
		if _, err := b.ends(schedule.Finished); err != nil {
			t.Error(err)
		}
		if s.closed != 1 || s.setup.Parallelism != 2 {
			t.Errorf("closed %d times, set up for %d readers", s.closed, s.setup.Parallelism)
		}
		b.requests(0, 3) // of a job that is over
	})
}

func TestCoordinatorAsksAgainSoon(t *testing.T) {
	var found atomic.Bool
	s := &fakeSource{next: func(_ context.Context, subtask int) ([]connector.Split, bool, error) {
		if found.Load() && subtask == 1 {
			return splits("new"), false, nil
		}
		return nil, false, nil
	}}
	onBench(t, withSource(s), func(b *bench) {
		b.hears("deploy 0/0 0/1")
		b.requests(1, 1)
		b.hears()
		time.Sleep(10*soon + soon/2)
		b.hears()
		found.Store(true)
		b.requests(0, 1) // does not put off the other reader
		time.Sleep(soon / 2)
		b.hears("assign 0/1 #1: new")
		b.master.Cancel(context.Canceled)
		b.hears("cancel 0/0 0/1")
		b.reports(0, 0, execgraph.Canceled, nil)
		b.reports(0, 1, execgraph.Canceled, nil)
		if _, err := b.ends(schedule.Canceled); !errors.Is(err, context.Canceled) || s.closed != 1 {
			t.Errorf("the error is %v, closed %d times", err, s.closed)
		}
	})
}

func TestEnumeratorFailsTheJob(t *testing.T) {
	fails := func(context.Context, int) ([]connector.Split, bool, error) { return nil, false, errDisk }
	panics := func(context.Context, int) ([]connector.Split, bool, error) { panic(errDisk) }
	for name, s := range map[string]*fakeSource{
		"opening": {opening: errDisk},
		"next":    {next: fails},
		"panic":   {next: panics},
		"both":    {next: fails, closing: errors.New("closing")},
	} {
		t.Run(name, func(t *testing.T) {
			onBench(t, withSource(s), func(b *bench) {
				if s.opening == nil {
					b.requests(0, 1)
				}
				b.hears("deploy 0/0 0/1", "cancel 0/0 0/1")
				b.reports(0, 0, execgraph.Canceled, nil)
				b.reports(0, 1, execgraph.Canceled, nil)
				_, err := b.ends(schedule.Failed)
				if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), `enumerator of operator "File Source"`) {
					t.Errorf("the error is %v", err)
				}
				if opened := s.opening == nil; opened != (s.closed == 1) {
					t.Errorf("closed %d times", s.closed)
				}
			})
		})
	}
}

func TestNextEndsWithTheJob(t *testing.T) {
	calls := 0
	s := &fakeSource{next: func(ctx context.Context, _ int) ([]connector.Split, bool, error) {
		calls++
		<-ctx.Done()
		return nil, false, ctx.Err()
	}}
	onBench(t, withSource(s), func(b *bench) {
		b.requests(0, 1)
		b.requests(1, 1)
		b.hears("deploy 0/0 0/1")
		b.reports(0, 0, execgraph.Finished, nil)
		b.reports(0, 1, execgraph.Finished, nil)
		if _, err := b.ends(schedule.Finished); err != nil || s.closed != 1 || calls != 1 {
			t.Errorf("the error is %v, asked %d times, closed %d times", err, calls, s.closed)
		}
	})
}

func TestFailureToCloseIsLogged(t *testing.T) {
	onBench(t, withSource(&fakeSource{closing: errDisk}), func(b *bench) {
		b.hears("deploy 0/0 0/1")
		b.reports(0, 0, execgraph.Finished, nil)
		b.reports(0, 1, execgraph.Finished, nil)
		if _, err := b.ends(schedule.Finished); err != nil || !strings.Contains(b.log.String(), "disk full") {
			t.Errorf("the error is %v, the log is %q", err, b.log.String())
		}
	})
}

func TestEnumeratorsAreNotBlamedForTasks(t *testing.T) {
	s := submission(1)
	for i := range 20 {
		s.Sources = append(s.Sources, Source{Operator: operatorID(i), Name: "source", Parallelism: 1, Enumerable: &fakeSource{}})
	}
	onBench(t, s, func(b *bench) {
		b.master.Cancel(context.Canceled)
		b.hears("deploy 0/0", "cancel 0/0")
		time.Sleep(2 * watch.Patience)
		b.reports(0, 0, execgraph.Failed, &watch.Stuck{Who: "vertex 0"})
		if _, err := b.ends(schedule.Canceled); strings.Contains(err.Error(), "enumerator") {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestStuckEnumeratorIsReported(t *testing.T) {
	s := &fakeSource{}
	onBench(t, withSource(s), func(b *bench) {
		release := make(chan bool)
		s.next = func(context.Context, int) ([]connector.Split, bool, error) {
			<-release
			return nil, false, nil
		}
		b.requests(0, 1)
		b.hears("deploy 0/0 0/1")
		b.master.Cancel(context.Canceled)
		b.hears("cancel 0/0 0/1")
		cancelled := time.Now()
		b.reports(0, 0, execgraph.Canceled, nil)
		b.reports(0, 1, execgraph.Canceled, nil)
		<-b.master.Done()
		_, err := b.ends(schedule.Canceled)
		if took := time.Since(cancelled); took != watch.Patience {
			t.Errorf("reported after %v, want %v", took, watch.Patience)
		}
		var stuck *watch.Stuck
		if !errors.Is(err, context.Canceled) || !errors.As(err, &stuck) || !strings.Contains(stuck.Error(), "TestStuckEnumeratorIsReported") {
			t.Errorf("the error is %v", err)
		}
		close(release)
	})
}
