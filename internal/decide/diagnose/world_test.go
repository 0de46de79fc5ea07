package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A world is a job whose tasks do what a test says, second by second.
type world struct {
	t testing.TB
	*Job
	o Observation
}

// newWorld is a job of a chain of vertices, "source window sink", each read by the next, with as many tasks each.
func newWorld(t testing.TB, names string, parallelism int) *world {
	w := &world{t: t, Job: NewJob(Options{}), o: Observation{State: Running}}
	for v, name := range strings.Fields(names) {
		at := Vertex{Name: name, MaxParallelism: 128}
		if v > 0 {
			at.Inputs = []Input{{v - 1, "HASH"}}
		}
		for range parallelism {
			at.Tasks = append(at.Tasks, Task{Phase: Active, Watermark: None})
		}
		w.o.Vertices = append(w.o.Vertices, at)
	}
	return w
}

// task is a task by the name of its vertex: "window 3"; subtask 0 can be left out.
func (w *world) task(name string) *Task {
	w.t.Helper()
	var vertex string
	var subtask int
	_, _ = fmt.Sscan(name, &vertex, &subtask)
	for v := range w.o.Vertices {
		if w.o.Vertices[v].Name == vertex {
			return &w.o.Vertices[v].Tasks[subtask]
		}
	}
	w.t.Fatalf("no task %q", name)
	return nil
}

// A work is what a task does in a second: busy and back-pressured for so many of a hundred parts of it, and with so many records.
type work struct {
	busy, pressed int
	records       int64
}

// pass lets seconds pass, in which tasks work; whom nothing is said of is idle.
func (w *world) pass(seconds int, works map[string]work) Diagnosis {
	w.t.Helper()
	for range seconds {
		w.o.At += 1000
		for v := range w.o.Vertices {
			for i := range w.o.Vertices[v].Tasks {
				w.o.Vertices[v].Tasks[i].work(w.o.At, work{})
			}
		}
		for name, does := range works {
			w.task(name).work(w.o.At, does)
		}
		w.Observe(&w.o)
	}
	return w.Diagnosis()
}

func (t *Task) work(at int64, does work) {
	part := func(n int) time.Duration { return time.Duration(n) * 10 * time.Millisecond }
	if t.At != at {
		t.Idle += time.Second
	}
	t.At = at
	t.Busy += part(does.busy)
	t.BackPressured += part(does.pressed)
	t.Idle -= part(does.busy + does.pressed)
	t.Records += does.records
	t.Read += does.records
}

// say is what the findings say, a line each.
func say(d Diagnosis) string {
	var all []string
	for _, f := range d.Findings {
		all = append(all, fmt.Sprintf("%s %s: %s: %s", f.Level, f.Kind, f.Head, f.Detail))
	}
	return strings.Join(all, "\n")
}

// expect wants a diagnosis to say these lines, each from its beginning.
func expect(t testing.TB, d Diagnosis, want ...string) {
	t.Helper()
	got := strings.Split(say(d), "\n")
	if len(d.Findings) == 0 {
		got = nil
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("said is\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}
