package diagnose

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestBottleneck(t *testing.T) {
	for name, test := range map[string]struct {
		does map[string]work
		want string
		path string
	}{
		"none, as nobody waits":     {map[string]work{"source": {100, 0, 9}, "window": {100, 0, 9}}, "", ""},
		"behind one that waits":     {map[string]work{"source": {10, 60, 9}, "window": {90, 0, 9}, "window 1": {80, 0, 9}}, "warn bottleneck: window is the bottleneck: Subtask 0 was 90 % busy in the last 10 s. Back-pressured by it: source 60 %.", "[0 1]"},
		"behind several that wait":  {map[string]work{"source": {10, 60, 9}, "window": {30, 55, 9}, "sink": {85, 0, 9}, "sink 1": {81, 0, 9}}, "warn bottleneck: sink is the bottleneck: Subtask 0 was 85 % busy in the last 10 s. Back-pressured by it: window 55 % and source 60 %.", "[0 1 2]"},
		"not behind those who read": {map[string]work{"source": {10, 60, 9}, "window": {90, 10, 9}, "window 1": {90, 10, 9}, "sink": {95, 0, 9}}, "warn bottleneck: window is the bottleneck: Subtask 0 was 90 % busy in the last 10 s. Back-pressured by it: source 60 %.", "[0 1]"},
		"one slow subtask":          {map[string]work{"source": {10, 60, 9}, "window": {20, 0, 9}, "window 1": {90, 0, 9}}, "warn bottleneck: window is the bottleneck: Subtask 1 was 90 % busy in the last 10 s. Back-pressured by it: source 60 %. The other subtask was only 20 % busy, with about as many records.", "[0 1]"},
		"nobody is busy":            {map[string]work{"source": {10, 60, 9}, "window": {70, 0, 9}}, "pending bottleneck: Whether there is a bottleneck is not known: source is back-pressured 60 % of the time, but none that it waits for is busy: the busiest is window, with 70 %.", "[0 1]"},
		"a little of everything":    {map[string]work{"source": {10, 40, 9}, "window": {90, 0, 9}}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "source window sink", 2)
			d := w.pass(12, test.does)
			if test.want == "" {
				expect(t, d)
				return
			}
			expect(t, d, test.want)
			if got := fmt.Sprint(d.Findings[0].Path); got != test.path {
				t.Errorf("the path is %s, want %s", got, test.path)
			}
			if known := d.Level == Warn; known != (d.Bottleneck != nil) || known && *d.Bottleneck != *d.Findings[0].Where {
				t.Errorf("%+v", d.Bottleneck)
			}
		})
	}
}

func TestFiguresOfABottleneck(t *testing.T) {
	w := newWorld(t, "source sink", 1)
	d := w.pass(12, map[string]work{"source": {10, 61, 9}, "sink": {93, 0, 9}})
	if got, want := d.Findings[0].Figures, map[string]int64{"busy": 930, "over": 10_000, "parallelism": 1, "backPressured": 610}; !maps.Equal(got, want) {
		t.Errorf("figures %v, want %v", got, want)
	}
}

// At first nothing is known, then what was seen so far counts.
func TestWindowAtFirst(t *testing.T) {
	w := newWorld(t, "source sink", 1)
	expect(t, w.pass(1, jammed), "pending bottleneck")
	expect(t, w.pass(1, jammed), "warn bottleneck: sink is the bottleneck: Subtask 0 was 100 % busy in the last 2 s.")
}

// What a job that holds up, and one that does not, do.
var (
	jammed = map[string]work{"source": {0, 100, 9}, "sink": {100, 0, 9}}
	free   = map[string]work{"source": {50, 0, 9}, "sink": {50, 0, 9}}
)

// A glimpse is enough to see a bottleneck, and ten seconds without one to see that it has gone.
func TestBottleneckBeginsAndEnds(t *testing.T) {
	w := newWorld(t, "source sink", 1)
	expect(t, w.pass(60, free))
	expect(t, w.pass(1, jammed))
	expect(t, w.pass(1, jammed), "warn bottleneck: sink is the bottleneck: Subtask 0 was 83 % busy in the last 3 s. Back-pressured by it: source 67 %.")
	expect(t, w.pass(20, jammed), "warn bottleneck: sink is the bottleneck: Subtask 0 was 100 % busy in the last 10 s.")
	expect(t, w.pass(10, free), "warn bottleneck")
	expect(t, w.pass(2, free))
	if d := w.Diagnosis(); d.Bottleneck != nil {
		t.Errorf("%+v", d)
	}
}

