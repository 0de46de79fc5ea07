package operator

import (
	"context"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
)

// Through is the base of operators that pass events on as they come, and have nothing to open, finish or close. What remains to
// be written is Receive and Input.
type Through[O any] struct {
	Out    record.Input[O]
	halted *halt.Flag
}

// NewThrough is the base before the main output.
func NewThrough[O any](env *Env) Through[O] { return Through[O]{Output[O](env), halt.Of(env.Context)} }

// Watermark passes the watermark on.
func (t *Through[O]) Watermark(at int64) error { return t.Out.Watermark(at) }

// Idle passes it on.
func (t *Through[O]) Idle(idle bool) error { return t.Out.Idle(idle) }

// Open does nothing.
func (t *Through[O]) Open(context.Context) error { return nil }

// EndInput does nothing.
func (t *Through[O]) EndInput(int) error { return nil }

// Finish does nothing.
func (t *Through[O]) Finish() error { return nil }

// Close does nothing.
func (t *Through[O]) Close() error { return nil }
