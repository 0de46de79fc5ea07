package record

// NoTime is the timestamp of a record that has none.
const NoTime = -1 << 63

// An Emitter gathers single records into batches for an input. The records of a batch all have a timestamp or none has, so that
// the rare change between the two ends a batch.
//
// Errors of the input are kept: Emit has no result, as it is called from user code. Who owns the emitter asks Flush for the
// error at the end of each of its own batches, and Err in between if there may be no end.
type Emitter[T any] struct {
	out   Input[T]
	v     []T // made on first use; its length is that of a full batch
	ts    []int64
	n     int
	timed bool // the records gathered, or the last ones, have timestamps
	err   error
	b     Batch[T]
}

// NewEmitter makes an emitter before out.
func NewEmitter[T any](out Input[T]) *Emitter[T] { return &Emitter[T]{out: out} }

// Emit adds a record with timestamp ts, or NoTime.
func (e *Emitter[T]) Emit(v T, ts int64) {
	if e.n == len(e.v) || (ts != NoTime) != e.timed {
		e.begin(ts != NoTime)
	}
	e.v[e.n], e.ts[e.n] = v, ts
	e.n++
}

// begin makes room for a new batch.
func (e *Emitter[T]) begin(timed bool) {
	if e.v == nil {
		e.v, e.ts = make([]T, SizeOf[T]()), make([]int64, SizeOf[T]())
	}
	e.send()
	e.timed = timed
}

// Flush sends what was gathered and returns the first error that the input ever gave.
func (e *Emitter[T]) Flush() error {
	e.send()
	return e.err
}

// Err is the first error that the input ever gave. What is emitted after it goes nowhere.
func (e *Emitter[T]) Err() error { return e.err }

func (e *Emitter[T]) send() {
	n := e.n
	e.n = 0
	if n == 0 || e.err != nil {
		return
	}
	e.b = Batch[T]{V: e.v[:n], TS: e.ts[:n]}
	if !e.timed {
		e.b.TS = nil
	}
	e.err = e.out.Receive(&e.b)
}
