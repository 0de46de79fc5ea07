package progress

// An Effect is what is to be said downstream after an event, in the order of the fields. The zero value is nothing.
type Effect struct {
	Active    bool  // records and watermarks come again
	Advanced  bool  // Watermark is the new watermark
	Watermark int64 // if Advanced
	Idle      bool  // no records or watermarks come for a while
}

// An Output takes watermarks and idleness: a record.Input of any type.
type Output interface {
	Watermark(t int64) error
	Idle(idle bool) error
}

// Send says it to out.
func (e Effect) Send(out Output) error {
	if e.Active {
		if err := out.Idle(false); err != nil {
			return err
		}
	}
	if e.Advanced {
		if err := out.Watermark(e.Watermark); err != nil {
			return err
		}
	}
	if e.Idle {
		return out.Idle(true)
	}
	return nil
}
