package operator

import (
	"sync/atomic"
	"time"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/timer"
	"github.com/flott-dev/flott/process"
)

// A keyedFunction is a function with state and timers. It is a record.Events: the base of operators with one input, and of those
// with several behind a Merged.
type keyedFunction[K comparable, O any] struct {
	function[O]
	firing
	key     *backend.Key[K]
	states  *keyed.States[K]
	timers  *timer.Timers[K]
	context *process.KeyedContext[K, O]
}

// newKeyedFunction makes the user's value by open.
func newKeyedFunction[K comparable, O, F any](
	env *Env, open func(*process.KeyedRuntime[K]) (F, error),
) (*keyedFunction[K, O], F, error) {
	states := statesOf[K](env)
	user, err := open(process.NewKeyedRuntime(subtaskOf(env), states))
	if err != nil {
		return nil, user, err
	}
	if err := states.Seal(); err != nil {
		return nil, user, err
	}
	f := &keyedFunction[K, O]{function: newFunction[O](env), key: states.Key, states: states}
	f.bind(user)
	f.timers = timer.NewTimers(f.key, f.moment, f.handlers(user), env.pace)
	f.context = process.NewKeyedContext(f.main, f.sides, f.key, f.timers)
	f.firing = firing{burst: f.timers.FireEvent, sent: f.flush, pass: f.Out.Watermark}
	return f, user, nil
}

func (f *keyedFunction[K, O]) handlers(user any) timer.Handlers {
	h := timer.Handlers{
		NoEvent:      noHandler[process.EventTimerHandler[K, O]](user),
		NoProcessing: noHandler[process.ProcessingTimerHandler[K, O]](user),
		Fired:        f.flush,
	}
	if u, ok := user.(process.EventTimerHandler[K, O]); ok {
		h.Event = f.unlessHalted(func(at time.Time) error { return u.OnEventTimer(f.context, at) })
	}
	if u, ok := user.(process.ProcessingTimerHandler[K, O]); ok {
		h.Processing = f.unlessHalted(func(at time.Time) error { return u.OnProcessingTimer(f.context, at) })
	}
	return h
}

func (f *keyedFunction[K, O]) unlessHalted(handle func(time.Time) error) func(at int64) error {
	return func(at int64) error {
		if atomic.LoadUint32(&f.halted.Up) != 0 {
			return f.halted.Err()
		}
		return handle(time.UnixMilli(at).UTC())
	}
}

// turn makes a record the one that is being handled.
func (f *keyedFunction[K, O]) turn(k K, place uint64, ts int64) {
	f.key.K, f.key.Place = k, place
	f.moment.TS = ts
}

func (f *keyedFunction[K, O]) flush() error {
	if err := f.function.flush(); err != nil {
		return err
	}
	return f.timers.Err()
}

// Watermark fires the timers that it makes due, and is passed on behind what they emit.
func (f *keyedFunction[K, O]) Watermark(t int64) error {
	if err := f.settle(); err != nil {
		return err
	}
	f.moment.Watermark = t
	return f.begin(t)
}

func (f *keyedFunction[K, O]) Idle(idle bool) error {
	if err := f.settle(); err != nil {
		return err
	}
	return f.Out.Idle(idle)
}

func (f *keyedFunction[K, O]) EndInput(int) error { return f.settle() }

// Close drops the processing-time timers: like Flink's, they do not fire at the end.
func (f *keyedFunction[K, O]) Close() error {
	f.timers.Stop()
	return f.function.Close()
}
