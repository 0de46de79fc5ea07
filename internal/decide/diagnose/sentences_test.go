package diagnose

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/sentences anew")

// TestSentences writes down all that can be said of a job, to be read through by people.
func TestSentences(t *testing.T) {
	const file = "testdata/sentences"
	var b strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&b, "# %s\n", c.name)
		for _, f := range c.of(t).Findings {
			fmt.Fprintf(&b, "%s %s: %s\n  %s\n", f.Level, f.Kind, f.Head, f.Detail)
			if f.Advice != "" {
				fmt.Fprintf(&b, "  %s\n", f.Advice)
			}
		}
		b.WriteString("\n")
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("-update, and read what has changed:\n%s", got)
	}
}

// cases are jobs of which each sentence is said of one.
var cases = []struct {
	name string
	of   func(t *testing.T) Diagnosis
}{
	{"nobody has looked", func(*testing.T) Diagnosis { return NewJob(Options{}).Diagnosis() }},
	{"failed", state(HasFailed, "", "no route to host")},
	{"failed for no reason that is known", state(HasFailed, "")},
	{"starts again", state(Restarting, "", "no route to host")},
	{"has started again", state(Running, "", "no route to host")},
	{"starts again for the same reason", state(Restarting, "", "dial 10.0.0.1:41: refused", "dial 10.0.0.1:37: refused", "no route to host")},
	{"waits", state(Beginning, "slot sharing group \"default\" lacks 3 of 4 slots")},
	{"begins", state(Beginning, "")},
	{"ends", state(Ending, "")},

	{"a slow vertex", does("source sink", 1, 20, map[string]work{"source": {0, 60, 9}, "sink": {90, 0, 9}})},
	{"a vertex that has just become slow", does("source sink", 1, 20, nil, 3, map[string]work{"source": {0, 60, 9}, "sink": {90, 0, 9}})},
	{"a slow vertex far behind", does("a b c d e", 1, 20, map[string]work{"a": {0, 60, 9}, "b": {0, 61, 9}, "c": {0, 62, 9}, "d": {0, 63, 9}, "e": {90, 0, 9}})},
	{"a slow vertex that cannot have more subtasks", with(func(w *world) { w.o.Vertices[1].MaxParallelism = 1 }, "source sink", 1, map[string]work{"source": {0, 60, 9}, "sink": {90, 0, 9}})},
	{"a slow vertex of two", does("source sink", 2, 20, map[string]work{"source": {0, 60, 9}, "sink": {88, 0, 9}, "sink 1": {90, 0, 9}})},
	{"a slow subtask of two", does("source sink", 2, 20, map[string]work{"source": {0, 60, 9}, "sink": {30, 0, 9}, "sink 1": {90, 0, 9}})},
	{"a slow subtask of three", does("source sink", 3, 20, map[string]work{"source": {0, 60, 9}, "sink": {30, 0, 9}, "sink 1": {90, 0, 9}, "sink 2": {32, 0, 9}})},
	{"nobody is busy", does("source sink", 1, 20, map[string]work{"source": {0, 60, 9}, "sink": {70, 0, 9}})},
	{"too early to know", does("source sink", 1, 1, nil)},

	{"a hot key", with(func(w *world) { w.task("sink 1").Keys = KeyShare{7, 900} }, "source sink", 3, uneven)},
	{"a key that has all", with(func(w *world) { w.task("sink 1").Keys = KeyShare{7, 1000} }, "source sink", 3, uneven)},
	{"hot keys", with(func(*world) {}, "source sink", 3, uneven)},
	{"dealt out otherwise", with(func(w *world) { w.o.Vertices[1].Inputs[0].Partitioner = "CUSTOM" }, "source sink", 3, uneven)},

	{"a record that takes long", does("source sink", 1, 20, map[string]work{"source": {0, 60, 0}, "sink": {90, 0, 0}})},
	{"a call that hangs", does("source sink", 1, 5, map[string]work{"sink": {10, 0, 9}}, 70, map[string]work{"source": {0, 100, 0}, "sink": {100, 0, 0}})},
	{"nobody reads", does("source sink", 1, 5, map[string]work{"source": {10, 0, 9}}, 70, map[string]work{"source": {0, 100, 0}})},

	{"a silent split", timed(20, SourceTime{Split: "orders-3", Watermark: 5000, Furthest: 5000, Silent: 1}, 5000, 5)},
	{"a silent source", timed(20, SourceTime{Watermark: None, Furthest: None, Silent: 1}, None, 5)},
	{"a split that is idle late", timed(20, SourceTime{Split: "orders-3", Watermark: 5000, Furthest: 5000, Silent: 1, IdleAfter: 300_000}, 5000, 5)},
	{"no split yet", timed(20, SourceTime{NoSplit: true, Watermark: None, Furthest: None}, None, 5)},
	{"old records", timed(20, SourceTime{Split: "orders-3", Watermark: 5000, Furthest: 5000}, 5000, 5)},
	{"no watermarks", func(t *testing.T) Diagnosis { return withoutWatermarks(t) }},
	{"event time stands for a silent split", timed(100, SourceTime{Split: "orders-3", Watermark: 5000, Furthest: 5000, Silent: 1}, 5000, 5)},
	{"event time stands in a source", func(t *testing.T) Diagnosis {
		w := newWorld(t, "source", 1)
		w.task("source").Time, w.task("source").Watermark = &SourceTime{Watermark: 5000, Furthest: 5000}, 5000
		return w.pass(100, map[string]work{"source": {10, 0, 9}})
	}},
	{"event time falls behind", func(t *testing.T) Diagnosis { return falling(t, map[string]work{"source": {10, 0, 9}}) }},
	{"event time falls behind a bottleneck", func(t *testing.T) Diagnosis {
		return falling(t, map[string]work{"source": {0, 100, 9}, "sink": {100, 0, 9}})
	}},

	{"memory is short", memory("tm-1")},
	{"memory is short in many places", memory("tm-1", "tm-2", "tm-3", "tm-4", "tm-5")},
}

