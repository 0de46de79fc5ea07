package operator

import (
	"context"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/decide/progress"
	"github.com/flott-dev/flott/watermark"
)

// Watermarks gives records timestamps and makes watermarks by a strategy: "Timestamps/Watermarks". The watermarks that come in
// end here, except the largest one. Idleness passes: what is idle upstream sends nothing.
func Watermarks[T any](s watermark.Strategy[T]) Constructor {
	return Func(func(env *Env) (Operator, error) {
		through := NewThrough[T](env)
		return &watermarks[T]{Through: through, time: newEventTime(env, s, through.Out)}, nil
	})
}

type watermarks[T any] struct {
	Through[T]
	time  *eventTime[T]
	track *track[T]
}

func (w *watermarks[T]) Input(int) any { return record.Input[T](w) }

func (w *watermarks[T]) Open(context.Context) (err error) {
	w.track, err = w.time.add("")
	w.time.start(w.time.look)
	return err
}

func (w *watermarks[T]) Receive(b *record.Batch[T]) (err error) {
	if b.TS, err = w.time.follow(w.track, b.V, b.TS); err != nil {
		return err
	}
	b.H = nil
	return w.Out.Receive(b)
}

func (w *watermarks[T]) Watermark(t int64) error {
	if t != progress.End {
		return nil
	}
	return w.time.finish()
}

func (w *watermarks[T]) Idle(idle bool) error {
	w.track.heard = !idle
	return w.time.say(w.time.merger.SetIdle(w.track.place, idle))
}

func (w *watermarks[T]) Close() error {
	w.time.ticker.stop()
	return nil
}
