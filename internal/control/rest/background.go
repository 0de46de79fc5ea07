package rest

import (
	"context"
	"sync"
)

// A background is the goroutines that requests leave behind. They start while the server runs, and end with it.
type background struct {
	running sync.WaitGroup
	mu      sync.Mutex
	ctx     context.Context // of Run; nil: the server has not run yet
	ended   bool            // no more may start; ctx stays, for streams that look only then
}

func (b *background) open(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ctx = ctx
}

// over is closed from when the server is to end; nil: it does not run yet.
func (b *background) over() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ctx == nil {
		return nil
	}
	return b.ctx.Done()
}

// start runs f, which must end soon after its context, unless the server does not run.
func (b *background) start(f func(context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	ctx := b.ctx
	if ctx == nil || b.ended {
		return false
	}
	b.running.Go(func() { f(ctx) })
	return true
}

// wait lets no more start, and waits for those that have.
func (b *background) wait() {
	b.mu.Lock()
	b.ended = true
	b.mu.Unlock()
	b.running.Wait()
}
