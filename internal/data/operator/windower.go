package operator

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/timer"
	"github.com/flott-dev/flott/window"
)

// # Windows
//
// The state of a window operator is what it keeps of each key and window: a pane. Panes stand in ordinary keyed state, under the key
// and the window's start together, and at a place in the key's own key group. A record is folded into its panes in place.
//
// All windows have one size, so that time moves over their starts as a line does. Of the windows of event time, with time at
// watermark w:
//
//	           gone            over, open for late records      to come
//	───────────────────────┼───────────────────────────────┼─────────────────▶ start of the window
//	                w - size + 1 - lateness          w - size + 1
//	                    (the line of gone)          (the line of over)
//
// A pane fires when over passes it: its result is emitted, with the last millisecond of the window as its timestamp. A late record
// fires its pane once more, at once, as Flink's event-time trigger does. A pane is removed when gone passes it, and no record makes
// it anew. A record all of whose windows are gone is late: it is counted, and goes to the late output.
//
// Two queues hold the panes that each line has not passed, by their start. A pane enters them once, when its first record comes, so
// that they are no state of their own: whoever has the panes can make them.
//
// Windows of processing time are the same with the clock in place of the watermark, one millisecond behind it, since records may
// come until the window's end. No record is late then.

type windower[K comparable, T, R any] struct {
	Through[R]
	firing
	fixed       *window.Fixed
	size, slide int64
	lateness    int64
	keys        *keyed.Selector[T, K]
	clock       Clock
	alarm       *timer.Alarm // of processing time: when over must move
	times       []int64      // of a batch, in processing time

	pane     *backend.Key[pane[K]] // at work
	contents contents[K, T, R]
	results  *record.Emitter[R]
	late     *record.Emitter[T]
	lates    *atomic.Int64

	over, gone int64           // the lines: of windows that start there or before
	lateUpTo   int64           // the largest timestamp of a late record
	firings    *timer.Queue[K] // the panes that are not over
	removals   *timer.Queue[K] // the panes that are not gone; unused without lateness, as panes go when they fire
	last       int64           // a start: that of the record before
	shown      window.Window   // that fired last
	shownStart int64
}

// windowing is a window operator that keeps the contents that keep makes.
func windowing[K comparable, T, R any](
	w Windows[K, T], keep func(*keyed.States[pane[K]]) contents[K, T, R],
) Constructor {
	return Func(func(env *Env) (Operator, error) {
		fixed, ok := w.Assigner.(*window.Fixed)
		if !ok {
			return nil, fmt.Errorf("cannot assign windows by %T", w.Assigner)
		}
		keys, err := keyed.NewSelector(w.Key, env.MaxParallelism)
		if err != nil {
			return nil, err
		}
		states := statesOf[pane[K]](env)
		o := &windower[K, T, R]{
			Through: NewThrough[R](env), fixed: fixed, size: fixed.Size(), slide: fixed.Slide(), keys: keys, clock: env.Clock,
			pane: states.Key, contents: keep(states), lates: &env.Metrics.LateRecords,
			over: math.MinInt64, gone: math.MinInt64, lateUpTo: math.MinInt64,
			firings: timer.NewQueue[K](), removals: timer.NewQueue[K](), shown: fixed.At(0),
		}
		o.results = record.NewEmitter(o.Out)
		o.firing = firing{burst: o.burst, sent: o.results.Flush, pass: o.Out.Watermark}
		o.alarm = timer.NewAlarm(env.Clock, o.ring)
		if fixed.EventTime() {
			o.lateness = w.Lateness
		}
		late := record.Fan[T]()
		if w.LateTag != nil {
			late, _ = SideOutput[T](env, *w.LateTag)
		}
		o.late = record.NewEmitter(late)
		return o, states.Seal()
	})
}

func (o *windower[K, T, R]) Input(int) any { return record.Input[T](o) }

func (o *windower[K, T, R]) Receive(b *record.Batch[T]) error {
	if err := o.settle(); err != nil {
		return err
	}
	times, err := o.timesOf(b)
	if err != nil {
		return err
	}
	places := o.keys.Places(b)
	lates := 0
	for i, v := range b.V {
		if !o.take(v, o.keys.Of(v), places[i], times[i]) && times[i] <= o.lateUpTo {
			o.late.Emit(v, times[i])
			lates++
		}
	}
	if lates > 0 {
		o.lates.Add(int64(lates))
	}
	return o.flush()
}

