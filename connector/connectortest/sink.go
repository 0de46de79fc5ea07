package connectortest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott/connector"
)

// A SinkCase is a sink under test. Its records are compared by what fmt prints of them for %+v.
type SinkCase[T any] struct {
	// New makes a sink that writes to a new, empty place, and a function that reads what is durable there: all records, those of a
	// subtask in their order.
	New func() (s connector.Sink[T], durable func() ([]T, error))
	// Record makes record i, different from all others.
	Record func(i int) T
	// Broken, if there is one, makes a sink that cannot write.
	Broken func() connector.Sink[T]
}

// Sink checks that a sink keeps the contract of connector.Sink:
//
//   - every record is written exactly once, those of a subtask in their order;
//   - what was written is durable after Flush;
//   - the slices given to Write are neither changed nor kept;
//   - a write that fails is reported, by the last Flush at the latest, and Close works after it;
//   - Close may be called twice and without a Flush, and leaves no goroutine.
func Sink[T any](t testing.TB, c SinkCase[T]) {
	t.Helper()
	check := checkLeaks(t)
	for _, parallelism := range []int{1, 3} {
		what := fmt.Sprintf("parallelism %d", parallelism)
		newSinking(t, c, parallelism).run()
		check(what)
		newSinking(t, c, parallelism).abandon()
		check(what + ", closed without a flush")
	}
	if c.Broken != nil {
		checkBroken(t, c)
		check("a sink that cannot write")
	}
}

// A sinking plays the engine for one sink.
type sinking[T any] struct {
	testing.TB
	c       SinkCase[T]
	durable func() ([]T, error)
	writers []connector.Writer[T]
	written [][]string // per subtask, as text
	made    int        // records so far
}

func newSinking[T any](t testing.TB, c SinkCase[T], parallelism int) *sinking[T] {
	t.Helper()
	sink, durable := c.New()
	s := &sinking[T]{TB: t, c: c, durable: durable, written: make([][]string, parallelism)}
	for subtask := range parallelism {
		w, err := sink.Writer(t.Context(), subtask, parallelism)
		s.noError("Writer", err)
		s.writers = append(s.writers, w)
	}
	return s
}

func (s *sinking[T]) noError(what string, err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("parallelism %d: %s: %v", len(s.written), what, err)
	}
}

// run writes batches of several sizes with a flush between them, and compares what is durable after each flush.
func (s *sinking[T]) run() {
	s.Helper()
	for _, end := range []bool{false, true} {
		for _, size := range []int{1, 256, 3, 40} {
			s.writeAll(size)
		}
		for _, w := range s.writers {
			s.noError("Flush", w.Flush(end))
		}
		s.compare(fmt.Sprintf("after Flush(%v)", end))
	}
	s.close()
	s.compare("after Close")
}

func (s *sinking[T]) abandon() {
	s.Helper()
	s.writeAll(256)
	s.close()
}

// writeAll gives a batch to every subtask.
func (s *sinking[T]) writeAll(size int) {
	s.Helper()
	for subtask, w := range s.writers {
		v, ts := make([]T, size), make([]int64, size)
		for i := range v {
			v[i], ts[i] = s.c.Record(s.made), int64(s.made)
			s.written[subtask] = append(s.written[subtask], text(v[i]))
			s.made++
		}
		if size%2 == 0 {
			ts = nil
		}
		lent, lentTS := slices.Clone(v), slices.Clone(ts)
		s.noError("Write", w.Write(lent, lentTS))
		for i := range v {
			if text(lent[i]) != text(v[i]) {
				s.Fatalf("Write changed record %v to %v", v[i], lent[i])
			}
		}
		if !slices.Equal(lentTS, ts) {
			s.Fatalf("Write changed the times")
		}
		clear(lent) // the engine uses it again
		clear(lentTS)
	}
}

// hint is the usual reason for records that are others than those written.
const hint = " (were the slices of Write kept? They are lent)"

// excerpt shows the first few records in which a list differs from another one.
func excerpt(list, other []string) string {
	const most = 5
	same := 0
	for same < min(len(list), len(other)) && list[same] == other[same] {
		same++
	}
	rest := list[same:]
	text := strings.Join(rest[:min(most, len(rest))], ", ")
	switch {
	case len(rest) == 0:
		return "nothing more"
	case len(rest) > most:
		return fmt.Sprintf("%s, ... (%d more)", text, len(rest)-most)
	}
	return text
}

// compare finds the records of each subtask among what is durable, in their order.
func (s *sinking[T]) compare(when string) {
	s.Helper()
	records, err := s.durable()
	s.noError("reading "+when, err)
	from := map[string]int{}
	for subtask, written := range s.written {
		for _, v := range written {
			from[v] = subtask
		}
	}
	got := make([][]string, len(s.written))
	for _, v := range records {
		subtask, ok := from[text(v)]
		if !ok {
			s.Fatalf("%s: record %+v was never written%s", when, v, hint)
		}
		got[subtask] = append(got[subtask], text(v))
	}
	for subtask, written := range s.written {
		if !slices.Equal(got[subtask], written) {
			s.Fatalf("%s: subtask %d of %d wrote %d records, and %d are there%s; from the first difference on\nwritten: %s\nthere:   %s",
				when, subtask, len(s.written), len(written), len(got[subtask]), hint, excerpt(written, got[subtask]), excerpt(got[subtask], written))
		}
	}
}

func (s *sinking[T]) close() {
	s.Helper()
	for _, call := range []string{"Close", "second Close"} {
		for _, w := range s.writers {
			s.noError(call, w.Close())
		}
	}
}

// checkBroken checks that a sink that cannot write says so.
func checkBroken[T any](t testing.TB, c SinkCase[T]) {
	t.Helper()
	w, err := c.Broken().Writer(t.Context(), 0, 1)
	if err != nil {
		return
	}
	err = w.Write([]T{c.Record(0)}, nil)
	if err == nil {
		err = w.Flush(true)
	}
	if err == nil {
		t.Errorf("a sink that cannot write reported no error")
	}
	for range 2 {
		_ = w.Close() // may fail as well, but must return
	}
}
