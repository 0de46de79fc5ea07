package operator

// A ticker calls f every so many milliseconds of processing time, until it is stopped or f fails. It makes up for no ticks missed.
type ticker struct {
	clock  Clock
	every  int64
	f      func() error
	cancel func()
}

func (t *ticker) start(c Clock, every int64, f func() error) {
	t.clock, t.every, t.f = c, every, f
	t.next()
}

func (t *ticker) next() { t.cancel = t.clock.At(t.clock.Now()+t.every, t.tick) }

func (t *ticker) tick() error {
	t.next()
	return t.f()
}

// stop may be called twice, and without start.
func (t *ticker) stop() {
	if t.cancel != nil {
		t.cancel()
	}
}
