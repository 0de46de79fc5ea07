package operator

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/timer"
	"github.com/flott-dev/flott/internal/decide/pace"
	"github.com/flott-dev/flott/window"
)

// # Windows
//
// A window operator keeps an accumulator for each key and window: a pane. The panes of a window are a table, so that a window fires
// by a scan and goes by being dropped, the window in use is in the cache without those that only wait for their end, and there
// are no timers.
//
// A window fires when the line over passes it (see lines): the result of each pane is emitted, with the last millisecond of the window
// as its timestamp. A late record fires its pane once more, at once, as Flink's event-time trigger does. A window is dropped when the
// line gone passes it, and no record makes it anew. A record all of whose windows are gone is late: it is counted, and goes to the
// late output.
//
// Records are taken by runs that belong to the same windows, so that all that depends on windows costs little.
//
// Windows of processing time are the same with the clock in place of the watermark, one millisecond behind it, since records may
// come until the window's end. No record is late then.
type windower[K comparable, T, A, R any] struct {
	Through[R]
	firing
	fixed   *window.Fixed
	slide   int64
	keys    *keyed.Selector[T, K]
	fold    *fold[T, A]
	result  result[K, A, R]
	results *record.Emitter[R]
	late    *record.Emitter[T]
	lates   *atomic.Int64

	clock Clock
	alarm *timer.Alarm // of processing time: when a window will be over
	now   []int64      // once for each record of a batch, in processing time

	lines
	panes backend.Windows[K, A]
	open  []*openWindow[K, A] // by start
	fired int                 // how many of them have fired
	scan  backend.Scan[K, A]  // of the window that is firing
	pace  *pace.Pace          // of firing

	refold func(i int, acc *A, found bool) (more bool) // refire, bound once, so that lending it allocates nothing; of
	ks     []K                                         // these keys in
	window *openWindow[K, A]                           // this window
}

// An openWindow is a window that is not gone.
type openWindow[K comparable, A any] struct {
	start int64
	panes backend.Table[K, A]
	shown window.Window
}

func newWindower[K comparable, T, A, R any](
	env *Env, w Windows[K, T], f *fold[T, A], r result[K, A, R],
) (*windower[K, T, A, R], error) {
	fixed, ok := w.Assigner.(*window.Fixed)
	if !ok {
		return nil, fmt.Errorf("cannot assign windows by %T", w.Assigner)
	}
	through := NewThrough[R](env)
	keys, err := keyed.NewSelector(w.Key, env.MaxParallelism, through.halted)
	if err != nil {
		return nil, err
	}
	states := statesOf[K](env)
	o := &windower[K, T, A, R]{
		Through: through, fixed: fixed, slide: fixed.Slide(), keys: keys, fold: f, result: r,
		late: record.NewEmitter(record.Fan[T]()), lates: &env.Metrics.LateRecords, clock: env.Clock,
		lines: newLines(fixed.Size(), w.Lateness), panes: states.Windows[A]("panes"), pace: env.pace(),
	}
	o.results = record.NewEmitter(o.Out)
	o.firing = firing{burst: o.burst, sent: o.results.Flush, pass: o.Out.Watermark}
	o.alarm = timer.NewAlarm(env.Clock, o.ring)
	o.refold = o.refire
	if !fixed.EventTime() {
		o.lines = newLines(fixed.Size(), 0)
	}
	if w.LateTag != nil {
		late, _ := SideOutput[T](env, *w.LateTag)
		o.late = record.NewEmitter(late)
	}
	return o, states.Seal()
}

func (o *windower[K, T, A, R]) Input(int) any { return record.Input[T](o) }

// A run is records with their times, keys and places.
type run[K comparable, T any] struct {
	v      []T
	times  []int64
	keys   []K
	places []uint64
}

func (r run[K, T]) part(from, to int) run[K, T] {
	return run[K, T]{r.v[from:to], r.times[from:to], r.keys[from:to], r.places[from:to]}
}

func (o *windower[K, T, A, R]) Receive(b *record.Batch[T]) error {
	if err := o.settle(); err != nil {
		return err
	}
	times, err := o.times(b)
	if err != nil {
		return err
	}
	all := run[K, T]{v: b.V, times: times}
	if all.keys, err = o.keys.Keys(b); err != nil {
		return err
	}
	if all.places, err = o.keys.Places(b); err != nil {
		return err
	}
	for from, to := 0, 0; from < len(times); from = to {
		slot := o.fixed.Last(times[from])
		for to = from + 1; to < len(times) && uint64(times[to]-slot) < uint64(o.slide); {
			to++
		}
		o.take(all.part(from, to), slot)
	}
	if atomic.LoadUint32(&o.halted.Up) != 0 {
		return o.halted.Err()
	}
	return o.flush()
}

// times is the times by which the records of a batch belong to windows.
func (o *windower[K, T, A, R]) times(b *record.Batch[T]) ([]int64, error) {
	if o.fixed.EventTime() {
		if b.TS == nil {
			return nil, fmt.Errorf("a record without a timestamp came to %v: call .Watermarks on a stream before it", o.fixed)
		}
		return b.TS, nil
	}
	now := o.clock.Now()
	o.now = o.now[:0]
	for range b.V {
		o.now = append(o.now, now)
	}
	return o.now, nil
}

