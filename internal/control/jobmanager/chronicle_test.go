package jobmanager

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/id"
)

// told is happenings as a line each, newest first.
func told(all []view.Happening) (lines []string) {
	for _, h := range all {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s%s: %s", h.Kind, h.Name, h.TaskManager, h.Text)))
	}
	return lines
}

func TestLifeOfAJobIsTold(t *testing.T) {
	onBench(t, restarting(1), func(b *bench) {
		time.Sleep(1500 * time.Millisecond)
		b.reportsAttempt(0, execgraph.Running, nil)
		time.Sleep(time.Second)
		b.reportsAttempt(0, execgraph.Failed, fmt.Errorf("%w\nwith a stack", errDisk))
		b.endsSource(0)
		time.Sleep(1200 * time.Millisecond)
		b.reportsAttempt(1, execgraph.Running, nil)
		synctest.Wait()
		b.reportsAttempt(1, execgraph.Finished, nil)
		b.endsSource(1)
		<-b.master.Done()
		want := []string{
			"finished test: After 3.7 s.",
			"started test: All tasks run, after 1.2 s.",
			"restarted test: Starts again in 1 s with 1 task: disk full",
			"started test: All tasks run, after 1.5 s.",
			"submitted test: 1 task, for 1 slot.",
		}
		all := b.Happenings(0)
		if got := told(all); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if newer := b.Happenings(all[2].Seq); !slices.Equal(newer, all[:2]) || len(b.Happenings(all[0].Seq)) != 0 || len(b.Happenings(all[0].Seq+7)) != 0 {
			t.Errorf("after %d there is %v", all[2].Seq, newer)
		}
	})
}

func TestEndsAreTold(t *testing.T) {
	for want, end := range map[string]func(*bench){
		"failed test: After 0 ms: disk full": func(b *bench) { b.reports(0, 0, execgraph.Failed, errDisk) },
		"cancelled test: After 0 ms.": func(b *bench) {
			b.master.Cancel(errDisk)
			synctest.Wait()
			b.reports(0, 0, execgraph.Canceled, nil)
		},
	} {
		onBench(t, submission(1), func(b *bench) {
			b.reports(0, 0, execgraph.Running, nil)
			end(b)
			b.sourceEnds(nil)
			<-b.master.Done()
			if got := told(b.Happenings(0))[0]; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// silentManager is a TaskManager that hears nothing.
type silentManager struct{ rpc.TaskManager }

func (silentManager) Dismiss(error) {}

func TestTaskManagersComeAndGo(t *testing.T) {
	c := &chronicle{}
	r := newResourceManager(Options{Token: theToken, Logger: slog.New(slog.DiscardHandler)}, c)
	for _, name := range []string{"a", "b"} {
		r.Register(rpc.Registration{ID: name, Host: "h", Slots: 2}, silentManager{})
	}
	r.timer = time.NewTimer(time.Hour)
	for _, do := range r.inbox.Take() {
		do()
	}
	r.step(slots.Left{TaskManager: "a", Cause: errTold})
	r.step(slots.Left{TaskManager: "b", Cause: errors.New("power cut")})
	want := []string{"lost b: power cut", "left a: It was told to end.", "joined b: 2 slots on h.", "joined a: 2 slots on h."}
	if got := told(c.since(0)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestChronicleIsBounded(t *testing.T) {
	c := &chronicle{}
	for i := range 3 * mostHappenings {
		c.note(view.Happening{At: int64(i)})
	}
	all := c.since(0)
	if len(all) != mostHappenings || cap(c.mu.all) > 2*mostHappenings || all[0].At != 3*mostHappenings-1 || all[mostHappenings-1].Seq != 2*mostHappenings+1 {
		t.Errorf("%d happenings, from %+v to %+v", len(all), all[0], all[len(all)-1])
	}
	if got := c.since(all[3].Seq); len(got) != 3 {
		t.Errorf("%d are newer than the fourth", len(got))
	}
}

// A job that fails all the time does not push out what happens to others.
func TestRestartsDoNotFillTheChronicle(t *testing.T) {
	c := &chronicle{}
	c.note(view.Happening{Kind: view.JobSubmitted, Job: theJob})
	c.note(view.Happening{Kind: view.JobRestarted, Job: id.Job{2}})
	for range 500 {
		c.note(view.Happening{Kind: view.JobRestarted, Job: theJob})
		c.note(view.Happening{Kind: view.JobStarted, Job: theJob})
	}
	all := c.since(0)
	if n := len(all); n != 2+mostRestarts || all[n-1].Kind != view.JobSubmitted || all[n-2].Job != (id.Job{2}) || all[0].Seq != 1002 || all[mostRestarts-1].Seq != 1003-mostRestarts {
		t.Errorf("%d happenings: %+v", n, all)
	}
	if newer := c.since(1000); len(newer) != 2 || newer[1].Seq != 1001 {
		t.Errorf("after 1000: %+v", newer)
	}
}

// A JobManager that starts again still tells of the jobs of its archive.
func TestArchivedJobsAreTold(t *testing.T) {
	archivedJob := func(n byte, start, end int64, s view.JobState) *archived {
		j := &view.Job{ID: id.Job{n}, Graph: submission(1).Graph.Job, State: s, Entered: map[view.JobState]int64{view.Initializing: start, s: end}}
		j.Failures.Newest = []view.Failure{{Text: "disk full\nstack"}}
		return &archived{Job: j}
	}
	c := &chronicle{}
	c.recall([]*archived{archivedJob(2, 2000, 95_400, view.Failed), archivedJob(1, 1000, 3000, view.Finished)})
	want := []string{"failed test: After 1 min 33 s: disk full", "finished test: After 2 s.", "submitted test:", "submitted test:"}
	if got := told(c.since(0)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
