package flotttest_test

import (
	"errors"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/flotttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCollect(t *testing.T) {
	env := flott.New(flott.Parallelism(1))
	got := flotttest.Collect(t, env.From(flott.Of("b", "a", "c")))
	if want := []string{"b", "a", "c"}; !slices.Equal(got, want) {
		t.Errorf("collected %q, want %q", got, want)
	}
}

// A failing is a test that fails where this one looks on.
type failing struct {
	testing.TB
	failure []any
}

type failed struct{}

func (f *failing) Fatal(args ...any) {
	f.failure = args
	panic(failed{})
}

func TestCollectOfAJobThatFails(t *testing.T) {
	no := errors.New("no")
	env := flott.New(flott.Parallelism(1))
	s := env.From(flott.Of(1)).TryMap(func(int) (int, error) { return 0, no })
	f := &failing{TB: t}
	func() {
		defer func() {
			if _, ok := recover().(failed); !ok {
				t.Error("Collect did not fail the test")
			}
		}()
		flotttest.Collect(f, s)
	}()
	if err, ok := f.failure[0].(error); !ok || !errors.Is(err, no) {
		t.Errorf("the test failed with %v, want %v", f.failure, no)
	}
}
