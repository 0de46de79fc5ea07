package diagnose

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// A clock is where event time is in the two sources of a job, what holds it, and where the sink is.
type clock struct {
	held, free SourceTime // of source 0, which holds the others, and of source 1
	sink       int64
}

// newTimed is a job whose two sources have event time, as a test says.
func newTimed(t *testing.T) *world { return newWorld(t, "source window sink", 2) }

// at sets event time.
func (w *world) at(c clock) {
	for i := range 2 {
		of := []SourceTime{c.held, c.free}[i]
		w.task(fmt.Sprint("source ", i)).Time = &of
		for _, name := range []string{"window", "sink"} {
			t := w.task(fmt.Sprint(name, " ", i))
			t.Watermark = c.sink
			t.Inputs = []InputTime{{Watermark: c.sink, Held: true}}
			if name == "sink" {
				t.Inputs[0].Vertex = 1
			}
		}
	}
}

// run lets event time go on for some seconds in source 1, while source 0 and with it the sink stay where they are.
func (w *world) run(seconds int, held SourceTime, sink int64, records int64) Diagnosis {
	for range seconds {
		at := w.o.At + 1000
		if held.Silent > 0 {
			held.Silent += 1000
		}
		w.at(clock{held, SourceTime{Watermark: at, Furthest: at}, sink})
		w.pass(1, map[string]work{"source 1": {10, 0, 5}, "window": {10, 0, records}, "window 1": {10, 0, records}})
	}
	return w.Diagnosis()
}

func TestEventTimeIsHeld(t *testing.T) {
	const idle = "If it may be silent, say so: give the watermarks of this stream an Idle, as in watermark.Monotonic(f).Idle(time.Minute)."
	for name, test := range map[string]struct {
		held   SourceTime
		sink   int64
		want   string
		advice string
	}{
		"by a silent split": {
			SourceTime{Split: "S3", Watermark: 5000, Furthest: 5000, Silent: 1},
			5000,
			"Split S3, read by subtask 0, has had no record for 11 s, and is not marked as idle. Event time is 6 s behind where it is furthest. It is held back for window and sink.", idle,
		},
		"by a subtask without splits": {
			SourceTime{Watermark: None, Furthest: None, Silent: 1},
			None,
			"Subtask 0 has had no record for 11 s, and is not marked as idle. It is held back for window and sink.", idle,
		},
		"by one that waits to be idle": {
			SourceTime{Split: "S3", Watermark: 5000, Furthest: 5000, Silent: 1, IdleAfter: 300_000},
			5000,
			"Split S3, read by subtask 0, has had no record for 11 s, and is idle only after 5 min. Event time", "Choose a shorter time for Idle in the watermarks of this stream.",
		},
		"by one that has no split": {
			SourceTime{NoSplit: true, Watermark: None, Furthest: None}, None, "Subtask 0 has no split yet. It is held back for", idle,
		},
		"by old records": {
			SourceTime{Split: "S3", Watermark: 5000, Furthest: 5000}, 5000, "Split S3, read by subtask 0, has records, but none is newer. Event time is 6 s", "Look at the timestamps of its records.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTimed(t)
			d := w.run(12, test.held, test.sink, 5)
			expect(t, d, "warn watermark: source holds event time back: "+test.want)
			f := d.Findings[0]
			if f.Advice != test.advice || fmt.Sprint(f.Path) != "[0 1 2]" || *f.Where != (Place{0, 0}) {
				t.Errorf("%+v", f)
			}
			if d.EventTime.Value != test.sink || *d.EventTime.HeldBy != (Holder{Place{0, 0}, test.held.Split}) {
				t.Errorf("%+v", d.EventTime)
			}
		})
	}
}

// Event time that goes on, that stands everywhere, or that is on its way needs no word; who holds it is there to be seen all the same.
func TestEventTimeThatIsAllRight(t *testing.T) {
	w := newTimed(t)
	w.pass(2, nil)
	for range 28 {
		at := w.o.At
		expect(t, w.run(1, SourceTime{Split: "S3", Watermark: at, Furthest: at}, at, 5))
	}
	if e := w.Diagnosis().EventTime; e.Value != 29_000 || e.Behind != 1000 || e.HeldBy.Split != "S3" || fmt.Sprint(e.Path) != "[0 1 2]" {
		t.Errorf("%+v", e)
	}
	stands := SourceTime{Split: "S3", Watermark: 5000, Furthest: 5000, Silent: 40_000}
	w = newTimed(t)
	w.at(clock{stands, stands, 5000})
	expect(t, w.pass(40, nil))
	w = newTimed(t)
	expect(t, w.run(40, SourceTime{Split: "S3", Watermark: 9_000_000, Furthest: 9_000_000}, 5000, 0))
	w = newWorld(t, "source sink", 1)
	if e := w.pass(1, nil).EventTime; e.Value != None || e.Behind != Unknown || e.HeldBy != nil {
		t.Errorf("a job without event time: %+v", e)
	}
}

// Each task has its own holder.
func TestHeldAt(t *testing.T) {
	w := newTimed(t)
	w.run(1, SourceTime{Split: "S3", Watermark: 500, Furthest: 700}, 400, 5)
	for at, want := range map[Place]string{
		{2, 0}: "400 {{0 0} S3} [0 1 2]", {1, 1}: "400 {{0 0} S3} [0 1]", {0, 0}: "500 {{0 0} S3} [0]", {0, 1}: "1000 {{0 1} } [0]",
	} {
		if h := HeldAt(&w.o, at); fmt.Sprint(h.Value, *h.HeldBy, h.Path) != fmt.Sprint(want) {
			t.Errorf("%v: %+v %+v, want %s", at, h, h.HeldBy, want)
		}
	}
}

