package jobmanager

import "sync"

// An inbox is a queue without bounds, so that nobody who puts something into it waits. One goroutine takes it out: when the bell
// rings, all there is.
type inbox[T any] struct {
	bell chan struct{} // has a token when something was put since the last take
	mu   struct {
		sync.Mutex
		items []T
	}
}

func newInbox[T any]() *inbox[T] { return &inbox[T]{bell: make(chan struct{}, 1)} }

func (b *inbox[T]) put(v T) {
	b.mu.Lock()
	b.mu.items = append(b.mu.items, v)
	b.mu.Unlock()
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

func (b *inbox[T]) take() []T {
	b.mu.Lock()
	defer b.mu.Unlock()
	items := b.mu.items
	b.mu.items = nil
	return items
}
