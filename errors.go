package flott

import (
	"fmt"
	"strings"

	"github.com/flott-dev/flott/internal/graph/program"
)

// A ProgramError lists all that is wrong with a program. No part of the program has run.
type ProgramError struct {
	Job      string // the name given to Execute, Start or Plan
	Mistakes []*Mistake
}

// Error has a line per mistake.
func (e *ProgramError) Error() string {
	var b strings.Builder
	count := "1 mistake"
	if len(e.Mistakes) != 1 {
		count = fmt.Sprintf("%d mistakes", len(e.Mistakes))
	}
	fmt.Fprintf(&b, "flott: job %q has %s:", e.Job, count)
	for _, m := range e.Mistakes {
		b.WriteString("\n\t" + m.Error())
	}
	return b.String()
}

// Unwrap gives the mistakes to errors.Is and errors.As.
func (e *ProgramError) Unwrap() []error {
	errs := make([]error, len(e.Mistakes))
	for i, m := range e.Mistakes {
		errs[i] = m
	}
	return errs
}

// A Mistake is one thing that is wrong with a program.
type Mistake struct {
	Site     string // the line of the user's code, as "main.go:12"; "" where there is none
	Operator string // the name of the operator at fault; "" where it is the whole program
	Problem  string // what is wrong, with the values at fault, and what to do
	Err      error  // of a source, a sink or a function's open, where the problem is theirs; nil: none
}

// Error is one line.
func (m *Mistake) Error() string {
	var b strings.Builder
	if m.Site != "" {
		b.WriteString(m.Site + ": ")
	}
	if m.Operator != "" {
		fmt.Fprintf(&b, "operator %q: ", m.Operator)
	}
	b.WriteString(m.Problem)
	return b.String()
}

// Unwrap is the error of a source, a sink or a function's open.
func (m *Mistake) Unwrap() error { return m.Err }

// mistakeOf puts what a graph refused into the user's words.
func mistakeOf(r *program.Rejection) *Mistake {
	m := &Mistake{Problem: r.Problem}
	if r.At != nil {
		m.Site, m.Operator = r.At.Site, operatorName(r.At)
	}
	return m
}
