package program

import (
	"fmt"
	"strings"
)

// A Rejection says why a program cannot be compiled. All graphs refuse programs with it.
type Rejection struct {
	At      *Transformation // the operator at fault; nil: the whole program
	Problem string          // one sentence, with the values at fault
}

// Reject makes a Rejection.
func Reject(t *Transformation, format string, args ...any) *Rejection {
	return &Rejection{At: t, Problem: fmt.Sprintf(format, args...)}
}

// Error names the operator, if there is one, and where the user made it.
func (r *Rejection) Error() string {
	switch {
	case r.At == nil:
		return r.Problem
	case r.At.Site == "":
		return fmt.Sprintf("operator %q: %s", r.At.Name, r.Problem)
	}
	return fmt.Sprintf("%s: operator %q: %s", r.At.Site, r.At.Name, r.Problem)
}

// Rejections are all mistakes of a program that one stage of compilation found.
type Rejections []*Rejection

// Error has a line for each mistake.
func (r Rejections) Error() string {
	lines := make([]string, len(r))
	for i, x := range r {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single mistakes to errors.As.
func (r Rejections) Unwrap() []error {
	errs := make([]error, len(r))
	for i, x := range r {
		errs[i] = x
	}
	return errs
}

// Err is nil where there are none.
func (r Rejections) Err() error {
	if len(r) == 0 {
		return nil
	}
	return r
}

// Add appends a mistake.
func (r *Rejections) Add(t *Transformation, format string, args ...any) {
	*r = append(*r, Reject(t, format, args...))
}
