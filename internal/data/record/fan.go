package record

// Fan sends everything to several inputs. With one input it is that input, with none it drops everything.
//
// An input is done with a batch when Receive returns. So all but the last get the columns marked as shared, since others read
// them afterwards; the last one may change them.
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
	last := len(f.to) - 1
	for i, in := range f.to {
		f.b = *b // a receiver may have changed which columns it was lent
		f.b.Shared = b.Shared || i < last
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
