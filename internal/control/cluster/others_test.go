package cluster

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/label"
)

// Functions that only one kind of process runs.
const (
	onlyJobManager  = "jobmanager.(*ResourceManager).run"
	onlyTaskManager = "taskmanager.(*TaskManager).beats"
	onlyWorker      = "cluster.burn"
)

// TestEachProcessTellsOfItself asks JobManager, TaskManager and worker, all by the JobManager's REST.
func TestEachProcessTellsOfItself(t *testing.T) {
	f := startFleet(t)
	c, name := f.taskManager(4)
	of := client.TaskManager(name)
	f.submit(bounded, "Bounded job", "some", 2, 0, 0)
	_, err := f.Result(t.Context(), f.id(bounded))
	check(t, err)
	f.submit(bounded, "Bounded job", "some", 2, 0, 0) // is the same one, and no news
	f.submit(stateful, "Stateful keyed job", "count", 2, 0, 0)
	f.await(stateful, view.Running)

	f.threads(client.JobManager, onlyJobManager, onlyTaskManager)
	f.threads(of, onlyTaskManager, onlyJobManager)
	if log := f.text(client.JobManager + "/log"); !strings.Contains(log, "TaskManager joins") || strings.Count(log, "a client has submitted a job") != 2 {
		t.Errorf("the JobManager's log is %.1000s", log)
	}
	var out string // the TaskManager may not have read all of it when the job is over
	await(t, func() string { return fmt.Sprintf("printed %d times: %.300s", strings.Count(out, "printed "), out) }, func() bool {
		out = f.text(of + "/stdout")
		return strings.Count(out, "printed ") >= 2001
	})
	if n := strings.Count(out, "printed "); n != 2001 {
		t.Errorf("printed was %d times: %.300s", n, out)
	}
	logs, err := f.Logs(t.Context(), of)
	check(t, err)
	if got, want := names(logs), "taskmanager.log worker-"+stateful+"-1.log worker-"+stateful+"-1.out worker-"+bounded+"-1.log worker-"+bounded+"-1.out"; got != want {
		t.Errorf("logs of the TaskManager: %s, want %s", got, want)
	}
	f.figures(of, c.Process.Pid)
	f.burns(of)
}

func names(logs []client.LogFile) string {
	var all []string
	for _, l := range logs {
		all = append(all, l.Name)
	}
	return strings.Join(all, " ")
}

// threads looks at the goroutines of a process.
func (f *fleet) threads(of, has, lacks string) {
	f.t.Helper()
	dump := f.text(of + "/thread-dump")
	if !strings.Contains(dump, has) || strings.Contains(dump, lacks) {
		f.t.Errorf("%s: goroutines have no %s, or have %s: %.500s", of, has, lacks, dump)
	}
}

// figures waits for the first heartbeat with a worker in it, and looks at what the processes use.
func (f *fleet) figures(of string, pid int) {
	f.t.Helper()
	var t struct {
		Flott struct {
			Process struct {
				Pid        int
				RSS        int64
				Goroutines int
			}
			Slots []struct {
				Job    string
				Worker struct {
					Pid int
					RSS int64
					CPU float64
				}
			}
		}
	}
	await(f.t, func() string { return fmt.Sprintf("%+v", t) }, func() bool {
		f.get(of, &t)
		workers := map[int]int{} // slots of each
		for _, s := range t.Flott.Slots {
			if w := &s.Worker; s.Job == stateful && w.RSS > 0 && w.CPU > 0 {
				workers[w.Pid]++
			}
		}
		p := &t.Flott.Process
		return p.Pid == pid && p.RSS > 0 && p.Goroutines > 0 && len(t.Flott.Slots) == 4 && len(workers) == 1 && slices.Contains(slices.Collect(maps.Values(workers)), 2)
	})
	var metrics []struct{ ID, Value string }
	f.get(of+"/metrics?get=Status.JVM.CPU.Time,Status.JVM.Memory.Heap.Used,Status.JVM.Threads.Count", &metrics)
	for _, m := range metrics {
		if n, err := strconv.ParseInt(m.Value, 10, 64); err != nil || n <= 0 {
			f.t.Errorf("%s: %s is %s", of, m.ID, m.Value)
		}
	}
	if len(metrics) != 3 {
		f.t.Errorf("metrics of %s: %+v", of, metrics)
	}
	for _, want := range []string{`flink_taskmanager_Status_JVM_Memory_Heap_Used{[^}]*} [1-9]`, `flink_jobmanager_numRegisteredTaskManagers{[^}]*} 1\n`, `flink_jobmanager_taskSlotsAvailable{[^}]*} 2\n`} {
		var text string // slots of a job that is over are free when nothing is left of its worker
		await(f.t, func() string { return want + " in the metrics: " + text }, func() bool {
			text = f.text("/metrics")
			return regexp.MustCompile(want).MatchString(text)
		})
	}
}

