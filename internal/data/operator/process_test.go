package operator_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/process"
)

var sides = process.NewTag[string]("side")

// A diarist writes down what it is told, and emits it.
type diarist struct {
	lines []string
	fail  error
}

func (d *diarist) note(format string, args ...any) error {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
	return d.fail
}

func (d *diarist) Open(context.Context) error { return d.note("open") }
func (d *diarist) Close() error               { return d.note("close") }

func (d *diarist) Process(c *process.Context[string], in event) error {
	ts, ok := c.Timestamp()
	when := "never"
	if ok {
		when = fmt.Sprint(ts.UnixMilli())
	}
	c.Emit(fmt.Sprintf("%v/%s", in, when))
	c.EmitTo(sides, in.k)
	c.EmitTo(process.NewTag[int]("unread"), in.n)
	return d.note("%v wm %d now %d", in, c.Watermark().UnixMilli(), c.Now().UnixMilli())
}

func (d *diarist) EndOfInput(c *process.Context[string]) error {
	c.Emit("bye")
	return d.note("end")
}

func TestProcess(t *testing.T) {
	d, out, side := &diarist{}, &tape[string]{}, &tape[string]{}
	r := newKeyedRig(t, operator.Process(func(rt *process.Runtime) (*diarist, error) {
		if i, n := rt.Subtask(); i != 0 || n != 1 || rt.Context() == nil || rt.Logger() == nil {
			t.Errorf("subtask %d of %d, context %v, logger %v", i, n, rt.Context(), rt.Logger())
		}
		return d, nil
	}), out, map[string]any{"side": side})
	r.clock.now = 77
	in := input[event](r, 0)
	noError(t, in.Receive(at("a1", "b2")))
	noError(t, in.Receive(at("a3", 30)))
	noError(t, in.Idle(true))
	noError(t, in.Idle(false))
	noError(t, in.Watermark(30))
	noError(t, in.Receive(at("c4", 31)))
	r.end(t, in)
	noError(t, r.Close())
	out.expect(t, "a1/never b2/never | a3/30@30 | idle | active | watermark 30 | c4/31@31 | watermark end | bye")
	side.expect(t, "a b | a@30 | idle | active | watermark 30 | c@31 | watermark end")
	(&tape[string]{lines: d.lines}).expect(t, "open | a1 wm -9223372036854775808 now 77 | b2 wm -9223372036854775808 now 77 | "+
		"a3 wm -9223372036854775808 now 77 | c4 wm 30 now 77 | end | close")
}

func TestProcessErrors(t *testing.T) {
	boom := errors.New("boom")
	t.Run("of the function", func(t *testing.T) {
		d := &diarist{}
		r := newKeyedRig(t, operator.Process(func(*process.Runtime) (*diarist, error) { return d, nil }), &tape[string]{}, nil)
		d.fail = boom
		if err := input[event](r, 0).Receive(at("a1")); !errors.Is(err, boom) {
			t.Errorf("error %v", err)
		}
		d.fail = nil
	})
	t.Run("of an output", func(t *testing.T) {
		side := &tape[string]{}
		r := newKeyedRig(t, operator.Process(func(*process.Runtime) (*diarist, error) { return &diarist{}, nil }),
			&tape[string]{}, map[string]any{"side": side})
		side.err = boom
		if err := input[event](r, 0).Receive(at("a1")); !errors.Is(err, boom) {
			t.Errorf("error %v", err)
		}
		side.err = nil
	})
	t.Run("of open", func(t *testing.T) {
		_, err := operator.Process(func(*process.Runtime) (*diarist, error) { return nil, boom }).New(keyedEnv(t, nil, nil))
		if !errors.Is(err, boom) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("of a side output that is read as something else", func(t *testing.T) {
		r := newKeyedRig(t, operator.Process(func(*process.Runtime) (*diarist, error) { return &diarist{}, nil }),
			&tape[string]{}, map[string]any{"side": &tape[int]{}})
		err := input[event](r, 0).Receive(at("a1"))
		if err == nil || !strings.Contains(err.Error(), `side output "side" is read as another type than string`) {
			t.Errorf("error %v", err)
		}
	})
}

// A function that was never opened has nothing to close.
func TestCloseWithoutOpen(t *testing.T) {
	d := &diarist{}
	o, err := operator.Process(func(*process.Runtime) (*diarist, error) { return d, nil }).New(keyedEnv(t, nil, nil))
	noError(t, err)
	noError(t, o.Close())
	noError(t, o.Open(t.Context()))
	noError(t, o.Close())
	noError(t, o.Close())
	if got := fmt.Sprint(d.lines); got != "[open close]" {
		t.Errorf("told %s", got)
	}
}