// timesOf is the times by which the records of a batch belong to windows.
func (o *windower[K, T, R]) timesOf(b *record.Batch[T]) ([]int64, error) {
	if o.fixed.EventTime() {
		if b.TS == nil {
			return nil, fmt.Errorf("a record without a timestamp came to %v: call .Watermarks on a stream before it", o.fixed)
		}
		return b.TS, nil
	}
	now := o.clock.Now()
	o.times = o.times[:0]
	for range b.V {
		o.times = append(o.times, now)
	}
	return o.times, nil
}

// take puts a record into those of its windows that are not gone. It says whether there was one.
func (o *windower[K, T, R]) take(v T, k K, place uint64, t int64) (taken bool) {
	if uint64(t-o.last) >= uint64(o.slide) {
		o.last = o.fixed.Last(t)
	}
	for start := o.last; t-start < o.size && start > o.gone; start -= o.slide {
		taken = true
		o.turn(k, place, start)
		if o.contents.add(v) {
			o.enter(backend.Key[K]{K: k, Place: place}, start)
		}
		if start <= o.over {
			o.fire(k, start) // once more, for a late record
		}
	}
	return taken
}

// turn makes a pane the one at work.
func (o *windower[K, T, R]) turn(k K, place uint64, start int64) {
	o.pane.K, o.pane.Place = pane[K]{k, start}, backend.Part(place, start)
}

// enter puts a new pane into the queues.
func (o *windower[K, T, R]) enter(k backend.Key[K], start int64) {
	if start > o.over {
		o.firings.Push(start, k)
	}
	if o.lateness > 0 {
		o.removals.Push(start, k)
	}
	if !o.fixed.EventTime() {
		o.alarm.Set(plus(start, o.size))
	}
}

// fire emits the result of the pane at work.
func (o *windower[K, T, R]) fire(k K, start int64) {
	if start != o.shownStart {
		o.shown, o.shownStart = o.fixed.At(start), start
	}
	o.contents.result(k, o.shown, o.results, plus(start, o.size-1))
}

// burst fires and removes some of the panes that the lines have passed.
func (o *windower[K, T, R]) burst() (more bool, err error) {
	for range timer.Burst {
		if start, ok := o.firings.First(); ok && start <= o.over {
			e := o.firings.Pop()
			o.turn(e.K, e.Place, start)
			o.fire(e.K, start)
			if o.lateness == 0 {
				o.contents.clear()
			}
		} else if start, ok := o.removals.First(); ok && start <= o.gone {
			e := o.removals.Pop()
			o.turn(e.K, e.Place, start)
			o.contents.clear()
		} else {
			return false, nil
		}
	}
	return true, nil
}

// move draws the lines for time t.
func (o *windower[K, T, R]) move(t int64) {
	if t == math.MaxInt64 {
		o.over, o.gone = t, t
		return
	}
	o.over = minus(t, o.size-1)
	o.gone = minus(o.over, o.lateness)
}

// minus does not fall below the first of all times.
func minus(t, d int64) int64 {
	if t < math.MinInt64+d {
		return math.MinInt64
	}
	return t - d
}

// plus does not rise above the last of all times.
func plus(t, d int64) int64 {
	if t > math.MaxInt64-d {
		return math.MaxInt64
	}
	return t + d
}

func (o *windower[K, T, R]) flush() error {
	if err := o.results.Flush(); err != nil {
		return err
	}
	return o.late.Flush()
}

// Watermark moves event time.
func (o *windower[K, T, R]) Watermark(t int64) error {
	if err := o.settle(); err != nil {
		return err
	}
	if o.fixed.EventTime() {
		o.move(t)
		o.lateUpTo = minus(t, o.lateness)
	}
	return o.begin(t)
}

// ring moves processing time, and sets the alarm for the next window. When there is more to fire than a burst, it rings again at
// once, and the task can do something else before.
func (o *windower[K, T, R]) ring() error {
	o.move(o.clock.Now() - 1)
	if _, err := o.burst(); err != nil {
		return err
	}
	if start, ok := o.firings.First(); ok {
		o.alarm.Set(plus(start, o.size))
	}
	return o.flush()
}

func (o *windower[K, T, R]) Idle(idle bool) error {
	if err := o.settle(); err != nil {
		return err
	}
	return o.Out.Idle(idle)
}

func (o *windower[K, T, R]) EndInput(int) error { return o.settle() }

// Close drops the windows of processing time that are not over, as Flink does.
func (o *windower[K, T, R]) Close() error {
	o.alarm.Stop()
	return nil
}