// So it is when others wait for another vertex than before, but not for a moment.
func TestBottleneckMoves(t *testing.T) {
	w := newWorld(t, "source window sink", 1)
	w.pass(20, map[string]work{"source": {0, 100, 9}, "window": {100, 0, 9}})
	other := map[string]work{"source": {0, 100, 9}, "window": {0, 100, 9}, "sink": {100, 0, 9}}
	expect(t, w.pass(2, other), "warn bottleneck: window")
	expect(t, w.pass(1, other), "warn bottleneck: sink is the bottleneck: Subtask 0 was 100 % busy in the last 3 s.")
	expect(t, w.pass(9, map[string]work{"source": {0, 100, 9}, "window": {100, 0, 9}}), "warn bottleneck: sink")
	expect(t, w.pass(1, map[string]work{"source": {0, 100, 9}, "window": {100, 0, 9}}), "warn bottleneck: window")
}

// A vertex that does not run any more, or a job that starts again, has no bottleneck of before.
func TestBottleneckIsOver(t *testing.T) {
	w := newWorld(t, "source sink", 1)
	w.pass(20, jammed)
	w.task("source").Phase, w.task("sink").Phase = Gone, Gone
	expect(t, w.pass(1, nil))
	w.task("source").Phase, w.task("sink").Phase = Active, Active
	expect(t, w.pass(20, jammed), "warn bottleneck")
	w.o.State = Beginning
	expect(t, w.pass(1, nil), "pending progress")
	w.o.State = Running
	for v := range w.o.Vertices {
		w.o.Vertices[v].Tasks[0] = Task{Phase: Active, Attempt: 1, Watermark: None}
	}
	expect(t, w.pass(2, nil))
}

// Whatever tasks do, in a minute there are at most a dozen changes to who holds up the job.
func TestBottleneckDoesNotFlicker(t *testing.T) {
	const most, minutes = 12, 5
	changes, jobs := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, "source window sink", 1)
		longest := rapid.IntRange(1, 15).Draw(rt, "longest spell")
		var at []int64 // when something changed
		var before *Place
		for w.o.At < minutes*60_000 {
			does := anyWork(rt)
			for range rapid.IntRange(1, longest).Draw(rt, "seconds") {
				now := w.pass(1, does).Bottleneck
				if (before == nil) != (now == nil) || now != nil && now.Vertex != before.Vertex {
					at = append(at, w.o.At)
				}
				before = now
			}
		}
		for i := most; i < len(at); i++ {
			if at[i]-at[i-most] < 60_000 {
				rt.Fatalf("changes at %v", at)
			}
		}
		changes, jobs = changes+len(at), jobs+1
	})
	t.Logf("%.1f changes a minute", float64(changes)/float64(jobs*minutes))
}

// anyWork is what the tasks of "source window sink" may do, often something around the thresholds.
func anyWork(t *rapid.T) map[string]work {
	share := func(name string) int {
		return rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(40, 60), rapid.IntRange(70, 90)).Draw(t, name)
	}
	window := work{busy: share("busy"), records: 9}
	window.pressed = min(100-window.busy, share("waits"))
	return map[string]work{"source": {0, share("source waits"), 9}, "window": window, "sink": {share("sink busy"), 0, 9}}
}

// Around a threshold the answer does not flicker, and neither does the subtask.
func TestBottleneckStays(t *testing.T) {
	w := newWorld(t, "source sink", 2)
	w.pass(12, map[string]work{"source": {0, 100, 9}, "sink": {90, 0, 9}, "sink 1": {89, 0, 9}})
	first := w.Diagnosis()
	for i := range 60 {
		d := w.pass(1, map[string]work{"source": {0, 45 + i%10, 9}, "sink": {73 + i%5, 0, 9}, "sink 1": {75 + i%5, 0, 9}})
		if d.Bottleneck == nil || *d.Bottleneck != *first.Bottleneck || d.Findings[0].Since != first.Findings[0].Since || d.Since != first.Since {
			t.Fatalf("after %d s: %+v", i, d)
		}
	}
	expect(t, w.pass(12, map[string]work{"source": {0, 30, 9}, "sink": {60, 0, 9}}))
}

// So it is with one that has others behind it and waits for these now and then.
func TestBottleneckInTheMiddleStays(t *testing.T) {
	w := newWorld(t, "source window sink", 1)
	w.pass(12, map[string]work{"source": {0, 100, 9}, "window": {60, 40, 9}, "sink": {85, 0, 9}})
	expect(t, w.Diagnosis(), "pending")
	w.pass(12, map[string]work{"source": {0, 100, 9}, "window": {90, 10, 9}, "sink": {85, 0, 9}})
	for i := range 30 {
		d := w.pass(1, map[string]work{"source": {0, 100, 9}, "window": {73 - i%5, 27 + i%5, 9}, "sink": {85, 0, 9}})
		if d.Bottleneck == nil || d.Bottleneck.Vertex != 1 {
			t.Fatalf("after %d s: %s", i, say(d))
		}
	}
}

