package record

// NoTime is what Emit takes as the timestamp of a record that has none.
const NoTime = -1 << 63

// An Emitter gathers single records into batches for an input. The records of a batch all have a timestamp or none has, so that
// the rare change between the two ends a batch.
//
// Errors of the input are kept: Emit has no result, as it is called from user code. Who owns the emitter asks Flush for the
// error at the end of each of its own batches.
type Emitter[T any] struct {
	out Input[T]
	v   []T
	ts  []int64
	n   int
	err error
	b   Batch[T]
}

// NewEmitter makes an emitter before out.
func NewEmitter[T any](out Input[T]) *Emitter[T] {
	n := SizeOf[T]()
	return &Emitter[T]{out: out, v: make([]T, n), ts: make([]int64, n)}
}

// Emit adds a record with timestamp ts, or NoTime.
func (e *Emitter[T]) Emit(v T, ts int64) {
	if e.n > 0 && (ts == NoTime) != (e.ts[0] == NoTime) || e.n == len(e.v) {
		e.send()
	}
	e.v[e.n], e.ts[e.n] = v, ts
	e.n++
}

// Flush sends what was gathered and returns the first error that the input ever gave.
func (e *Emitter[T]) Flush() error {
	if e.n > 0 {
		e.send()
	}
	return e.err
}

func (e *Emitter[T]) send() {
	e.b = Batch[T]{V: e.v[:e.n], TS: e.ts[:e.n]}
	if e.ts[0] == NoTime {
		e.b.TS = nil
	}
	e.n = 0
	if e.err == nil {
		e.err = e.out.Receive(&e.b)
	}
}
