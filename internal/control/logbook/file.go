package logbook

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// Read is the lines of a log file that somebody wants, oldest first, from a reader that begins at a byte of it, and where the last whole
// line ends. What does not look like a record of slog, such as the stack of a crash, is a line with nothing but a message.
func Read(from io.Reader, at int64, f Filter) (all []Line, last int64, err error) {
	all, last = []Line{}, at
	in := bufio.NewReader(from)
	for {
		text, err := in.ReadString('\n')
		if err != nil { // what has no end yet is for the next time
			return newest(all, f.Limit), last, ignoreEnd(err)
		}
		last += int64(len(text))
		l := Parse(strings.TrimSuffix(text, "\n"))
		if l.Seq = last; f.Passes(&l) {
			all = append(all, l)
		}
		if len(all) > 2*f.Limit {
			all = append(all[:0], newest(all, f.Limit)...)
		}
	}
}

func newest(all []Line, limit int) []Line { return all[max(0, len(all)-limit):] }

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Parse reads a line as slog.TextHandler writes it: KEY=VALUE, with quotes where they are needed.
func Parse(text string) Line {
	l := Line{Fields: map[string]string{}}
	for rest := text; rest != ""; {
		key, value, after, ok := pair(rest)
		if !ok {
			return foreign(text)
		}
		rest = after
		switch key {
		case "time":
			t, err := time.Parse(time.RFC3339, value)
			if err != nil {
				return foreign(text)
			}
			l.At = t.UnixMilli()
		case "level":
			l.Level = value
		case "msg":
			l.Message = clip(value)
		default:
			l.set(key, clip(value))
		}
	}
	if l.At == 0 || l.Level == "" {
		return foreign(text)
	}
	return l
}

func foreign(text string) Line { return Line{Message: clip(text), Fields: map[string]string{}} }

// pair reads KEY=VALUE and what separates it from the next.
func pair(text string) (key, value, rest string, ok bool) {
	if key, rest, ok = word(text, "="); !ok || !strings.HasPrefix(rest, "=") {
		return "", "", "", false
	}
	if value, rest, ok = word(rest[1:], " "); !ok {
		return "", "", "", false
	}
	return key, value, strings.TrimPrefix(rest, " "), true
}

// word reads a word, or one in quotes, up to an end.
func word(text, end string) (is, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		if i := strings.Index(text, end); i >= 0 {
			return text[:i], text[i:], true
		}
		return text, "", true
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", false
	}
	is, err = strconv.Unquote(quoted)
	return is, text[len(quoted):], err == nil
}
