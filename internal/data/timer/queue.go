package timer

import "github.com/flott-dev/flott/backend"

// A Queue holds keys until their time comes, in buckets of one time each.
//
// Timers crowd: all keys of a window wait for the same millisecond, and those that functions set are mostly for about the same
// time. So a key that comes, or is looked for, mostly finds its bucket at once and in the cache, and the heap orders times, not keys. A
// heap of keys took four times as long with windows of 10,000 keys; a hash table of keys and times, to look for them, cost two
// misses of the cache per timer.
//
// Buckets are used again, so that a queue in steady state does not allocate.
type Queue[K comparable] struct {
	buckets map[int64]*bucket[K] // none is empty
	times   times                // of the buckets, and of some that are gone
	recent  *bucket[K]           // was used last; nil when it is gone
	first   *bucket[K]           // of the earliest time; nil when not known
	free    []*bucket[K]
	n       int
}

// minFree is how many empty buckets are kept in any case. Beyond it there are not more of them than buckets in use.
const minFree = 64

// NewQueue makes an empty queue.
func NewQueue[K comparable]() *Queue[K] { return &Queue[K]{buckets: map[int64]*bucket[K]{}} }

// Len is the number of keys, once for each time that they wait for.
func (q *Queue[K]) Len() int { return q.n }

// Push puts in a key that is not waiting for this time.
func (q *Queue[K]) Push(time int64, key backend.Key[K]) {
	b := q.bucket(time)
	if b == nil {
		b = q.open(time)
	}
	b.push(key)
	q.n++
}

// Add is Push for a key that may be waiting for this time already.
func (q *Queue[K]) Add(time int64, key backend.Key[K]) {
	if b := q.bucket(time); b == nil || b.find(key) < 0 {
		q.Push(time, key)
	}
}

// Remove takes out a key that may be waiting for this time.
func (q *Queue[K]) Remove(time int64, key backend.Key[K]) {
	b := q.bucket(time)
	if b == nil {
		return
	}
	if i := b.find(key); i >= 0 {
		b.remove(i)
		q.n--
		q.closeIfEmpty(b)
	}
}

// First is the earliest time that a key waits for.
func (q *Queue[K]) First() (time int64, ok bool) {
	for q.first == nil && len(q.times) > 0 {
		if q.first = q.buckets[q.times[0]]; q.first == nil {
			q.times.pop()
		}
	}
	if q.first == nil {
		return 0, false
	}
	return q.first.time, true
}

// Pop takes out a key that waits for the earliest time. There must be one.
func (q *Queue[K]) Pop() backend.Key[K] {
	q.First()
	b := q.first
	q.n--
	key := b.pop()
	q.closeIfEmpty(b)
	return key
}

// bucket is that of a time, if there is one.
func (q *Queue[K]) bucket(time int64) *bucket[K] {
	if q.recent == nil || q.recent.time != time {
		q.recent = q.buckets[time]
	}
	return q.recent
}

func (q *Queue[K]) open(time int64) *bucket[K] {
	var b *bucket[K]
	if n := len(q.free); n > 0 {
		b, q.free = q.free[n-1], q.free[:n-1]
	} else {
		b = new(bucket[K])
	}
	b.reset(time)
	q.buckets[time], q.recent = b, b
	q.times.push(time)
	if q.first != nil && time < q.first.time {
		q.first = b
	}
	return b
}

func (q *Queue[K]) closeIfEmpty(b *bucket[K]) {
	if !b.empty() {
		return
	}
	delete(q.buckets, b.time)
	if q.recent == b {
		q.recent = nil
	}
	if q.first == b {
		q.first = nil
	}
	if len(q.free) < minFree+len(q.buckets) {
		q.free = append(q.free, b)
	}
	if len(q.times) > 2*len(q.buckets)+minFree {
		q.sweep()
	}
}

// sweep takes out the times of buckets that are gone.
func (q *Queue[K]) sweep() {
	q.times = q.times[:0]
	for time := range q.buckets {
		q.times.push(time)
	}
}
