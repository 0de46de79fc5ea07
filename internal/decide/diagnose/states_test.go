package diagnose

import "testing"

func TestJobsThatDoNotRun(t *testing.T) {
	cause := func(texts ...string) (all []Failure) {
		for i, text := range texts {
			all = append(all, Failure{At: 90_000 - int64(i)*1000, Cause: text, Where: &Place{1, 2}})
		}
		return all
	}
	for name, test := range map[string]struct {
		state    State
		waiting  string
		failures []Failure
		want     string
	}{
		"waits for slots":            {Beginning, "group lacks 3 of 4 slots", nil, "pending waiting: The job waits: Group lacks 3 of 4 slots."},
		"is being deployed":          {Beginning, "", nil, "pending progress: The job begins: 0 of 6 tasks run so far."},
		"is being cancelled":         {Ending, "", nil, "pending progress: The job ends: "},
		"starts again":               {Restarting, "", cause("no route"), "warn restarts: The job starts again: no route."},
		"started again a moment ago": {Running, "", cause("no route"), "warn restarts: The job has started again: no route."},
		"starts again for a reason":  {Restarting, "", cause("no route", "no file", "no route"), "warn restarts: The job starts again: no route."},
		"starts again and again":     {Restarting, "", cause("no route", "no route", "no file"), "stalled restarts: The job starts again and again: It failed twice in a row for the same reason: no route."},
		"fails at another port":      {Restarting, "", cause("dial 10.0.0.1:4123: refused", "dial 10.0.0.1:4088: refused"), "stalled restarts: The job starts again and again: It failed twice in a row for the same reason: dial 10.0.0.1:4123: refused."},
		"started again and again":    {Running, "", cause("no route", "no route"), "stalled restarts: The job starts again and again: "},
		"failed":                     {HasFailed, "", cause("no file", "no route"), "stalled failed: The job failed: no file."},
		"failed, and nobody knows":   {HasFailed, "", nil, "stalled failed: The job failed: No cause is known."},
		"failed without a task":      {HasFailed, "", []Failure{{Cause: "no slots"}}, "stalled failed: The job failed: no slots."},
		"finished":                   {HasEnded, "", cause("no route"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "source sink", 3)
			w.o.At, w.o.State, w.o.Waiting, w.o.Failures = 100_000, test.state, test.waiting, test.failures
			for v := range w.o.Vertices {
				for i := range w.o.Vertices[v].Tasks {
					w.o.Vertices[v].Tasks[i].Phase = Coming
				}
			}
			if test.want == "" {
				expect(t, w.Observe(&w.o))
				expect(t, Over(&w.o))
				return
			}
			expect(t, w.Observe(&w.o), test.want)
		})
	}
}

// Of a job that has failed more often than is remembered, it is not said how often.
func TestMoreFailuresThanAreRemembered(t *testing.T) {
	for text, failures := range map[string][]Failure{
		"It failed at least twice in a row for the same reason: no route.": {{Cause: "no route"}, {Cause: "no route"}},
		"It failed twice in a row for the same reason: no route.":          {{Cause: "no route"}, {Cause: "no route"}, {Cause: "no file"}},
	} {
		w := newWorld(t, "source", 1)
		w.o.State, w.o.Failures, w.o.Earlier = Restarting, failures, true
		expect(t, w.Observe(&w.o), "stalled restarts: The job starts again and again: "+text)
	}
}

// Slots and workers take a moment, which is not worth a warning; each time that it waits anew, and whatever becomes of the clock.
func TestJobThatWaits(t *testing.T) {
	w := newWorld(t, "source", 1)
	wait := func(after int64, waiting, want string) {
		w.o.At, w.o.State, w.o.Waiting = w.o.At+after, Beginning, waiting
		expect(t, w.Observe(&w.o), want)
	}
	w.o.At = 10_000_000
	wait(0, "for slots", "pending waiting")
	wait(1999, "for slots", "pending waiting")
	wait(1, "for workers", "warn waiting: The job waits: For workers.")
	wait(1000, "", "pending progress")
	wait(1000, "for slots", "pending waiting")
	wait(-3_600_000, "for slots", "pending waiting")
	wait(2000, "for slots", "warn waiting")
}

// A failure of long ago is history.
func TestRestartIsForgotten(t *testing.T) {
	w := newWorld(t, "source", 1)
	w.o.Failures = []Failure{{At: 1, Cause: "no route"}, {At: 0, Cause: "no route"}}
	expect(t, w.pass(60, nil), "stalled restarts")
	expect(t, w.pass(1, nil))
}
