package operator

import "github.com/flott-dev/flott/internal/data/record"

// Output is the main output of an operator that emits O. It drops the records when nobody reads them. It hands the events that it
// gets to the side outputs too, after the main one.
func Output[O any](env *Env) record.Input[O] {
	main := orNobody[O](env.Out)
	if len(env.Events) == 0 {
		return main
	}
	return &withSides[O]{main, env.Events}
}

// SideOutput is the output that is read under a tag; read says whether anybody does. It gets records only: the events come by the
// main output.
func SideOutput[U any](env *Env, tag string) (out record.Input[U], read bool) {
	to := env.Side(tag)
	return orNobody[U](to), to != nil
}

func orNobody[O any](out any) record.Input[O] {
	if out == nil {
		return record.Fan[O]()
	}
	return out.(record.Input[O])
}

// withSides is a main output together with the side outputs, which get its events.
type withSides[O any] struct {
	record.Input[O]
	sides []record.Events
}

func (w *withSides[O]) Watermark(t int64) error {
	if err := w.Input.Watermark(t); err != nil {
		return err
	}
	for _, s := range w.sides {
		if err := s.Watermark(t); err != nil {
			return err
		}
	}
	return nil
}

func (w *withSides[O]) Idle(idle bool) error {
	if err := w.Input.Idle(idle); err != nil {
		return err
	}
	for _, s := range w.sides {
		if err := s.Idle(idle); err != nil {
			return err
		}
	}
	return nil
}
