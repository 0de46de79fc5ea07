package timer

import (
	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/heap"
)

// A Service holds the timers of one kind, event time or processing time, that the functions of an operator set. There is at most
// one per key and time.
//
// The pending ones stand in a table, by key and time: setting one twice or deleting one is a look into it. A deleted timer stays in
// the queue until its time comes or until half of the queue is such remains. An entry of the queue that is not the one the
// table knows, by its number, counts for nothing.
type Service[K comparable] struct {
	key     *backend.Key[K]
	pending *heap.Table[stamp[K], uint64] // the number of the entry in the queue
	queue   *Queue[entry[K]]
	numbers uint64
	remains int // entries in the queue that count for nothing
}

type stamp[K comparable] struct {
	k  K
	at int64
}

type entry[K comparable] struct {
	key    backend.Key[K]
	number uint64
}

// NewService makes a service without timers. It sets and deletes timers for key, and sets key before a timer fires.
func NewService[K comparable](key *backend.Key[K], s heap.Span) *Service[K] {
	return &Service[K]{key: key, pending: heap.NewTable[stamp[K], uint64](s), queue: NewQueue[entry[K]]()}
}

// Set sets a timer for the key at work, unless there is one at this time.
func (s *Service[K]) Set(at int64) {
	number, found := s.pending.Ref(backend.Part(s.key.Place, at), stamp[K]{s.key.K, at})
	if found {
		return
	}
	s.numbers++
	*number = s.numbers
	s.queue.Push(at, entry[K]{*s.key, s.numbers})
}

// Delete deletes the timer of the key at work at this time, if there is one.
func (s *Service[K]) Delete(at int64) {
	if !s.pending.Delete(backend.Part(s.key.Place, at), stamp[K]{s.key.K, at}) {
		return
	}
	if s.remains++; s.remains > s.pending.Len()+minRemains {
		s.queue.Keep(s.counts)
		s.remains = 0
	}
}

// minRemains is how many remains are not worth the work.
const minRemains = 64

func (s *Service[K]) counts(at int64, e entry[K]) bool {
	number, ok := s.pending.Get(backend.Part(e.key.Place, at), stamp[K]{e.key.K, at})
	return ok && number == e.number
}

// Len is the number of timers.
func (s *Service[K]) Len() int { return s.pending.Len() }

// First is the earliest time at which something may be due.
func (s *Service[K]) First() (at int64, ok bool) { return s.queue.First() }

// Fire fires timers that are due at time now, the earliest first, also those that are set meanwhile; but not more than limit. It
// says whether more are due.
func (s *Service[K]) Fire(now int64, limit int, fire func(at int64) error) (more bool, err error) {
	for ; ; limit-- {
		at, ok := s.queue.First()
		if !ok || at > now || limit == 0 {
			return ok && at <= now, nil
		}
		e := s.queue.Pop()
		if !s.counts(at, e) {
			s.remains--
			continue
		}
		*s.key = e.key
		s.pending.Delete(backend.Part(e.key.Place, at), stamp[K]{e.key.K, at})
		if err := fire(at); err != nil {
			return false, err
		}
	}
}