var uneven = map[string]work{"source": {0, 60, 9}, "sink": {60, 0, 100}, "sink 1": {90, 0, 400}, "sink 2": {60, 0, 100}}

// state is a job in a state, with the causes of its failures, the newest first.
func state(s State, waiting string, causes ...string) func(*testing.T) Diagnosis {
	return func(t *testing.T) Diagnosis {
		w := newWorld(t, "source sink", 3)
		w.o.At, w.o.State, w.o.Waiting = 100_000, s, waiting
		for _, c := range causes {
			w.o.Failures = append(w.o.Failures, Failure{At: w.o.At, Cause: c})
		}
		w.task("sink 2").Phase = Coming
		return w.Observe(&w.o)
	}
}

// does is a job whose tasks do something for some seconds, and then perhaps something else.
func does(names string, parallelism int, spells ...any) func(*testing.T) Diagnosis {
	return func(t *testing.T) Diagnosis {
		w := newWorld(t, names, parallelism)
		for i := 0; i < len(spells); i += 2 {
			works, _ := spells[i+1].(map[string]work)
			w.pass(spells[i].(int), works)
		}
		return w.Diagnosis()
	}
}

// with is a job that is changed before its tasks do something for a while.
func with(change func(*world), names string, parallelism int, works map[string]work) func(*testing.T) Diagnosis {
	return func(t *testing.T) Diagnosis {
		w := newWorld(t, names, parallelism)
		change(w)
		return w.pass(20, works)
	}
}

// timed is a job whose event time a source holds.
func timed(seconds int, held SourceTime, sink, records int64) func(*testing.T) Diagnosis {
	return func(t *testing.T) Diagnosis { return newTimed(t).run(seconds, held, sink, records) }
}

func withoutWatermarks(t *testing.T) Diagnosis {
	w := newWorld(t, "source other sink", 1)
	w.o.Vertices[1].Inputs, w.o.Vertices[2].Inputs = nil, []Input{{0, "HASH"}, {1, "HASH"}}
	for range 12 {
		at := w.o.At
		w.task("source").Time = &SourceTime{Split: "S1", Watermark: at, Furthest: at}
		w.task("sink").Inputs = []InputTime{{Watermark: at, Held: true}, {Watermark: None, Held: true, Vertex: 1}}
		w.pass(1, nil)
	}
	return w.Diagnosis()
}

// falling is a job whose event time takes six minutes for three.
func falling(t *testing.T, works map[string]work) Diagnosis {
	w := newWorld(t, "source sink", 1)
	w.o.At = 1_700_000_000_000
	begun := w.o.At
	for range 360 {
		value := begun + (w.o.At-begun)/2
		w.task("source").Time, w.task("source").Watermark = &SourceTime{Watermark: value, Furthest: value}, value
		w.task("sink").Watermark = value
		w.pass(1, works)
	}
	return w.Diagnosis()
}

// memory is a job on TaskManagers of which each uses less than the one before.
func memory(names ...string) func(*testing.T) Diagnosis {
	return func(t *testing.T) Diagnosis {
		w := newWorld(t, "source", 1)
		w.o.Memory = map[string]Memory{}
		for i, name := range names {
			w.o.Memory[name] = Memory{990 - int64(i)*20, 1000}
		}
		return w.pass(2, nil)
	}
}
