// Package inbox has the queue through which goroutines of the shells are told what to do.
package inbox

import "sync"

// An Inbox is a queue without bounds, so that nobody who puts something into it waits. One goroutine takes it out: when the bell
// rings, all there is.
type Inbox[T any] struct {
	bell chan struct{} // has a token when something was put since the last take
	mu   struct {
		sync.Mutex
		items []T
	}
}

// New is an empty inbox.
func New[T any]() *Inbox[T] { return &Inbox[T]{bell: make(chan struct{}, 1)} }

// Bell has something to receive when something was put since the last Take.
func (b *Inbox[T]) Bell() <-chan struct{} { return b.bell }

// Put adds v.
func (b *Inbox[T]) Put(v T) {
	b.mu.Lock()
	b.mu.items = append(b.mu.items, v)
	b.mu.Unlock()
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

// Take is all there is, in the order in which it was put.
func (b *Inbox[T]) Take() []T {
	b.mu.Lock()
	defer b.mu.Unlock()
	items := b.mu.items
	b.mu.items = nil
	return items
}
