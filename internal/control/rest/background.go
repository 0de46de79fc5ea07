package rest

import (
	"context"
	"sync"
)

// A background is the goroutines that requests leave behind. They may start as soon as there is a server, whose first request may come
// before Run does, and end with Run.
type background struct {
	ctx     context.Context // of all; it has ended when the server is to end
	end     context.CancelFunc
	running sync.WaitGroup
	mu      sync.Mutex // none starts while others are waited for
}

func newBackground() *background {
	b := &background{}
	b.ctx, b.end = context.WithCancel(context.Background())
	return b
}

// over is closed from when the server is to end.
func (b *background) over() <-chan struct{} { return b.ctx.Done() }

// start runs f, which must end soon after its context, unless the server is to end.
func (b *background) start(f func(context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ctx.Err() != nil {
		return false
	}
	b.running.Go(func() { f(b.ctx) })
	return true
}

// close lets no more start, and waits for those that have.
func (b *background) close() {
	b.mu.Lock()
	b.end()
	b.mu.Unlock()
	b.running.Wait()
}
