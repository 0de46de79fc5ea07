package timer

// A Queue holds entries until their time comes, in buckets of one time each. Those of one time come out in the order in which they
// went in.
//
// Timers crowd: all keys of a window wait for the same millisecond. So finding the bucket, mostly that of the last entry, and
// putting an entry at its end is all the work there is per entry; the heap orders times, not entries. A heap of entries took four
// times as long with windows of 10,000 keys, and about as long when each entry had a time of its own.
//
// Buckets are used again, so that a queue in steady state does not allocate.
type Queue[E any] struct {
	times  times
	at     map[int64]*bucket[E]
	newest *bucket[E] // got the last entry; nil when it is gone
	oldest *bucket[E] // gave the last entry; nil when it is gone
	free   []*bucket[E]
}

type bucket[E any] struct {
	time    int64
	entries []E
	next    int // the first entry that has not come out
}

// minFree is how many empty buckets are kept in any case. Beyond it there are not more of them than buckets in use.
const minFree = 64

// NewQueue makes an empty queue.
func NewQueue[E any]() *Queue[E] { return &Queue[E]{at: map[int64]*bucket[E]{}} }

// Push puts an entry in.
func (q *Queue[E]) Push(time int64, e E) {
	b := q.newest
	if b == nil || b.time != time {
		b = q.bucket(time)
		q.newest = b
	}
	b.entries = append(b.entries, e)
}

func (q *Queue[E]) bucket(time int64) *bucket[E] {
	b := q.at[time]
	if b != nil {
		return b
	}
	if n := len(q.free); n > 0 {
		b, q.free = q.free[n-1], q.free[:n-1]
	} else {
		b = new(bucket[E])
	}
	b.time = time
	q.at[time] = b
	q.times.push(time)
	return b
}

// First is the earliest time of an entry.
func (q *Queue[E]) First() (time int64, ok bool) {
	if len(q.times) == 0 {
		return 0, false
	}
	return q.times[0], true
}

// Pop takes out the first entry of the earliest time. There must be one.
func (q *Queue[E]) Pop() E {
	b := q.oldest
	if b == nil || b.time != q.times[0] {
		b = q.at[q.times[0]]
		q.oldest = b
	}
	e := b.entries[b.next]
	if b.next++; b.next == len(b.entries) {
		q.times.pop()
		q.drop(b)
	}
	return e
}

// drop lets go of a bucket whose time is not in the heap any more.
func (q *Queue[E]) drop(b *bucket[E]) {
	delete(q.at, b.time)
	if q.newest == b {
		q.newest = nil
	}
	if q.oldest == b {
		q.oldest = nil
	}
	if len(q.free) < minFree+len(q.times) {
		clear(b.entries)
		b.entries, b.next = b.entries[:0], 0
		q.free = append(q.free, b)
	}
}

// Keep throws out the entries for which keep is false.
func (q *Queue[E]) Keep(keep func(time int64, e E) bool) {
	q.times = q.times[:0]
	for _, b := range q.at {
		kept := b.entries[:0]
		for _, e := range b.entries[b.next:] {
			if keep(b.time, e) {
				kept = append(kept, e)
			}
		}
		clear(b.entries[len(kept):])
		b.entries, b.next = kept, 0
		if len(kept) == 0 {
			q.drop(b)
		} else {
			q.times.push(b.time)
		}
	}
}