// A source that is over leaves a job without one that waits, though others still do.
func TestBottleneckBehindASourceThatIsOver(t *testing.T) {
	w := newWorld(t, "source window sink", 1)
	w.task("source").Phase = Gone
	d := w.pass(12, map[string]work{"window": {0, 80, 9}, "sink": {100, 0, 9}})
	expect(t, d, "warn bottleneck: sink is the bottleneck: Subtask 0 was 100 % busy in the last 10 s. Back-pressured by it: window 80 %.")
	if fmt.Sprint(d.Findings[0].Path) != "[1 2]" {
		t.Errorf("path %v", d.Findings[0].Path)
	}
}

func TestSkew(t *testing.T) {
	for name, test := range map[string]struct {
		partitioner string
		keys        KeyShare
		records     [3]int64
		want        string
		group       int64
	}{
		"even":                 {"HASH", KeyShare{7, 900}, [3]int64{100, 100, 100}, "warn bottleneck: sink is the bottleneck", 0},
		"nearly":               {"HASH", KeyShare{7, 900}, [3]int64{100, 140, 50}, "warn bottleneck: sink is the bottleneck", 0},
		"one key":              {"HASH", KeyShare{7, 900}, [3]int64{100, 400, 100}, "warn skew: sink is the bottleneck, as its records are dealt out unevenly: Subtask 1 was 100 % busy in the last 10 s, with 67 % of all records, 2.0 times its share. Back-pressured by it: source 80 %. At least 90 % of its records are of key group 7.", 7},
		"many keys":            {"HASH", KeyShare{7, 100}, [3]int64{100, 400, 100}, "warn skew: sink is the bottleneck, as its records are dealt out unevenly: Subtask 1 was 100 % busy in the last 10 s, with 67 % of all records, 2.0 times its share. Back-pressured by it: source 80 %.", 0},
		"not dealt out by key": {"CUSTOM", KeyShare{}, [3]int64{0, 400, 0}, "warn skew: sink is the bottleneck, as its records are dealt out unevenly: Subtask 1 was 100 % busy in the last 10 s, with 100 % of all records, 3.0 times its share.", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "source sink", 3)
			w.o.Vertices[1].Inputs[0].Partitioner = test.partitioner
			w.task("sink 1").Keys = test.keys
			d := w.pass(12, map[string]work{
				"source": {0, 80, 9}, "sink": {60, 0, test.records[0]}, "sink 1": {100, 0, test.records[1]}, "sink 2": {60, 0, test.records[2]},
			})
			expect(t, d, test.want)
			if got := d.Findings[0].Figures["keyGroup"]; got != test.group {
				t.Errorf("key group %d", got)
			}
		})
	}
}

// Whether records are dealt out unevenly is not said anew each time that figures are a little otherwise.
func TestSkewDoesNotFlicker(t *testing.T) {
	const most, minutes = 6, 5
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, "source sink", 2)
		busy, records := rapid.IntRange(82, 100), rapid.Int64Range(100, 300)
		var at []int64
		before := Kind("")
		for w.o.At < minutes*60_000 {
			d := w.pass(1, map[string]work{
				"source": {0, 90, 9}, "sink": {busy.Draw(rt, "busy"), 0, 60}, "sink 1": {busy.Draw(rt, "busy"), 0, records.Draw(rt, "records")},
			})
			if now := d.Findings[0].Kind; now != before {
				at, before = append(at, w.o.At), now
			}
		}
		for i := most; i < len(at); i++ {
			if at[i]-at[i-most] < 60_000 {
				rt.Fatalf("changes at %v", at)
			}
		}
	})
}

// Any job with any loads: the bottleneck is busy and not back-pressured, and all on the way to it from a source are.
func TestBottleneckOfAnyJob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, loads := anyJob(t)
		d := NewJob(Options{}).Observe(o)
		if err := consistent(o, d); err != nil {
			t.Fatal(err)
		}
		waits := func(v int) bool { return loads[v].pressed >= 50 }
		anySource := false
		for v := range o.Vertices {
			anySource = anySource || len(o.Vertices[v].Inputs) == 0 && waits(v)
		}
		if d.Bottleneck == nil {
			return
		}
		if at := d.Bottleneck.Vertex; !anySource || waits(at) || loads[at].busy < 80 {
			t.Fatalf("%+v is the bottleneck; loads %v", d.Bottleneck, loads)
		}
		path := d.Findings[0].Path
		for i, v := range path[:len(path)-1] {
			if !waits(v) || !reads(o, path[i+1], v) || i == 0 && len(o.Vertices[v].Inputs) > 0 {
				t.Fatalf("%d on the path %v; loads %v", v, path, loads)
			}
		}
	})
}

