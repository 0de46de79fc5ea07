package taskmanager

import (
	"bytes"
	"io"
	"strings"
)

// both writes to two. Neither fails, so that a worker is not held up by a full disk.
type both [2]io.Writer

func (b both) Write(p []byte) (int, error) {
	for _, w := range b {
		_, _ = w.Write(p)
	}
	return len(p), nil
}

// A curtain is up when a mark was written, which nobody knows by chance. What comes before it and what comes behind it go to different
// places: up to the job, main prints on each worker what it has printed on the client. No writing fails, as with both.
type curtain struct {
	mark          []byte // nil: it is up
	before, after io.Writer
	held          []byte // the end of what came before; it may be the beginning of the mark
}

func (c *curtain) Write(p []byte) (int, error) {
	if c.mark == nil {
		_, _ = c.after.Write(p)
		return len(p), nil
	}
	c.held = append(c.held, p...)
	if before, after, up := bytes.Cut(c.held, c.mark); up {
		_, _ = c.before.Write(before)
		_, _ = c.after.Write(after)
		c.mark, c.held = nil, nil
	} else {
		n := max(0, len(c.held)-len(c.mark)+1)
		_, _ = c.before.Write(c.held[:n])
		c.held = append(c.held[:0], c.held[n:]...)
	}
	return len(p), nil
}

// flush passes on what was no mark.
func (c *curtain) flush() {
	_, _ = c.before.Write(c.held)
	c.held = nil
}

// mostLine is how long a line may be; a longer one is cut into several, each with an end: else lines of other workers would stand in it.
const mostLine = 8 << 20

// lines passes on what is written in whole lines, as many at a time as there are.
type lines struct {
	to   func([]byte)
	rest []byte // a line that has not ended yet
}

func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	if end := bytes.LastIndexByte(p, '\n') + 1; end > 0 {
		l.pass(p[:end])
		p = p[end:]
	}
	for len(l.rest)+len(p) > mostLine {
		end := mostLine - len(l.rest)
		l.rest = append(l.rest, p[:end]...)
		l.pass([]byte{'\n'})
		p = p[end:]
	}
	l.rest = append(l.rest, p...)
	return n, nil
}

// pass gives away what there is, with its end.
func (l *lines) pass(end []byte) {
	l.to(append(l.rest, end...))
	l.rest = nil
}

// flush passes on what has no end of line.
func (l *lines) flush() {
	if len(l.rest) > 0 {
		l.to(l.rest)
	}
	l.rest = nil
}

// Of what a worker writes to stderr, its first words since it was quiet matter as much as its last: a stack trace begins with what
// went wrong and may be long.
const mostTail = 16 << 10

// A tail keeps the beginning of the newest panic or fatal error, else the end.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if len(t.text) > 4*mostTail {
		t.text = append(t.text[:0], t.cut()...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.cut()) }

func (t *tail) cut() []byte {
	from := max(0, len(t.text)-mostTail)
	for _, words := range []string{"panic: ", "fatal error: ", "runtime: out of memory"} {
		if strings.HasPrefix(string(t.text), words) {
			from = 0
		} else if at := bytes.LastIndex(t.text, []byte("\n"+words)); at >= 0 {
			from = min(from, at+1)
		}
	}
	return t.text[from:min(len(t.text), from+mostTail)]
}
