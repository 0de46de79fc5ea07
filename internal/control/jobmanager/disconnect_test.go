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

func (b *bench) disconnects() {
	h := rpc.Header{Job: theJob, Token: theToken}
	b.Disconnected(rpc.WorkerLoss{Header: h, Worker: rpc.Local, Cause: errors.New("closed")})
	b.runsOn()
}

// runsOn wants the job to run while causes may yet come.
func (b *bench) runsOn() {
	b.Helper()
	time.Sleep(lastWords / 2)
	synctest.Wait()
	if job, err := b.Job(b.Context(), theJob); err != nil || job.State != view.Running {
		b.Fatalf("the job is %+v (%v), before the TaskManager could say what happened", job, err)
	}
}

// A worker whose connection is lost is given up, if nobody says how it ended.
func TestConnectionIsLost(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.disconnects()
		time.Sleep(lastWords)
		if _, err := b.ends(schedule.Failed); !strings.Contains(err.Error(), "the connection to worker local was lost: closed") {
			t.Errorf("the job failed with %v", err)
		}
	})
}

// How a worker ended is the cause, not that its connection is lost, too.
func TestConnectionIsLostAsTheWorkerEnds(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.disconnects()
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
	b.runsOn()
}

func TestConnectionBetweenWorkersIsLost(t *testing.T) {
	onBench(t, submission(1), func(b *bench) {
		b.losesPeer()
		time.Sleep(lastWords)
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