// take puts a run, all of whose records come at slot, the start of a window, or between it and the next start, into the windows that
// are not gone.
func (o *windower[K, T, A, R]) take(r run[K, T], slot int64) {
	for start := slot; slot-start < o.size && start > o.gone && start <= slot; start -= o.slide {
		if start-slot+o.size >= o.slide {
			o.put(r, start)
			continue
		}
		for i, t := range r.times { // the window ends before the next start
			if t-start < o.size {
				o.put(r.part(i, i+1), start)
			}
		}
	}
	if slot <= o.gone || o.size < o.slide {
		o.dropLate(r, slot)
	}
}

// put puts a run into a window.
func (o *windower[K, T, A, R]) put(r run[K, T], start int64) {
	o.window = o.windowAt(start)
	o.fold.in, o.ks = r.v, r.keys
	if start <= o.over {
		o.window.panes.Update(r.places, r.keys, o.refold)
		return
	}
	o.window.panes.Update(r.places, r.keys, o.fold.one)
}

// refire takes a late record in and fires its pane once more.
func (o *windower[K, T, A, R]) refire(i int, acc *A, found bool) bool {
	if !o.fold.one(i, acc, found) {
		return false
	}
	o.fire(o.window, o.ks[i], acc)
	return true
}

// dropLate finds the records of a run that came too late for all their windows.
func (o *windower[K, T, A, R]) dropLate(r run[K, T], slot int64) {
	for i, t := range r.times {
		taken := slot > o.gone && t-slot < o.size
		if !taken && t <= o.lateUpTo {
			o.late.Emit(r.v[i], t)
			o.lates.Add(1)
		}
	}
}

// windowAt is the window that starts there. It is opened if it is new.
func (o *windower[K, T, A, R]) windowAt(start int64) *openWindow[K, A] {
	i, found := slices.BinarySearchFunc(o.open, start, func(w *openWindow[K, A], start int64) int { return cmp.Compare(w.start, start) })
	if found {
		return o.open[i]
	}
	w := &openWindow[K, A]{start, o.panes.Window(start), o.fixed.At(start)}
	o.open = slices.Insert(o.open, i, w)
	switch {
	case start <= o.over:
		o.fired++ // its records fire one by one
	case !o.fixed.EventTime():
		o.alarm.Set(plus(start, o.size))
	}
	return w
}

// fire emits the result of a pane.
func (o *windower[K, T, A, R]) fire(w *openWindow[K, A], k K, acc *A) {
	o.result(k, w.shown, acc, o.results, plus(w.start, o.size-1))
}

// burst fires some of the panes that are over, and drops the windows that are gone.
func (o *windower[K, T, A, R]) burst() (more bool, err error) {
	steps := 0
	for most := o.pace.Begin(); steps < most && o.due(); steps++ {
		if atomic.LoadUint32(&o.halted.Up) != 0 {
			return false, o.halted.Err()
		}
		o.fireNext()
	}
	o.pace.End(steps)
	if o.due() {
		return true, nil
	}
	o.drop()
	return false, nil
}

// due says that a window is over and has not fired to its end.
func (o *windower[K, T, A, R]) due() bool {
	return o.fired < len(o.open) && o.open[o.fired].start <= o.over
}

// fireNext fires the next pane of the first window that is due, or finds that there is none.
func (o *windower[K, T, A, R]) fireNext() {
	w := o.open[o.fired]
	if o.scan == nil {
		o.scan = w.panes.Scan()
	}
	if k, acc, ok := o.scan.Next(); ok {
		o.fire(w, k, acc)
		return
	}
	o.scan = nil
	o.fired++
}

// drop removes the windows that are gone. All of them have fired.
func (o *windower[K, T, A, R]) drop() {
	n := 0
	for ; n < o.fired && o.open[n].start <= o.gone; n++ {
		o.panes.Drop(o.open[n].start)
	}
	if n > 0 {
		o.open = slices.Delete(o.open, 0, n)
		o.fired -= n
	}
}

func (o *windower[K, T, A, R]) flush() error {
	if err := o.results.Flush(); err != nil {
		return err
	}
	return o.late.Flush()
}

// Watermark moves event time.
func (o *windower[K, T, A, R]) Watermark(t int64) error {
	if err := o.settle(); err != nil {
		return err
	}
	if o.fixed.EventTime() {
		o.move(t)
	}
	return o.begin(t)
}

// ring moves processing time, and sets the alarm for the next window. When there is more to fire than a burst, it rings again at
// once, and the task can do something else before.
func (o *windower[K, T, A, R]) ring() error {
	o.move(o.clock.Now() - 1)
	if _, err := o.burst(); err != nil {
		return err
	}
	if o.fired < len(o.open) {
		o.alarm.Set(plus(o.open[o.fired].start, o.size))
	}
	return o.flush()
}

func (o *windower[K, T, A, R]) Idle(idle bool) error {
	if err := o.settle(); err != nil {
		return err
	}
	return o.Out.Idle(idle)
}

func (o *windower[K, T, A, R]) EndInput(int) error { return o.settle() }

// Close drops the windows of processing time that are not over, as Flink does.
func (o *windower[K, T, A, R]) Close() error {
	o.alarm.Stop()
	return nil
}