// burns looks where processes spend their time: the operator in the worker, and the TaskManager in itself.
func (f *fleet) burns(of string) {
	f.t.Helper()
	var p *profile.Profile
	await(f.t, func() string { return fmt.Sprintf("the worker's profile with its operator: %.1000s", p) }, func() (labelled bool) {
		var err error
		p, err = profile.ParseData([]byte(f.text("/jobs/" + stateful + "/flott/profile?seconds=1")))
		check(f.t, err)
		for _, s := range p.Sample {
			labelled = labelled || s.HasLabel(label.Operator, "running count")
		}
		return labelled && strings.Contains(p.String(), onlyWorker)
	})
	var job struct{ Vertices []struct{ ID string } }
	f.get("/jobs/"+stateful, &job)
	var flames string
	await(f.t, func() string { return flames }, func() bool {
		flames = f.text("/jobs/" + stateful + "/vertices/" + job.Vertices[1].ID + "/flamegraph?type=on_cpu")
		return strings.Contains(flames, `"operator running count"`) && strings.Contains(flames, onlyWorker)
	})
	if text := f.text("/jobs/" + stateful + "/flott/goroutines"); !strings.Contains(text, "cluster.workHere") || strings.Count(text, "worker ") != 1 {
		f.t.Errorf("the worker's goroutines: %.500s", text)
	}
	var begun struct{ Status string }
	f.ask(http.MethodPost, of+"/profiler", `{"mode": "WALL", "duration": 1}`, &begun)
	var list struct {
		ProfilingList []struct{ Status, OutputFile string }
	}
	await(f.t, func() string { return fmt.Sprintf("%+v", list) }, func() bool {
		f.get(of+"/profiler", &list)
		return len(list.ProfilingList) == 1 && list.ProfilingList[0].Status == "FINISHED"
	})
	p, err := profile.ParseData([]byte(f.text(of + "/profiler/" + list.ProfilingList[0].OutputFile)))
	check(f.t, err)
	if text := p.String(); !strings.Contains(text, onlyTaskManager) || strings.Contains(text, onlyJobManager) {
		f.t.Errorf("the TaskManager's profile is another one's: %.1000s", text)
	}
}

// TestAStoppedTaskManagerIsNoticed stops a TaskManager so that its connection stays open.
func TestAStoppedTaskManagerIsNoticed(t *testing.T) {
	f := startFleet(t)
	stopped, first := f.taskManager(1)
	f.submit(stateful, "Stateful keyed job", "count", 1, 1, 0)
	f.await(stateful, view.Running)
	_, second := f.taskManager(1)
	stop(t, stopped.Process.Pid)
	asked := f.asked(client.TaskManager(first) + "/thread-dump")
	f.lost(first, second, "nothing was heard for 4s|no heartbeat of the TaskManager for 5s") // whichever is seen first
	if status := <-asked; status != http.StatusInternalServerError {
		t.Errorf("the TaskManager is asked for its goroutines: %d", status)
	}
	check(t, stopped.Process.Signal(syscall.SIGCONT))
	await(t, says("the TaskManager comes back as another one"), func() bool { return len(f.taskManagers()) == 2 })
	f.goesOn(second)
}

