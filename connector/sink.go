package connector

import "context"

// A Sink takes records of type T. It is a plain value that holds settings; one Writer per subtask is made from it.
type Sink[T any] interface {
	// Writer makes the writer of one of parallelism subtasks, counted from 0. ctx ends when the task is cancelled.
	Writer(ctx context.Context, subtask, parallelism int) (Writer[T], error)
}

// A Writer writes the records of one subtask. All calls come from one goroutine, the task's; they may block, which holds up the
// task and in the end its producers.
type Writer[T any] interface {
	// Write takes at least one record. ts are the event times in milliseconds since the epoch, nil where there are none. Both are
	// lent for the time of the call and shared with others: not to be changed or kept.
	Write(v []T, ts []int64) error
	// Flush makes durable what was written. It is called before a checkpoint is acknowledged and, with end, once all input has
	// come; nothing is written after that.
	Flush(end bool) error
	// Close lets go of what the writer holds. Without a Flush(true) before, the job failed or was cancelled. It may be called
	// twice.
	Close() error
}
