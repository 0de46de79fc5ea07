package jobmanager

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// disconnects cuts the worker off, for whose end is waited so long.
func (b *bench) disconnects(closed bool, patience time.Duration) {
	h := rpc.Header{Job: theJob, Token: theToken}
	b.Disconnected(rpc.WorkerLoss{Header: h, Worker: rpc.Local, Cause: errors.New("cut off"), Closed: closed})
	b.runsOn(patience)
}

// runsOn wants the job to run while causes may yet come, for nearly so long.
func (b *bench) runsOn(patience time.Duration) {
	b.Helper()
	time.Sleep(patience - time.Millisecond)
	synctest.Wait()
	if all, err := b.Jobs(b.Context()); err != nil || all[0].State != view.Running { // which waits for no metrics
		b.Fatalf("the job is %+v (%v), before the TaskManager could say what happened", all, err)
	}
}

// A worker whose connection is lost is given up, if nobody says how it ended: soon when it is only silent.
func TestConnectionIsLost(t *testing.T) {
	for closed, patience := range map[bool]time.Duration{true: lastWords, false: doubt} {
		onBench(t, submission(1), func(b *bench) {
			b.disconnects(closed, patience)
			time.Sleep(time.Millisecond)
			if _, err := b.ends(schedule.Failed); !strings.Contains(err.Error(), "the connection to worker local was lost: cut off") {
				t.Errorf("the job failed with %v", err)
			}
		})
	}
}

// How a worker ended is the cause, not that its connection is lost, too.
func TestConnectionIsLostAsTheWorkerEnds(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.disconnects(true, lastWords)
		b.master.workerLost(rpc.Local, errDisk)
		if _, err := b.ends(schedule.Failed); !errors.Is(err, errDisk) {
			t.Errorf("the job failed with %v", err)
		}
		time.Sleep(lastWords) // the job is over; nothing comes of it any more
	})
}

// losesPeer reports a task that has failed because a connection to another worker was cut.
func (b *bench) losesPeer() {
	b.reports(0, 0, execgraph.Running, nil)
	b.reports(0, 0, execgraph.Failed, fmt.Errorf("%w to worker %q: cut", fault.ErrConnection, "other"))
	b.runsOn(doubt)
}

func TestConnectionBetweenWorkersIsLost(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.losesPeer()
		time.Sleep(time.Millisecond)
		if _, err := b.ends(schedule.Failed); !errors.Is(err, fault.ErrConnection) {
			t.Errorf("the job failed with %v", err)
		}
	})
}

// How a worker ended is the cause, not that others have lost their connections to it.
func TestConnectionBetweenWorkersIsLostAsOneEnds(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.losesPeer()
		b.master.workerLost(rpc.Local, errDisk)
		if _, err := b.ends(schedule.Failed); !errors.Is(err, errDisk) {
			t.Errorf("the job failed with %v", err)
		}
	})
}

// A worker that has closed its connection is heard of before those are blamed that have lost theirs to it, however long that takes.
func TestConnectionBetweenWorkersIsLostBeforeItIsHeardWhy(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.losesPeer()
		b.disconnects(true, lastWords)
		b.master.workerLost(rpc.Local, errDisk)
		if _, err := b.ends(schedule.Failed); !errors.Is(err, errDisk) {
			t.Errorf("the job failed with %v", err)
		}
	})
}
