// Package logbook keeps the newest lines of a log in memory, and reads lines of log files, for people to look through.
package logbook

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// A Line is a record of a log.
type Line struct {
	Seq     int64             `json:"seq"` // counts up; of a file the byte behind the line
	At      int64             `json:"at"`  // milliseconds since the epoch; 0: the line does not say
	Level   string            `json:"level"`
	Message string            `json:"message"`
	Job     string            `json:"job,omitempty"` // id
	Task    string            `json:"task,omitempty"`
	Attempt string            `json:"attempt,omitempty"`
	Fields  map[string]string `json:"fields"` // all others
}

// A Filter says which lines somebody wants: the newest Limit of those that are after a number, of a level at least, and have a text in
// message or fields.
type Filter struct {
	After int64
	Level slog.Level
	Query string // lower case
	Limit int
}

// Passes says that a line is wanted. One whose level is not known, as in the stack of a crash, is wanted at all levels.
func (f *Filter) Passes(l *Line) bool {
	var level slog.Level
	if l.Level != "" && level.UnmarshalText([]byte(l.Level)) == nil && level < f.Level {
		return false
	}
	return l.Seq > f.After && l.has(f.Query)
}

func (l *Line) has(query string) bool {
	in := func(s string) bool { return strings.Contains(strings.ToLower(s), query) }
	if query == "" || in(l.Message) || in(l.Job) || in(l.Task) {
		return true
	}
	for key, value := range l.Fields {
		if in(key + "=" + value) {
			return true
		}
	}
	return false
}

// set puts the value of an attribute where it belongs.
func (l *Line) set(key, value string) {
	switch key {
	case "job_id":
		l.Job = value
	case "task":
		l.Task = value
	case "attempt":
		l.Attempt = value
	default:
		l.Fields[key] = value
	}
}

const (
	mostLines = 5000
	mostValue = 4 << 10 // bytes of a message or an attribute
	mostBytes = 4 << 20 // of all lines together, about
)

// A Book is the newest lines of this process's log.
type Book struct {
	mu struct {
		sync.Mutex
		lines []Line // oldest first
		bytes int
		last  int64 // number of the newest
	}
}

// New is a book without lines.
func New() *Book { return &Book{} }

// Lines is the lines that somebody wants, oldest first, and the number of the newest line that there is.
func (b *Book) Lines(f Filter) (all []Line, last int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all = []Line{}
	for i := len(b.mu.lines) - 1; i >= 0 && len(all) < f.Limit && b.mu.lines[i].Seq > f.After; i-- {
		if f.Passes(&b.mu.lines[i]) {
			all = append(all, b.mu.lines[i])
		}
	}
	slices.Reverse(all)
	return all, b.mu.last
}

func (b *Book) add(l Line) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.last++
	l.Seq = b.mu.last
	b.mu.lines = append(b.mu.lines, l)
	b.mu.bytes += l.bytes()
	drop := 0
	for ; len(b.mu.lines)-drop > mostLines || b.mu.bytes > mostBytes; drop++ {
		b.mu.bytes -= b.mu.lines[drop].bytes()
	}
	b.mu.lines = slices.Delete(b.mu.lines, 0, drop)
}

// bytes is about what a line takes.
func (l *Line) bytes() int {
	n := 200 + len(l.Message) + len(l.Job) + len(l.Task)
	for key, value := range l.Fields {
		n += 50 + len(key) + len(value)
	}
	return n
}

// Handler adds records to the book, from Info on.
func (b *Book) Handler() slog.Handler { return &handler{book: b} }

type handler struct {
	book   *Book
	fields []field // that all its records have
	prefix string  // of groups, with a point behind each
}

type field struct{ key, value string }

// Enabled is for Info and above.
func (h *handler) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }

// Handle adds a record.
func (h *handler) Handle(_ context.Context, r slog.Record) error {
	l := Line{At: r.Time.UnixMilli(), Level: r.Level.String(), Message: clip(r.Message), Fields: map[string]string{}}
	all := slices.Clone(h.fields)
	r.Attrs(func(a slog.Attr) bool {
		all = flatten(all, h.prefix, a)
		return true
	})
	for _, f := range all {
		l.set(f.key, f.value)
	}
	h.book.add(l)
	return nil
}

// WithAttrs is a handler whose records have these, too.
func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *h
	next.fields = slices.Clone(h.fields)
	for _, a := range attrs {
		next.fields = flatten(next.fields, h.prefix, a)
	}
	return &next
}

// WithGroup is a handler whose attributes have a name in front of theirs.
func (h *handler) WithGroup(name string) slog.Handler {
	next := *h
	if name != "" {
		next.prefix += name + "."
	}
	return &next
}

// flatten adds an attribute, or all those of a group.
func flatten(all []field, prefix string, a slog.Attr) []field {
	value := a.Value.Resolve()
	switch {
	case a.Equal(slog.Attr{}):
		return all
	case value.Kind() != slog.KindGroup:
		return append(all, field{prefix + a.Key, clip(value.String())})
	case a.Key != "":
		prefix += a.Key + "."
	}
	for _, inner := range value.Group() {
		all = flatten(all, prefix, inner)
	}
	return all
}

func clip(s string) string {
	if len(s) <= mostValue {
		return s
	}
	return strings.ToValidUTF8(s[:mostValue], "") + "..."
}
