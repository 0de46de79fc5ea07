package record

import (
	"fmt"
	"reflect"
)

// Sides are the side outputs of an operator whose user code emits to them by tag. Who reads one is looked up once.
//
// Errors are kept until Flush, as an Emitter keeps them.
type Sides struct {
	open  func(tag string) any // an Input, or nil when nobody reads it
	known []side               // few, so that looking through them is faster than a map
	err   error
}

type side struct {
	tag     string
	emitter flusher
}

type flusher interface{ Flush() error }

// NewSides opens side outputs by open.
func NewSides(open func(tag string) any) *Sides { return &Sides{open: open} }

// Emit adds a record to the side output of a tag, if somebody reads it.
func (s *Sides) Emit[U any](tag string, v U, ts int64) {
	if e, ok := s.side[U](tag).(*Emitter[U]); ok {
		e.Emit(v, ts)
	}
}

func (s *Sides) side[U any](tag string) flusher {
	for i := range s.known {
		if s.known[i].tag == tag {
			return s.known[i].emitter
		}
	}
	e := s.connect[U](tag)
	s.known = append(s.known, side{tag, e})
	return e
}

func (s *Sides) connect[U any](tag string) flusher {
	switch in := s.open(tag).(type) {
	case nil:
		return nil
	case Input[U]:
		return NewEmitter(in)
	}
	if s.err == nil {
		s.err = fmt.Errorf("side output %q is read as another type than %v, which is emitted to it", tag, reflect.TypeFor[U]())
	}
	return nil
}

// Flush sends what was gathered and returns the first error that there ever was.
func (s *Sides) Flush() error {
	for _, k := range s.known {
		if k.emitter == nil {
			continue
		}
		if err := k.emitter.Flush(); err != nil && s.err == nil {
			s.err = err
		}
	}
	return s.err
}
