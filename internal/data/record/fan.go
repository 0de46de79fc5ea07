package record

// Fan sends everything to several inputs; each batch is marked shared while it does. With one input it is that input, with none
// it drops everything.
func Fan[T any](to ...Input[T]) Input[T] {
	if len(to) == 1 {
		return to[0]
	}
	return &fan[T]{to: to}
}

type fan[T any] struct {
	to []Input[T]
	b  Batch[T] // what is lent, kept here so that lending does not allocate
}

func (f *fan[T]) Receive(b *Batch[T]) error {
	lent := Batch[T]{V: b.V, TS: b.TS, H: b.H, Shared: true}
	for _, in := range f.to {
		f.b = lent // a receiver may have changed the last one's columns
		if err := in.Receive(&f.b); err != nil {
			return err
		}
	}
	return nil
}

func (f *fan[T]) Watermark(t int64) error {
	for _, in := range f.to {
		if err := in.Watermark(t); err != nil {
			return err
		}
	}
	return nil
}

func (f *fan[T]) Idle(idle bool) error {
	for _, in := range f.to {
		if err := in.Idle(idle); err != nil {
			return err
		}
	}
	return nil
}
