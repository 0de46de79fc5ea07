// Package record holds what moves between operators: batches of records in columns, the inputs that take them, and the emitter
// that gathers single records into batches.
//
// Inside a task records travel as calls: an operator's output is the next operator's Input. Events (watermark, idle) are calls
// between batches and never touch the path of a record. Everything here belongs to one task goroutine.
package record

import "unsafe"

// Size is the most records that a batch holds. Measured flat from 64 to 1024; wide rows take fewer, see SizeOf.
const Size = 256

// batchBytes bounds the values of one batch, so that a batch of wide rows stays in the cache.
const batchBytes = 16 << 10

// SizeOf is the number of records of T in a full batch: Size, or what fits 16 KB, but at least 16.
func SizeOf[T any]() int {
	var v T
	n := int(unsafe.Sizeof(v))
	if n == 0 {
		return Size
	}
	return max(16, min(Size, batchBytes/n))
}

// A Batch is up to Size records in columns. Column lengths are equal, where the column is there at all.
//
// A batch is lent for the time of one Receive call: who wants to keep a value copies it out. Within the call the receiver may
// change V, TS and H in place, and pass the same batch on, unless it is Shared.
type Batch[T any] struct {
	V      []T      // values
	TS     []int64  // event time in milliseconds since the epoch; nil when the records have none
	H      []uint64 // key hash (see id.HashOf); nil where no keyBy stands before
	Shared bool     // others read the same columns: copy before writing
}

// Time is the timestamp of record i, or NoTime.
func (b *Batch[T]) Time(i int) int64 {
	if b.TS == nil {
		return NoTime
	}
	return b.TS[i]
}

// An Input takes what a producer sends: an operator's input, a fan-out, an exchange. Calls come from the task's goroutine only.
// An error ends the task.
type Input[T any] interface {
	// Receive takes a batch of at least one record.
	Receive(b *Batch[T]) error
	Events
}

// Events is the part of an Input that does not depend on its type: what is said between batches.
type Events interface {
	// Watermark says that no more records with a timestamp <= t come. It never decreases; math.MaxInt64 comes last.
	Watermark(t int64) error
	// Idle says that this input will not send records or watermarks for a while (true), or does again (false).
	Idle(idle bool) error
}
