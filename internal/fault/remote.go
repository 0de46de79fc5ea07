package fault

// A Remote is an error of another process, of which only words have come.
type Remote struct {
	Text   string
	Type   string  // what Name said of it
	Causes []error // those inside it that could be had
}

// Error is the text that the error had.
func (r *Remote) Error() string { return r.Text }

// Unwrap is the errors inside it.
func (r *Remote) Unwrap() []error { return r.Causes }