// Event time that is at its end is behind nobody.
func TestEventTimeAtItsEnd(t *testing.T) {
	w := newTimed(t)
	for range 20 {
		w.at(clock{SourceTime{Free: true, Watermark: End, Furthest: End}, SourceTime{Watermark: 5, Furthest: 5}, End})
		w.pass(1, nil)
	}
	expect(t, w.Diagnosis())
	if e := w.Diagnosis().EventTime; e.Value != End || e.Behind != Unknown || e.HeldBy != nil {
		t.Errorf("%+v", e)
	}
}

// Nobody is said to hold the time of a job that has none, or of tasks that have said nothing yet.
func TestNobodyIsKnownToHold(t *testing.T) {
	w := newWorld(t, "source sink", 1)
	w.pass(1, nil)
	if h := HeldAt(&w.o, Place{1, 0}); h.HeldBy != nil || h.Value != None {
		t.Errorf("without event time: %+v", h)
	}
	w.task("source").Time = &SourceTime{Split: "S3", Watermark: 5}
	if h := HeldAt(&w.o, Place{1, 0}); h.HeldBy != nil || h.Value != None {
		t.Errorf("without a word of the sink: %+v", h)
	}
}

// A stream without watermarks holds one that has some.
func TestSourceWithoutWatermarks(t *testing.T) {
	expect(t, withoutWatermarks(t), "warn watermark: other holds event time back: Subtask 0 sends no watermarks. It is held back for sink.")
}

// Records go through the window, but its time does not move: that is no progress.
func TestEventTimeStands(t *testing.T) {
	for name, test := range map[string]struct {
		gaps    []int // seconds between two watermarks of before
		seconds int
		records int64
		want    bool
	}{
		"for long":            {[]int{1, 1, 1}, 62, 5, true},
		"not for long":        {[]int{1, 1, 1}, 60, 5, false},
		"as it does":          {[]int{1, 40, 1}, 110, 5, false},
		"longer than it does": {[]int{1, 40, 1}, 122, 5, true},
		"without records":     {[]int{1, 1, 1}, 200, 0, false},
		"from the beginning":  {nil, 200, 5, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTimed(t)
			held := SourceTime{Split: "S3", Watermark: None, Furthest: None}
			w.run(1, held, None, 5)
			for _, gap := range test.gaps {
				held.Watermark = w.o.At + 1000
				w.run(gap, held, held.Watermark, 5)
			}
			held.Silent = 1
			d := w.run(test.seconds, held, held.Watermark, test.records)
			if got := d.Level == Stalled; got != test.want {
				t.Fatalf("%s", say(d))
			}
			if test.want {
				expect(t, d, "stalled watermark: Event time stands in window: Subtask 0 reads records, but its watermark has not moved for")
			}
		})
	}
}

// A split that has records, though none that is newer, is not called silent.
func TestEventTimeStandsForOldRecords(t *testing.T) {
	w := newTimed(t)
	w.run(3, SourceTime{Split: "S3", Watermark: None, Furthest: None}, None, 5)
	expect(t, w.run(62, SourceTime{Split: "S3", Watermark: 5000, Furthest: 5000}, 5000, 5),
		"stalled watermark: Event time stands in window: Subtask 0 reads records, but its watermark has not moved for 1 min 1 s. "+
			"source holds it: Split S3, read by subtask 0, has records, but none is newer.")
}

// That the watermark came to where it is before anybody looked makes no difference.
func TestEventTimeStandsSinceBefore(t *testing.T) {
	w := newTimed(t)
	held := SourceTime{Split: "S3", Watermark: 5000, Furthest: 5000, Silent: 1}
	expect(t, w.run(61, held, 5000, 5), "warn watermark")
	expect(t, w.run(1, held, 5000, 5), "stalled watermark")
}

// What a job says of who holds whom may be nonsense: no way leads out of it or around.
func TestTraceEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, _ := anyJob(t)
		for v := range o.Vertices {
			task := &o.Vertices[v].Tasks[0]
			for range rapid.IntRange(0, 2).Draw(t, "inputs") {
				n := rapid.IntRange(-1, len(o.Vertices))
				task.Inputs = append(task.Inputs, InputTime{
					Watermark: rapid.Int64Range(0, 9).Draw(t, "watermark"), Held: rapid.Bool().Draw(t, "held"), Vertex: n.Draw(t, "vertex"), Subtask: n.Draw(t, "subtask"),
				})
			}
			if rapid.Bool().Draw(t, "makes watermarks") {
				task.Time = &SourceTime{Free: rapid.Bool().Draw(t, "free"), Watermark: rapid.Int64Range(0, 9).Draw(t, "made")}
			}
		}
		j := NewJob(Options{Quiet: 1})
		for range 3 {
			j.Observe(o)
			o.At += 10_000
		}
		d := j.Diagnosis()
		for i := 1; i < len(d.EventTime.Path); i++ {
			if d.EventTime.Path[i-1] >= d.EventTime.Path[i] {
				t.Fatalf("path %v", d.EventTime.Path)
			}
		}
		if by := d.EventTime.HeldBy; by != nil && by.Vertex != d.EventTime.Path[0] {
			t.Fatalf("%+v", d.EventTime)
		}
	})
}
