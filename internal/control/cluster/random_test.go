package cluster

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/decide/schedule"
	"github.com/flott-dev/flott/internal/fault"
)

// A fate is what happens to a job at one of its records.
type fate string

const (
	lives  fate = "lives"
	fails  fate = "fails"
	panics fate = "panics"
	exits  fate = "exits"
	cancel fate = "cancel"
)

// TestEveryJobEnds runs jobs of random shapes, at one of whose records something happens.
func TestEveryJobEnds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		what := rapid.SampledFrom([]fate{lives, fails, panics, exits, cancel}).Draw(r, "fate")
		records := rapid.Int64Range(1, 3000).Draw(r, "records")
		at := rapid.Int64Range(1, records).Draw(r, "at")
		where := rapid.IntRange(0, 2).Draw(r, "where")
		parallelism := rapid.IntRange(1, 4)

		f := newFlow().from(sequence.Of(1, records), parallelism.Draw(r, "p"))
		for i := range 3 {
			f.then(fmt.Sprint("map ", i), parallelism.Draw(r, "p"), operator.TryMap(func(v int64) (int64, error) {
				if i == where && v == at {
					return v, meet(what, stop)
				}
				return v, nil
			}))
		}
		result, err := f.to(parallelism.Draw(r, "p"), func(int64) error { return nil }).run(ctx, t)
		judge(r, what, result, err)
	})
}

// meet lets a fate happen.
func meet(f fate, stop func()) error {
	switch f {
	case fails:
		return errUser
	case panics:
		panic(errUser)
	case exits:
		runtime.Goexit()
	case cancel:
		stop()
	}
	return nil
}

func judge(r *rapid.T, f fate, result *Result, err error) {
	wanted := map[fate]struct {
		state schedule.State
		err   error
	}{
		lives:  {schedule.Finished, nil},
		fails:  {schedule.Failed, errUser},
		panics: {schedule.Failed, errUser},
		exits:  {schedule.Failed, fault.ErrExit},
		cancel: {schedule.Canceled, context.Canceled},
	}[f]
	if f == cancel && result.State == schedule.Finished && err == nil {
		return // the word came too late
	}
	if result.State != wanted.state || !errors.Is(err, wanted.err) {
		r.Fatalf("%s: the job is %s, with the error %v", f, result.State, err)
	}
}
