package connector

import "context"

// A Source makes records of type T. It is a plain value that holds settings: one Enumerator and one Reader per subtask are made
// from it, perhaps in different processes, and perhaps several times.
type Source[T any] interface {
	// Bounded says whether the source comes to an end by itself.
	Bounded() bool
	// Enumerator makes the source's enumerator. ctx ends with the job, at the latest when Close was called.
	Enumerator(ctx context.Context, s Setup) (Enumerator, error)
	// Reader makes the reader of one subtask. wake may be called from any goroutine and at any time, does not block, and is never
	// forgotten: called before Read returns Wait, it ends that wait. ctx ends when the task is cancelled, at the latest when Close
	// was called.
	Reader(ctx context.Context, wake func()) (Reader[T], error)
}

// Setup is what an enumerator is made for.
type Setup struct {
	Parallelism int    // the number of readers
	Restored    []byte // what Snapshot of an earlier enumerator gave, perhaps for another Parallelism; nil at a first start
}

// An Enumerator finds the splits of a source and hands each of them to one reader. It is a state machine: one goroutine at a time
// calls it, it starts nothing itself, and what it knows is in its Snapshot.
//
// The engine remembers which splits it was given and did not see again in a snapshot of a reader: an enumerator never gets a split
// back.
type Enumerator interface {
	// Next returns splits for the reader of a subtask, which is at the end of all it had. None and not done: there are none now,
	// ask again soon. With done no more come for this subtask. Next may take its time, such as for listing a folder, but
	// meanwhile the other readers wait; it returns early when ctx ends.
	Next(ctx context.Context, subtask int) (splits []Split, done bool, err error)
	// Snapshot encodes what is left to hand out.
	Snapshot() ([]byte, error)
	// Close may be called twice.
	Close() error
}

// A Reader reads the splits that it is given, one batch at a time. All calls come from one goroutine, the task's, which must never
// wait: what blocks happens on a goroutine of the reader's own, see NewFeed.
type Reader[T any] interface {
	// Assign adds splits, some perhaps read by half: they go on at their Position.
	Assign(splits []Split) error
	// Read fills b with records of one split, none if nothing is ready, and says what to do after this batch. It never blocks.
	Read(b *Batch[T]) (Status, error)
	// Snapshot returns the splits that are not at their end, at their positions after the last batch.
	Snapshot() ([]Split, error)
	// Close ends what the reader started and waits for its end. It may be called twice.
	Close() error
}

// A Batch is what Read fills. It comes with empty columns, whose capacity is the most that Read may put into it.
type Batch[T any] struct {
	V     []T     // the records: append, or reslice and set
	TS    []int64 // their event times in milliseconds since the epoch; left empty where the source knows none
	Split string  // ID of the split that they come from; needed where there are records or End is set
	End   bool    // the split ends with this batch, which may be empty
}

// Reset makes b ready for the next Read.
func (b *Batch[T]) Reset() { b.V, b.TS, b.Split, b.End = b.V[:0], b.TS[:0], "", false }

// A Status says what follows a batch.
type Status int

const (
	// More: call Read again, there may be more.
	More Status = iota
	// Wait: there is nothing more now; wake is called when there is.
	Wait
	// Done: every assigned split is at its end. The engine asks the enumerator for more.
	Done
)
