package operator

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/decide/pace"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/watermark"
)

// Source runs the readers of a source. The watermark strategy is for each of its splits; with nil, there is no watermark but that
// of the end, and records have the timestamps that the source gives them, or none.
func Source[T any](from connector.Source[T], w *watermark.Strategy[T]) Constructor {
	return Func(func(env *Env) (Operator, error) {
		out := noted[T]{Output[T](env), env.Metrics}
		s := &source[T]{
			Through: Through[T]{out, halt.Of(env.Context)},
			env:     env,
			from:    from,
			pace:    env.pace(),
			v:       make([]T, 0, record.SizeOf[T]()),
			ts:      make([]int64, 0, record.SizeOf[T]()),
		}
		if w != nil {
			s.times = newSplitTimes(env, *w, out)
		}
		return s, nil
	})
}

type source[T any] struct {
	Through[T]
	env    *Env
	from   connector.Source[T]
	reader connector.Reader[T]
	times  *splitTimes[T] // nil: no strategy
	phase  phase
	last   bool // no splits come after those that the reader has
	pace   *pace.Pace

	v    []T // columns for the reader to fill, empty
	ts   []int64
	lent connector.Batch[T] // to the reader
	b    record.Batch[T]
}

// phase is where a source is with its splits.
//
//	           Pull              splits given             all read
//	hungry -----------> asking ----------------> reading ---------+
//	 |  ^                  | none given                           |
//	 |  +------------------+--------------------------------------+
//	 | Pull, and no more come
//	 +----------------------> done
type phase int

const (
	hungry phase = iota
	asking
	reading
	done
)

func (s *source[T]) Input(int) any { return nil }

func (s *source[T]) Open(ctx context.Context) (err error) {
	if s.times != nil {
		s.times.begin()
	}
	s.reader, err = s.from.Reader(ctx, s.env.Mails.Wake)
	return err
}

func (s *source[T]) Pull() (Pulled, error) {
	switch {
	case s.phase == reading:
		return s.read()
	case s.phase == hungry && !s.last:
		s.phase = asking
		s.env.Splits.Request(s.give)
		return Waiting, nil
	case s.phase == hungry:
		s.phase = done
		return Ended, s.finish()
	}
	return Waiting, nil
}

func (s *source[T]) give(splits []connector.Split, last bool) error {
	s.last = last
	s.phase = hungry
	s.env.Mails.Wake()
	if len(splits) == 0 {
		return nil
	}
	s.phase = reading
	if s.times != nil {
		if err := s.times.assign(splits); err != nil {
			return err
		}
	}
	return s.reader.Assign(splits)
}

// read reads one batch and passes it on. What the reader is lent is empty and the operator's own each time, whatever the reader
// and those downstream did to it.
func (s *source[T]) read() (Pulled, error) {
	b, most := &s.lent, min(s.pace.Begin(), cap(s.v))
	*b = connector.Batch[T]{V: s.v[:0:most], TS: s.ts[:0:most]}
	status, err := s.reader.Read(b)
	if err == nil && len(b.V) > 0 {
		err = s.send(b, most)
	}
	s.pace.End(len(b.V))
	if err == nil && b.End && s.times != nil {
		err = s.times.ended(b.Split)
	}
	switch status {
	case connector.More:
	case connector.Wait:
		return Waiting, err
	case connector.Done:
		s.phase = hungry
	default:
		err = errors.Join(err, fmt.Errorf("the reader returned status %d, which is none of More, Wait and Done", status))
	}
	return More, err
}

func (s *source[T]) send(b *connector.Batch[T], most int) error {
	s.b = record.Batch[T]{V: b.V}
	if len(b.TS) > 0 {
		s.b.TS = b.TS
	}
	if len(b.V) > most || s.b.TS != nil && len(b.TS) != len(b.V) {
		return fmt.Errorf("the reader filled a batch for %d records with %d records and %d timestamps", most, len(b.V), len(b.TS))
	}
	if s.times != nil {
		ts, err := s.times.read(b.Split, b.V, s.b.TS)
		if err != nil {
			return err
		}
		s.b.TS = ts
	}
	return s.Out.Receive(&s.b)
}

func (s *source[T]) finish() error {
	if s.times != nil {
		return s.times.finish()
	}
	return s.Out.Watermark(math.MaxInt64)
}

func (s *source[T]) Close() error {
	if s.times != nil {
		s.times.ticker.stop()
	}
	if s.reader == nil {
		return nil
	}
	return s.reader.Close()
}

// noted notes the watermark that a source sends last.
type noted[T any] struct {
	record.Input[T]
	metrics *Metrics
}

func (n noted[T]) Watermark(t int64) error {
	n.metrics.Watermark.Store(t)
	return n.Input.Watermark(t)
}