// Whatever a job does from one look to the next, what is said of it holds together.
func TestAnyJob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, _ := anyJob(t)
		j := NewJob(Options{})
		before := j.Diagnosis()
		for range rapid.IntRange(1, 8).Draw(t, "looks") {
			o.At += rapid.Int64Range(0, 40_000).Draw(t, "later")
			o.State, o.Failures = State(rapid.IntRange(0, int(HasEnded)).Draw(t, "state")), nil
			for range rapid.IntRange(0, 3).Draw(t, "failures") {
				o.Failures = append(o.Failures, Failure{At: o.At, Cause: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "cause")})
			}
			for v := range o.Vertices {
				task := &o.Vertices[v].Tasks[0]
				task.Phase, task.Attempt = Phase(rapid.IntRange(0, int(Gone)).Draw(t, "phase")), rapid.IntRange(0, 1).Draw(t, "attempt")
				task.At = rapid.Int64Range(0, o.At).Draw(t, "measured")
				task.Busy = time.Duration(rapid.Int64Range(0, 60_000).Draw(t, "busy")) * time.Millisecond
				task.BackPressured = time.Duration(rapid.Int64Range(0, 60_000).Draw(t, "pressed")) * time.Millisecond
				task.Records, task.Watermark = rapid.Int64Range(0, 3).Draw(t, "records"), rapid.Int64Range(0, 3).Draw(t, "watermark")
			}
			after := j.Observe(o)
			if err := consistent(o, after); err != nil {
				t.Fatal(err)
			}
			begun, ended := Changes(before, after)
			if len(before.Findings)-len(ended)+len(begun) != len(after.Findings) {
				t.Fatalf("from\n%s\nto\n%s\nbegun are %d, ended %d", say(before), say(after), len(begun), len(ended))
			}
			before = after
		}
	})
}

func reads(o *Observation, v, from int) bool {
	for _, in := range o.Vertices[v].Inputs {
		if in.Producer == from {
			return true
		}
	}
	return false
}

// anyJob has vertices with one task each, of which each reads from any before it.
func anyJob(t *rapid.T) (*Observation, []work) {
	o := &Observation{At: 10_000, State: Running}
	var loads []work
	for v := range rapid.IntRange(1, 8).Draw(t, "vertices") {
		at := Vertex{Name: fmt.Sprint("v", v), MaxParallelism: 128}
		if v > 0 {
			for p := range rapid.SliceOfNDistinct(rapid.IntRange(0, v-1), 0, 3, rapid.ID[int]).Draw(t, "inputs") {
				at.Inputs = append(at.Inputs, Input{p, "HASH"})
			}
		}
		l := work{busy: rapid.IntRange(0, 100).Draw(t, "busy")}
		l.pressed = rapid.IntRange(0, 100-l.busy).Draw(t, "pressed")
		part := func(n int) time.Duration { return time.Duration(n) * 100 * time.Millisecond }
		at.Tasks = []Task{{Phase: Active, At: o.At, Watermark: None, Busy: part(l.busy), BackPressured: part(l.pressed), Idle: part(100 - l.busy - l.pressed)}}
		o.Vertices = append(o.Vertices, at)
		loads = append(loads, l)
	}
	return o, loads
}

// consistent says what is wrong with a diagnosis, whatever it is about.
func consistent(o *Observation, d Diagnosis) error {
	for i, f := range d.Findings {
		switch {
		case f.Head == "" || f.Detail == "" || f.Level == OK:
			return fmt.Errorf("it says nothing: %+v", f)
		case i == 0 && f.Level != d.Level || f.Level > d.Level:
			return fmt.Errorf("level %s of %+v", d.Level, f)
		case f.Where != nil && (f.Where.Vertex >= len(o.Vertices) || f.Where.Subtask >= len(o.Vertices[f.Where.Vertex].Tasks)):
			return fmt.Errorf("there is no %+v", f.Where)
		}
		for k := 1; k < len(f.Path); k++ {
			if !reads(o, f.Path[k], f.Path[k-1]) {
				return fmt.Errorf("%v is no path", f.Path)
			}
		}
	}
	if len(d.Findings) == 0 && d.Level != OK {
		return fmt.Errorf("level %s for nothing", d.Level)
	}
	return nil
}
