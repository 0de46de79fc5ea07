package rest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/flott-dev/flott/internal/control/view"
)

// happens lets something have happened.
func (c *cluster) happens(h view.Happening) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.Seq = int64(len(c.happened) + 1)
	c.happened = append([]view.Happening{h}, c.happened...)
}

func TestOverviewSaysWhatIsUsedAndWhatHappened(t *testing.T) {
	b := newBench(t, nil, Options{Version: "1.2.3"})
	tm := b.cluster.managers[0]
	tm.Slots[1].Worker = view.Figures{Pid: 9, Resident: 100, Load: 0.5}
	tm.Slots[2] = tm.Slots[1] // the same worker
	tm.Slots[3] = view.Slot{Job: tm.Slots[0].Job, Worker: view.Figures{Pid: tm.Process.Pid, Resident: 7}}
	b.cluster.managers = append(b.cluster.managers, &view.TaskManager{ID: "tm-2", Host: "elsewhere", Memory: 1, Hardware: view.Hardware{Cores: 3}})
	b.cluster.happens(view.Happening{At: 5, Kind: view.TaskManagerLost, TaskManager: "tm-0", Text: "power cut"})
	b.cluster.happens(view.Happening{At: 6, Kind: view.JobFinished, Job: tm.Slots[0].Job, Name: "Stateful keyed job", Text: "After 2 s."})
	var o clusterOverview
	b.into("/overview", &o)
	f := o.Flott
	if f.Memory != (usedMemory{4096 + 100 + 7, 4<<30 + 1}) || f.CPU != (usedCPU{0.5, 5}) || f.JobManager != figures(someFigures) || f.Since != b.rest.started.UnixMilli() {
		t.Errorf("%+v", f)
	}
	want := "[{2 6 finished info " + running + " Stateful keyed job  After 2 s.} {1 5 lost error   tm-0 power cut}]"
	if got := fmt.Sprint(f.Events); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEnvironmentOfGo(t *testing.T) {
	b := newBench(t, nil, Options{})
	var e environmentBody
	b.into("/jobmanager/environment", &e)
	if f := e.Flott; f.GoVersion != "go1.27" || f.Pid != 7 || f.Started != 8 || f.CPUs != 9 || f.MaxProcs != 10 || f.MemoryLimit != 11 || len(f.Modules) != 1 {
		t.Errorf("%+v", f)
	}
}

func TestEventsOfTheCluster(t *testing.T) {
	b := newBench(t, nil, Options{})
	b.cluster.happens(view.Happening{Kind: view.JobSubmitted})
	next := b.events("")
	read := func() (o clusterOverview) {
		if err := json.Unmarshal([]byte(next("cluster").data), &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	if o := read(); o.JobsRunning != 2 || len(o.Flott.Events) != 1 || o.TaskManagers != 1 {
		t.Errorf("at first: %+v", o)
	}
	b.cluster.happens(view.Happening{Kind: view.JobStarted})
	if o := read(); len(o.Flott.Events) != 1 || o.Flott.Events[0].Kind != view.JobStarted {
		t.Errorf("when something has happened: %+v", o.Flott.Events)
	}
	b.cluster.replace(b.cluster.list[0], func(j *view.Job) { j.State = view.Canceled })
	for o := read(); o.JobsCancelled != 1; o = read() { // health may change, too
		if len(o.Flott.Events) != 0 {
			t.Errorf("old news: %+v", o.Flott.Events)
		}
	}
}
