package operator_test

import (
	"fmt"
	"testing"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
)

func concat(a, b event) event { return event{a.k, 10*a.n + b.n} }

func TestReduce(t *testing.T) {
	out := &tape[event]{}
	r := newKeyedRig(t, operator.Reduce(keyOf, concat), out, nil)
	in := input[event](r, 0)
	noError(t, in.Receive(at("a1", 10, "b5", 20, "a2", 30, "a3", 5)))
	noError(t, in.Watermark(30))
	noError(t, in.Receive(at("b6", "b7")))
	r.end(t, in)
	out.expect(t, "a1@10 b5@20 a12@30 a123@5 | watermark 30 | b56 b567 | watermark end")
}

func TestAggregate(t *testing.T) {
	out := &tape[string]{}
	c := operator.Aggregate(keyOf, aggregate.Mean(func(e event) int { return e.n }),
		func(k string, mean float64) string { return fmt.Sprint(k, mean) })
	r := newKeyedRig(t, c, out, nil)
	in := input[event](r, 0)
	noError(t, in.Receive(at("a1", "b5", "a2", "a3")))
	noError(t, in.Idle(true))
	out.expect(t, "a1 b5 a1.5 a2 | idle")
}

// Branches share records: a result must not overwrite what others read.
func TestReduceLeavesSharedBatches(t *testing.T) {
	b := at("a1", 1, "a2", 2)
	b.Shared, b.H = true, []uint64{7, 7}
	out := &sharedOut{}
	r := newKeyedRig(t, operator.Reduce(keyOf, concat), out, nil)
	noError(t, input[event](r, 0).Receive(b))
	if got := fmt.Sprint(b.V, b.TS); got != "[a1 a2] [1 2]" {
		t.Errorf("the shared batch is now %s", got)
	}
	if !out.shared || out.hashed {
		t.Errorf("timestamps that others read go on as shared: %v; hashed: %v", out.shared, out.hashed)
	}
}

type sharedOut struct {
	tape[event]
	shared, hashed bool
}

func (s *sharedOut) Receive(b *record.Batch[event]) error {
	s.shared, s.hashed = b.Shared, b.H != nil
	return nil
}