// stop stops a process, with all its threads.
func stop(t *testing.T, pid int) {
	t.Helper()
	check(t, syscall.Kill(pid, syscall.SIGSTOP))
	await(t, says("the process stops"), func() bool {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		check(t, err)
		return !slices.ContainsFunc(threads, func(stat string) bool {
			text, err := os.ReadFile(stat)
			return err == nil && !strings.Contains(string(text), ") T ") // or the thread is gone
		})
	})
}

// asked asks for something while the test goes on.
func (f *fleet) asked(path string) <-chan int {
	status := make(chan int, 1)
	go func() { // ends with the request
		defer close(status)
		r, err := http.NewRequestWithContext(f.t.Context(), http.MethodGet, f.url+path, nil)
		if err != nil {
			return
		}
		if a, err := f.http.Do(r); err == nil {
			_ = a.Body.Close() // only the status is of interest
			status <- a.StatusCode
		}
	}()
	return status
}

// TestAStoppedWorkerIsReplaced stops a worker so that its connection stays open. Nothing of it is left.
func TestAStoppedWorkerIsReplaced(t *testing.T) {
	f := startFleet(t)
	_, name := f.taskManager(2)
	f.submit(stateful, "Stateful keyed job", "count", 1, 1, 0)
	f.await(stateful, view.Running)
	var pid int
	await(t, says("the worker's pid"), func() bool { pid = f.workerOf(name); return pid != 0 })
	stop(t, pid)
	await(t, says("another worker"), func() bool { now := f.workerOf(name); return now != 0 && now != pid })
	f.warned("/1 was lost: nothing was heard for 4s")
	await(t, says("end of the worker"), func() bool { return syscall.Kill(pid, 0) != nil })
	f.goesOn(name)
}

// workerOf is the pid of the job's worker on a TaskManager; 0: there is none that is known.
func (f *fleet) workerOf(name string) (pid int) {
	f.t.Helper()
	var t struct {
		Flott struct {
			Slots []struct{ Worker struct{ Pid int } }
		}
	}
	f.get(client.TaskManager(name), &t)
	for _, s := range t.Flott.Slots {
		pid = max(pid, s.Worker.Pid)
	}
	return pid
}

// TestAKilledTaskManagerIsNoticedAtOnce kills a TaskManager, which takes its worker with it.
func TestAKilledTaskManagerIsNoticedAtOnce(t *testing.T) {
	f := startFleet(t)
	killed, first := f.taskManager(1)
	f.submit(stateful, "Stateful keyed job", "count", 1, 1, 0)
	f.await(stateful, view.Running)
	_, second := f.taskManager(1)
	check(t, killed.Process.Kill())
	f.lost(first, second, "the other side has closed the connection")
	_ = killed.Wait() // it was killed
	f.goesOn(second)
}

// lost waits until one TaskManager is gone and another is left, and wants the log to say why, a pattern: how soon that is noticed follows
// from it.
func (f *fleet) lost(gone, left, why string) {
	f.t.Helper()
	var all []string
	await(f.t, func() string { return fmt.Sprintf("TaskManagers %v, want only %s", all, left) }, func() bool {
		all = f.taskManagers()
		return slices.Equal(all, []string{left})
	})
	f.warned(`msg="TaskManager is lost" taskmanager=` + regexp.QuoteMeta(gone) + ` error="(` + why + `)`)
}

// warned wants the log of the JobManager to have a line with what a pattern matches.
func (f *fleet) warned(of string) {
	f.t.Helper()
	if log := f.text(client.JobManager + "/log"); !regexp.MustCompile(of).MatchString(log) {
		f.t.Errorf("no %s in the log: %s", of, log)
	}
}

// goesOn wants the job to run on a TaskManager, after one restart.
func (f *fleet) goesOn(where string) {
	f.t.Helper()
	var d *client.Details
	await(f.t, func() string { return fmt.Sprintf("%+v", d) }, func() bool {
		var err error
		d, err = f.Details(f.t.Context(), f.id(stateful))
		check(f.t, err)
		s := d.Vertices[0].Subtasks[0]
		return s.State == "RUNNING" && s.TaskManager == where && d.Job.Flott.Restarts == 1
	})
}
