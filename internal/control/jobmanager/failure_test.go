package jobmanager

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// failures is those of the job now.
func (b *bench) failures() []view.Failure {
	b.Helper()
	all, err := b.Jobs(b.Context()) // does not wait for metrics
	if err != nil {
		b.Fatal(err)
	}
	return all[0].Failures.Newest
}

func TestRestartHasItsTimes(t *testing.T) {
	onBench(t, restarting(1), func(b *bench) {
		began := now()
		since := func() [3]int64 {
			r := b.failures()[0].Restart
			return [3]int64{r.Due - began, max(0, r.Deployed-began), max(0, r.Running-began)}
		}
		b.reportsAttempt(0, execgraph.Running, nil)
		b.reportsAttempt(0, execgraph.Failed, &fault.Failure{Operator: "sink", Cause: errDisk})
		if f := b.failures()[0]; since() != [3]int64{1000, 0, 0} || f.Operator != "sink" || f.Tasks != 1 || f.Restart.Subtasks != 1 || !slices.Equal(f.Restart.Vertices, []int{0}) {
			t.Errorf("at first it is %+v %+v", f, f.Restart)
		}
		b.endsSource(0)
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		if got := since(); got != [3]int64{1000, 1000, 0} {
			t.Errorf("when it was deployed, the times are %d", got)
		}
		b.reportsAttempt(1, execgraph.Running, nil)
		time.Sleep(time.Second)
		b.reportsAttempt(1, execgraph.Finished, nil)
		b.endsSource(1)
		<-b.master.Done()
		if got := since(); got != [3]int64{1000, 1000, 1500} {
			t.Errorf("in the end the times are %d", got)
		}
	})
}

// A worker that is lost is a failure of each of its tasks: the first one's, and of the others beside it.
func TestLostWorkerNamesItsTasks(t *testing.T) {
	onBench(t, submission(1, 20), func(b *bench) {
		b.reports(0, 0, execgraph.Running, nil)
		b.master.workerLost("local", fault.WorkerLost.Of(errDisk))
		synctest.Wait()
		newest := b.failures()[0]
		if newest.Task != "vertex 0 (1/1) - execution #0" || newest.Name != "worker lost" || newest.Tasks != 21 || newest.TaskManager != "local" || newest.Restart != nil {
			t.Errorf("it is %+v", newest)
		}
		if c := newest.Concurrent; len(c) != mostFailures || c[15].Task != "vertex 1 (16/20) - execution #0" || c[15].Text != "disk full" {
			t.Errorf("beside it are %+v", c)
		}
		if _, err := b.ends(schedule.Failed); !errors.Is(err, errDisk) {
			t.Errorf("the job failed with %v", err)
		}
	})
}

func TestPortIn(t *testing.T) {
	for addresses, want := range map[string]int{"": 0, "unix:/x": 0, "unix:/x,tcp:10.0.0.1:4711": 4711, "tcp:[::1]:12": 12} {
		if got := portIn(addresses); got != want {
			t.Errorf("%q has the port %d, want %d", addresses, got, want)
		}
	}
}
