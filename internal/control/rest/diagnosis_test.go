package rest

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/diagnose"
	"github.com/flott-dev/flott/internal/id"
)

// jammed shows a job as it is some seconds later, in which the sources waited for one who counts.
func (b *bench) jammed(j *view.Job, d time.Duration) *view.Job {
	return b.cluster.replace(j, func(next *view.Job) {
		for v := range next.Vertices {
			a := next.Vertices[v].Subtasks[0].Current()
			m := *a.Metrics
			m.At += d.Milliseconds()
			switch v {
			case 0, 1:
				m.BackPressured += d
			case 2:
				m.Busy += d
			default:
				m.Idle += d
			}
			m.Operators = append([]view.OperatorCounters{}, m.Operators...)
			m.Operators[0].RecordsIn++
			m.Inputs = nil
			if v == 0 {
				m.Time = &view.EventTime{Split: "S1", Watermark: 22_730, Furthest: 30_000, Silent: 400}
			} else if v == 2 {
				m.Inputs = []view.InputTime{{Watermark: 22_730, Held: true}}
			}
			a.Metrics = &m
		}
	})
}

func TestDiagnosis(t *testing.T) {
	b := newBench(t, nil, Options{})
	j, at := b.cluster.list[0], now()
	b.rest.health.observe(j, nil, at)
	b.rest.health.observe(b.jammed(j, 12*time.Second), nil, at+12_000)
	_, text := b.ask("GET", "/jobs/"+running+"/flott/diagnosis", "")
	text = strings.ReplaceAll(text, idOf(j, 0), "SOURCE")
	text = strings.ReplaceAll(text, idOf(j, 2), "COUNT")
	var got diagnosisBody
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Findings) != 1 || got.Level != "warn" || *got.Bottleneck != (placeBody{"COUNT", 0}) {
		t.Fatal(text)
	}
	f := got.Findings[0]
	if f.Kind != diagnose.Bottleneck || f.Vertex != "COUNT" || *f.Subtask != 0 || strings.Join(f.Path, " ") != "SOURCE COUNT" || f.Figures["busy"] != 1000 {
		t.Errorf("%+v", f)
	}
	if w := got.Watermark; *w.Value != 22_730 || *w.Behind != 7270 || *w.HeldBy != (holderBody{placeBody{"SOURCE", 0}, "S1"}) || strings.Join(w.Path, " ") != "SOURCE COUNT" {
		t.Errorf("%+v", w)
	}
}

func TestWhoHoldsEachSubtask(t *testing.T) {
	b := newBench(t, nil, Options{})
	j := b.jammed(b.cluster.list[0], time.Second)
	_, text := b.ask("GET", "/jobs/"+running+"/vertices/"+idOf(j, 2)+"/flott/watermarks", "")
	want := `{"subtasks":[{"subtask":0,"value":22730,"heldBy":{"vertex":"` + idOf(j, 0) + `","subtask":0,"split":"S1"},"path":["` + idOf(j, 0) + `","` + idOf(j, 2) + `"]}]}`
	if text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func idOf(j *view.Job, v int) string { return j.Graph.Vertices[v].ID.String() }

func TestDiagnosisOfJobsThatAreOver(t *testing.T) {
	b := newBench(t, nil, Options{})
	var got diagnosisBody
	b.into("/jobs/"+finished+"/flott/diagnosis", &got)
	if got.Level != "ok" || len(got.Findings) != 0 || got.Bottleneck != nil || got.Watermark.Value != nil {
		t.Errorf("finished: %+v", got)
	}
	b.into("/jobs/7205f11913e8c2c45bd324fdfc71cc3e/flott/diagnosis", &got)
	if got.Level != "stalled" || len(got.Findings) != 1 || got.Findings[0].Detail != "restarts are used up." || got.Since != b.cluster.list[2].End() {
		t.Errorf("failed: %+v", got)
	}
	if a, _ := b.ask("GET", "/jobs/"+nobody+"/flott/diagnosis", ""); a.StatusCode != 404 {
		t.Errorf("unknown: %s", a.Status)
	}
}

// The log says once what has begun, and once what has ended, however many look; what is only not known it does not say.
func TestLogSaysWhatBeginsAndEnds(t *testing.T) {
	b := newBench(t, nil, Options{})
	var log bytes.Buffer
	h := newHealth(slog.New(slog.NewTextHandler(&log, nil)), diagnose.Options{})
	j, at := b.cluster.list[0], now()
	created := *j
	created.State = view.Created
	h.observe(&created, nil, at-5_000)
	h.observe(j, nil, at)
	for range 3 {
		j = b.jammed(j, 12*time.Second)
		at += 12_000
		h.observe(j, nil, at)
		h.observe(j, nil, at+500) // which is too soon to be looked at
	}
	h.observe(b.later(j, 20*time.Second, nil), nil, at+20_000)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `level=WARN msg="running count`) || !strings.Contains(lines[0], `is the bottleneck" job="Stateful keyed job" job_id=`+running) ||
		!strings.Contains(lines[1], `level=INFO msg="no longer: running count`) {
		t.Errorf("%s", log.String())
	}
}

// A job is short of memory where its own slots are, and not elsewhere.
func TestDiagnosisOfMemory(t *testing.T) {
	b := newBench(t, nil, Options{})
	tm := b.cluster.managers[0]
	tm.Memory = tm.Slots[0].Worker.Resident * 10 / 9
	full := &view.TaskManager{ID: "tm-2", Memory: 1, Slots: []view.Slot{{Job: id.Job{1}, Worker: view.Figures{Pid: 1, Resident: 1}}}}
	b.cluster.managers = append(b.cluster.managers, full)
	if _, err := b.rest.look(t.Context(), tm.Slots[0].Job); err != nil {
		t.Fatal(err)
	}
	var is diagnosisBody
	b.into("/jobs/"+running+"/flott/diagnosis", &is)
	if is.Level != "warn" || !strings.HasPrefix(is.Findings[0].Detail, "Workers use nearly all the memory that they may: 90 % on tm-1. ") {
		t.Errorf("%+v", is)
	}
}

func TestClockIsSetBack(t *testing.T) {
	b := newBench(t, nil, Options{})
	j, at := b.cluster.list[0], now()
	b.rest.health.observe(j, nil, at)
	b.rest.history.note(j, at)
	earlier := at - 3_600_000
	if !b.rest.health.due(j.ID, earlier) || b.rest.health.due(j.ID, at-100) {
		t.Error("a job is to be looked at again when the clock was set back, and not when somebody else was a moment faster")
	}
	b.rest.history.note(j, earlier)
	if all := b.rest.history.of(j.ID); len(all) != 1 || all[0].at != earlier {
		t.Errorf("%d snapshots, the first of %d", len(all), all[0].at-at)
	}
}

// BenchmarkObservation is what a look at a job of a thousand subtasks costs its decider.
func BenchmarkObservation(b *testing.B) {
	bench := newBench(b, nil, Options{})
	j, at := thousand(bench), int64(0)
	b.ReportAllocs()
	for b.Loop() {
		at += 1000
		for v := range j.Vertices {
			for s := range j.Vertices[v].Subtasks {
				j.Vertices[v].Subtasks[s].Current().Metrics.At = at
			}
		}
		bench.rest.health.observe(j, nil, at)
	}
}
