package diagnose_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/decide/diagnose"
)

// A step is one task at one second.
type step struct {
	second    int64
	records   int64
	watermark int64
	busy      int64 // seconds so far; the rest is idle
	pressured int64
}

const noWatermark = math.MinInt64

func observe(j *diagnose.Job, s step) diagnose.Verdict {
	return j.Observe(diagnose.Observation{At: s.second * 1000, Running: true, Tasks: []diagnose.Task{{
		Name: "count (1/1)", Records: s.records, Watermark: s.watermark,
		Busy:          time.Duration(s.busy) * time.Second,
		BackPressured: time.Duration(s.pressured) * time.Second,
		Idle:          time.Duration(s.second-s.busy-s.pressured) * time.Second,
	}}})
}

func TestVerdicts(t *testing.T) {
	for name, test := range map[string]struct {
		steps []step
		want  diagnose.Level
		words string
	}{
		"works":                {[]step{{1, 10, noWatermark, 1, 0}, {70, 900, noWatermark, 70, 0}, {140, 2000, noWatermark, 140, 0}}, diagnose.OK, ""},
		"has nothing to do":    {[]step{{1, 10, noWatermark, 1, 0}, {200, 10, noWatermark, 2, 0}}, diagnose.OK, ""},
		"hangs":                {[]step{{1, 10, noWatermark, 1, 0}, {70, 10, noWatermark, 70, 0}}, diagnose.Stalled, "count (1/1) has been busy for 1m9s"},
		"hangs for a moment":   {[]step{{1, 10, noWatermark, 1, 0}, {50, 10, noWatermark, 50, 0}}, diagnose.OK, ""},
		"is not read":          {[]step{{1, 10, noWatermark, 1, 0}, {70, 10, noWatermark, 1, 69}}, diagnose.Stalled, "back-pressured"},
		"gets on again":        {[]step{{1, 10, noWatermark, 1, 0}, {70, 10, noWatermark, 70, 0}, {71, 11, noWatermark, 71, 0}}, diagnose.OK, ""},
		"time stands":          {[]step{{1, 10, 5, 1, 0}, {2, 20, 6, 1, 0}, {3, 30, 7, 1, 0}, {40, 100, 7, 1, 0}, {70, 200, 7, 1, 0}}, diagnose.Stalled, "watermark has not moved for 1m7s"},
		"time is slow":         {[]step{{1, 10, 5, 1, 0}, {2, 15, 6, 1, 0}, {42, 20, 7, 1, 0}, {110, 200, 7, 1, 0}}, diagnose.OK, ""},
		"no time at all":       {[]step{{1, 10, noWatermark, 1, 0}, {400, 200, noWatermark, 1, 0}}, diagnose.OK, ""},
		"time is at its end":   {[]step{{1, 10, 5, 1, 0}, {2, 10, math.MaxInt64, 1, 0}, {400, 200, math.MaxInt64, 1, 0}}, diagnose.OK, ""},
		"time waits for input": {[]step{{1, 10, 5, 1, 0}, {2, 10, 6, 1, 0}, {400, 10, 6, 1, 0}}, diagnose.OK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			j := diagnose.NewJob()
			var got diagnose.Verdict
			for _, s := range test.steps {
				got = observe(j, s)
			}
			if got.Level != test.want || !strings.Contains(got.Reason, test.words) {
				t.Errorf("verdict %+v, want level %d with %q", got, test.want, test.words)
			}
		})
	}
}

func TestBusyTaskIsToBlame(t *testing.T) {
	at := func(second int64, records int64) diagnose.Observation {
		d := time.Duration(second) * time.Second
		return diagnose.Observation{At: second * 1000, Running: true, Tasks: []diagnose.Task{
			{Vertex: 0, Name: "source (1/1)", Records: records, BackPressured: d},
			{Vertex: 1, Name: "slow (1/1)", Records: records, Busy: d},
			{Vertex: 2, Name: "sink (1/1)", Records: records, Idle: d},
		}}
	}
	j := diagnose.NewJob()
	j.Observe(at(1, 100))
	if v := j.Observe(at(90, 100)); v.Level != diagnose.Stalled || !strings.HasPrefix(v.Reason, "slow (1/1)") {
		t.Errorf("verdict %+v", v)
	}
}

func TestJobsThatDoNotRun(t *testing.T) {
	for name, test := range map[string]struct {
		o    diagnose.Observation
		want diagnose.Level
	}{
		"waits for slots":          {diagnose.Observation{Waiting: "group default lacks 3 slots"}, diagnose.Warn},
		"is being deployed":        {diagnose.Observation{}, diagnose.Pending},
		"restarts":                 {diagnose.Observation{Causes: []string{"no route"}}, diagnose.Pending},
		"restarts for two reasons": {diagnose.Observation{Causes: []string{"no route", "no file", "no route"}}, diagnose.Pending},
		"restarts for one reason":  {diagnose.Observation{Causes: []string{"no route", "no route", "no file"}}, diagnose.Stalled},
	} {
		if got := diagnose.NewJob().Observe(test.o); got.Level != test.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
