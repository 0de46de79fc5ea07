package cluster

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An exceptionEntry is what people see of a failure.
type exceptionEntry struct {
	Name        string `json:"exceptionName"`
	Task        string `json:"taskName"`
	Endpoint    string `json:"endpoint"`
	TaskManager string `json:"taskManagerId"`
	Flott       struct {
		Tasks    int
		Subtask  *int
		Downtime *int64
		Restart  *struct{ Tasks, Of int }
	} `json:"flott"`
	Concurrent []exceptionEntry `json:"concurrentExceptions"`
}

func (f *fleet) newestException(job string) exceptionEntry {
	f.t.Helper()
	var e struct {
		History struct{ Entries []exceptionEntry } `json:"exceptionHistory"`
	}
	f.get("/jobs/"+job+"/exceptions", &e)
	if len(e.History.Entries) == 0 {
		return exceptionEntry{}
	}
	return e.History.Entries[0]
}

// TestLossesNameTheirTasks kills a worker, and then a whole TaskManager: each is the failure of all tasks that ran there.
func TestLossesNameTheirTasks(t *testing.T) {
	f := startFleet(t)
	first, name := f.taskManager(2)
	f.submit(stateful, "Stateful keyed job", "count", 2, 10, 10*time.Millisecond)
	for _, c := range []struct {
		name string
		kill func()
	}{
		{"worker lost", func() { f.killWorker(name) }},
		{"TaskManager lost", func() { check(t, first.Process.Kill()); _ = first.Wait() }},
	} {
		f.allRun()
		c.kill()
		await(t, says(c.name), func() bool { return f.newestException(stateful).Name == c.name })
		e := f.newestException(stateful)
		if e.TaskManager != name || !strings.HasSuffix(e.Endpoint, ":-1") || !strings.Contains(e.Task, " (1/1) - execution #") || e.Flott.Subtask == nil {
			t.Errorf("%s: %+v", c.name, e)
		}
		if e.Flott.Tasks < 3 || len(e.Concurrent) != e.Flott.Tasks-1 || e.Flott.Restart == nil || e.Flott.Restart.Tasks != e.Flott.Tasks {
			t.Errorf("%s hit %+v, beside it %d", c.name, e.Flott, len(e.Concurrent))
		}
		if !slices.ContainsFunc(e.Concurrent, func(o exceptionEntry) bool {
			return strings.Contains(o.Task, "(2/2)") && o.TaskManager == name && o.Name == c.name
		}) {
			t.Errorf("%s: beside it are %+v", c.name, e.Concurrent)
		}
		if c.name == "worker lost" {
			await(t, says("the end of the downtime"), func() bool { return f.newestException(stateful).Flott.Downtime != nil })
		}
	}
	f.taskManager(2)
	f.allRun()
	f.tells("restarted Stateful keyed job", "lost "+name, "restarted Stateful keyed job", "submitted Stateful keyed job", "joined "+name)
}

// tells wants all this to have happened, the newest first, and the log to warn of the worker.
func (f *fleet) tells(want ...string) {
	f.t.Helper()
	var overview struct {
		Flott struct {
			Events []struct{ Kind, Name, TaskManager string }
		}
	}
	f.get("/overview", &overview)
	events := overview.Flott.Events
	for _, w := range want {
		i := slices.IndexFunc(events, func(e struct{ Kind, Name, TaskManager string }) bool { return e.Kind+" "+e.Name+e.TaskManager == w })
		if i < 0 {
			f.t.Errorf("%q is not among what has happened: %+v", w, overview.Flott.Events)
			continue
		}
		events = events[i+1:]
	}
	var said struct{ Lines []logLine }
	f.get("/jobmanager/flott/log?level=warn&q=a+worker+is+lost", &said)
	if len(said.Lines) != 2 || said.Lines[0].Job != stateful || said.Lines[0].Level != "WARN" {
		f.t.Errorf("the log says %+v", said.Lines)
	}
	var joins struct{ Lines []logLine } // but not that of the killed one, which had the folder before
	f.get("/taskmanagers/"+f.taskManagers()[0]+"/flott/log?q=joins", &joins)
	if n := len(joins.Lines); n != 1 || joins.Lines[0].Fields["taskmanager"] != f.taskManagers()[0] {
		f.t.Errorf("the log of the TaskManager says %+v", joins.Lines)
	}
}

// allRun waits until all tasks of the only job run.
func (f *fleet) allRun() {
	f.t.Helper()
	await(f.t, says("all tasks RUNNING"), func() bool {
		var list struct {
			Jobs []struct{ Tasks map[string]int }
		}
		f.get("/jobs/overview", &list)
		tasks := list.Jobs[0].Tasks
		return tasks["running"] > 0 && tasks["running"] == tasks["total"]
	})
}

// killWorker kills the only worker of a TaskManager, as soon as a heartbeat has told its number.
func (f *fleet) killWorker(name string) {
	f.t.Helper()
	var pid int
	await(f.t, says("a worker"), func() bool { pid = f.workerOf(name); return pid > 0 })
	check(f.t, syscall.Kill(pid, syscall.SIGKILL))
}
