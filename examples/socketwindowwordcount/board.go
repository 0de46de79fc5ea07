package main

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A board keeps the counts of the newest window. It is what the job prints to: every line is `SUBTASK> WORD COUNT`. The results
// of a window come in one burst, so a line after a pause begins the next window.
type board struct {
	mu struct {
		sync.Mutex
		partial []byte // a line that is not complete yet
		current frame
		last    time.Time
	}
	changed chan struct{} // one token: something came since the last look
}

// A frame is the counts of one window.
type frame struct {
	Window int // 1, 2, ...
	Counts []entry
}

type entry struct {
	Subtask string
	Word    string
	Count   int
}

func newBoard() *board { return &board{changed: make(chan struct{}, 1)} }

// Write takes what the job prints.
func (b *board) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.partial = append(b.mu.partial, p...)
	for {
		line, rest, ok := bytes.Cut(b.mu.partial, []byte("\n"))
		if !ok {
			break
		}
		b.addLocked(string(line), time.Now())
		b.mu.partial = rest
	}
	select {
	case b.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (b *board) addLocked(line string, now time.Time) {
	if now.Sub(b.mu.last) > windowSize/5 {
		b.mu.current = frame{Window: b.mu.current.Window + 1}
	}
	b.mu.last = now
	if e, ok := parse(line); ok {
		b.mu.current.Counts = append(b.mu.current.Counts, e)
	}
}

func parse(line string) (e entry, ok bool) {
	subtask, rest, ok := strings.Cut(line, "> ")
	if !ok {
		return e, false
	}
	word, count, ok := strings.Cut(rest, " ")
	n, err := strconv.Atoi(count)
	return entry{subtask, word, n}, ok && err == nil
}

// frame is the newest window, largest counts first.
func (b *board) frame() frame {
	b.mu.Lock()
	f := b.mu.current
	f.Counts = slices.Clone(f.Counts)
	b.mu.Unlock()
	slices.SortFunc(f.Counts, func(x, y entry) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Word, y.Word))
	})
	return f
}

// words is how many words the window had.
func (f frame) words() int {
	n := 0
	for _, e := range f.Counts {
		n += e.Count
	}
	return n
}
