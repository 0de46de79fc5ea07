package operator_test

import (
	"fmt"
	"log/slog"
	"math"
	"testing"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/id"
)

// keyedEnv is the surroundings of an operator that owns all key groups. Side outputs are those of sides.
func keyedEnv(tb testing.TB, out any, sides map[string]any) *operator.Env {
	const maxParallelism = 128
	env := &operator.Env{
		Parallelism:    1,
		MaxParallelism: maxParallelism,
		KeyGroups:      id.KeyGroupRange{First: 0, Last: maxParallelism - 1},
		Context:        tb.Context(),
		Logger:         slog.New(slog.DiscardHandler),
		Out:            out,
		Side:           func(tag string) any { return sides[tag] },
		Metrics:        &operator.Metrics{},
	}
	for _, s := range sides {
		env.Events = append(env.Events, s.(record.Events))
	}
	return env
}

// newKeyedRig is a rig around an operator that owns all key groups.
func newKeyedRig(tb testing.TB, c operator.Constructor, out any, sides map[string]any) *rig {
	tb.Helper()
	r := &rig{env: keyedEnv(tb, out, sides)}
	r.env.Clock = &r.clock
	var err error
	if r.Operator, err = c.New(r.env); err != nil {
		tb.Fatal(err)
	}
	noError(tb, r.Open(tb.Context()))
	tb.Cleanup(func() { noError(tb, r.Close()) })
	return r
}

// resume plays the task's part after a call: it lets a busy operator go on.
func (r *rig) resume(tb testing.TB) {
	tb.Helper()
	for y, ok := r.Operator.(operator.Yielder); ok && y.Busy(); {
		noError(tb, y.Resume())
	}
}

// end plays the end of all inputs.
func (r *rig) end(tb testing.TB, inputs ...record.Events) {
	tb.Helper()
	for i, in := range inputs {
		noError(tb, in.Watermark(math.MaxInt64))
		r.resume(tb)
		noError(tb, r.EndInput(i))
	}
	noError(tb, r.Finish())
}

// An event is a record of most tests here: a key, a number, and a timestamp.
type event struct {
	k string
	n int
}

func (e event) String() string { return fmt.Sprintf("%s%d", e.k, e.n) }

func keyOf(e event) string { return e.k }

// at is events with timestamps: at("a1", 10, "b2", 20). Without timestamps it is at("a1", "b2").
func at(words ...any) *record.Batch[event] {
	b := &record.Batch[event]{}
	for _, w := range words {
		switch w := w.(type) {
		case string:
			e := event{}
			if _, err := fmt.Sscanf(w, "%1s%d", &e.k, &e.n); err != nil {
				panic(err)
			}
			b.V = append(b.V, e)
		case int:
			b.TS = append(b.TS, int64(w))
		}
	}
	return b
}
