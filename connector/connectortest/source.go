package connectortest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector"
)

// A SourceCase is a source under test. Its records are compared by what fmt prints of them for %+v.
type SourceCase[T any] struct {
	// New makes the source. All of them must make the same records in the same splits.
	New func() connector.Source[T]
	// Want is every record, in any order. Unless there is one at most, some split must have several: the suite goes on in
	// their middle.
	Want []T
	// Once says that the source cannot go back, such as one that reads a connection: it is not restored, and New may return other
	// splits each time.
	Once bool
	// MaxParallelism bounds the number of readers; 0: some.
	MaxParallelism int
	// Silent, if there is one, makes a source that is not at its end but has no record for as long as the test runs.
	Silent func() connector.Source[T]
}

// Source checks that a source keeps the contract of connector.Source:
//
//   - every record comes exactly once, at any parallelism and capacity of batches;
//   - a batch is one split's, within its capacity, with as many times as records or none;
//   - after a snapshot between any two batches, other readers, perhaps more or fewer, go on exactly there, in each split in the
//     same order;
//   - no call blocks; who said Wait calls wake;
//   - Close may be called twice and at any time, and leaves no goroutine.
func Source[T any](t testing.TB, c SourceCase[T]) {
	t.Helper()
	check := checkLeaks(t)
	wentOn := false
	for _, parallelism := range parallelisms(c.MaxParallelism) {
		var reference map[string][]string
		for _, p := range plans(parallelism, c.Once) {
			r := newRun(t, c, p)
			r.toEnd()
			r.compareRecords()
			wentOn = wentOn || r.wentOn()
			switch {
			case c.Once:
			case reference == nil:
				reference = r.records
			default:
				r.compareOrder(reference)
			}
			check(p.String())
		}
	}
	if !c.Once && !wentOn && len(c.Want) > 1 {
		t.Errorf("the case has too few records a split to test going on: no restore met a split in its middle")
	}
	if c.Silent != nil {
		checkSilent(t, c)
		check("a silent source")
	}
}

func parallelisms(most int) []int {
	if most == 0 {
		most = 3
	}
	return slices.DeleteFunc([]int{1, 2, 3}, func(n int) bool { return n > most })
}

// A plan is one way to run a source to its end.
type plan struct {
	parallelism int // at the start
	capacity    int // of batches
	every       int // restore before the first batch, and after this many; 0: never
	change      int // added to the parallelism at each restore, modulo most
	most        int
}

func (p plan) String() string {
	s := fmt.Sprintf("parallelism %d, batches of %d", p.parallelism, p.capacity)
	if p.every > 0 {
		s += fmt.Sprintf(", restored every %d batches", p.every)
	}
	if p.change > 0 {
		s += ", each time with another parallelism"
	}
	return s
}

// plans are the ways to run a source at a parallelism; the first one is a plain run.
func plans(parallelism int, once bool) []plan {
	plans := []plan{
		{parallelism: parallelism, capacity: 256},
		{parallelism: parallelism, capacity: 1},
		{parallelism: parallelism, capacity: 7},
	}
	if once {
		return plans
	}
	return append(plans,
		plan{parallelism: parallelism, capacity: 256, every: 1},
		plan{parallelism: parallelism, capacity: 1, every: 1}, // meets any split in its middle
		plan{parallelism: parallelism, capacity: 1, every: 1, change: 1, most: 4},
		plan{parallelism: parallelism, capacity: 5, every: 3},
		plan{parallelism: parallelism, capacity: 2, every: 17, change: 1, most: 4},
	)
}

// A run plays the engine for one source.
type run[T any] struct {
	testing.TB
	c         SourceCase[T]
	plan      plan
	ctx       context.Context
	batches   int
	total     int // records
	fruitless int // reads in a row that brought nothing and said More

	enumerator connector.Enumerator
	readers    []*running[T]
	records    map[string][]string // per split that the enumerator gave, as text, over all restores
	restored   map[string]int      // per split that a restore met begun, the records read before the first such one
}

// running is a reader with what the engine knows of it.
type running[T any] struct {
	connector.Reader[T]
	subtask int
	wake    chan struct{}
	splits  map[string]bool // assigned and not at their end
	done    bool            // no more splits come
	batch   connector.Batch[T]
}

func newRun[T any](t testing.TB, c SourceCase[T], p plan) *run[T] {
	t.Helper()
	r := &run[T]{TB: t, c: c, plan: p, ctx: t.Context(), records: map[string][]string{}, restored: map[string]int{}}
	r.start(p.parallelism, nil, nil)
	return r
}

func (r *run[T]) fatalf(format string, args ...any) {
	r.Helper()
	r.Fatalf("%v: "+format, append([]any{r.plan}, args...)...)
}

func (r *run[T]) noError(what string, err error) {
	r.Helper()
	if err != nil {
		r.fatalf("%s: %v", what, err)
	}
}

func (r *run[T]) within(what string, f func() error) {
	r.Helper()
	var err error
	within(r, r.plan.String()+": "+what, func() { err = f() })
	r.noError(what, err)
}

// start makes an enumerator and readers, from nothing or from what was restored.
func (r *run[T]) start(parallelism int, restored []byte, splits []connector.Split) {
	r.Helper()
	source := r.c.New()
	r.within("Enumerator", func() (err error) {
		r.enumerator, err = source.Enumerator(r.ctx, connector.Setup{Parallelism: parallelism, Restored: restored})
		return err
	})
	r.readers = nil
	for subtask := range parallelism {
		wake := make(chan struct{}, 1)
		reader, err := source.Reader(r.ctx, func() {
			select {
			case wake <- struct{}{}:
			default:
			}
		})
		r.noError("Reader", err)
		one := &running[T]{Reader: reader, subtask: subtask, wake: wake, splits: map[string]bool{}}
		one.batch = connector.Batch[T]{V: make([]T, 0, r.plan.capacity), TS: make([]int64, 0, r.plan.capacity)}
		r.readers = append(r.readers, one)
	}
	for i := range splits {
		r.assign(r.readers[i%parallelism], splits[i:i+1])
	}
}

// toEnd runs the source until each reader is at its end, and closes everything.
func (r *run[T]) toEnd() {
	r.Helper()
	next := 0
	for restores := 0; !r.atEnd(); {
		if r.plan.every > 0 && r.batches >= next {
			r.restore()
			restores++
			next = r.batches + r.plan.every*(1+restores/20) // more and more rarely: it costs far more than a record
		}
		for _, one := range r.readers {
			r.step(one)
		}
	}
	r.stop()
}

func (r *run[T]) atEnd() bool {
	return !slices.ContainsFunc(r.readers, func(one *running[T]) bool { return !one.done })
}

// step reads one batch.
func (r *run[T]) step(one *running[T]) {
	r.Helper()
	if one.done {
		return
	}
	one.batch.Reset()
	var status connector.Status
	r.within("Read", func() (err error) {
		status, err = one.Read(&one.batch)
		return err
	})
	r.take(one)
	r.fruitless++
	switch status {
	case connector.More:
		if r.fruitless > maxFruitless {
			r.fatalf("Read said More %d times and brought nothing; with nothing ready it should say Wait, and call wake", maxFruitless)
		}
	case connector.Wait:
		r.fruitless = 0
		r.waitFor(one)
	case connector.Done:
		r.ask(one)
	default:
		r.fatalf("Read said %d, which is no status", status)
	}
}

// maxFruitless is how often a reader may be called for nothing.
const maxFruitless = 10_000

// take checks a batch and keeps its records.
func (r *run[T]) take(one *running[T]) {
	r.Helper()
	b := &one.batch
	switch {
	case len(b.V) == 0 && !b.End:
		return
	case !one.splits[b.Split]:
		r.fatalf("a batch of split %q, which this reader has not, or not any more", b.Split)
	case len(b.V) > r.plan.capacity:
		r.fatalf("a batch of %d records", len(b.V))
	case len(b.TS) != 0 && len(b.TS) != len(b.V):
		r.fatalf("a batch of %d records with %d times", len(b.V), len(b.TS))
	}
	r.batches++
	r.fruitless = 0
	for _, v := range b.V {
		r.records[b.Split] = append(r.records[b.Split], text(v))
	}
	if r.total += len(b.V); r.total > len(r.c.Want) {
		r.compareRecords()
	}
	clear(b.V) // what was read is the engine's
	if b.End {
		delete(one.splits, b.Split)
	}
}

func text[T any](v T) string { return fmt.Sprintf("%+v", v) }

func (r *run[T]) waitFor(one *running[T]) {
	r.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-one.wake:
	case <-timeout.C:
		r.fatalf("Read said Wait, and nobody called wake in %v", patience)
	}
}

// ask gets a reader splits.
func (r *run[T]) ask(one *running[T]) {
	r.Helper()
	if len(one.splits) > 0 {
		r.fatalf("Read said Done before the end of splits %v", sorted(one.splits))
	}
	var splits []connector.Split
	r.within("Next", func() (err error) {
		splits, one.done, err = r.enumerator.Next(r.ctx, one.subtask)
		return err
	})
	for _, s := range splits {
		if _, before := r.records[s.ID]; before {
			r.fatalf("split %q was handed out twice", s.ID)
		}
		r.records[s.ID] = nil
	}
	if len(splits) > 0 {
		one.done = false // it has to read them; then it asks again
		r.assign(one, splits)
	}
}

func (r *run[T]) assign(one *running[T], splits []connector.Split) {
	r.Helper()
	for _, s := range splits {
		one.splits[s.ID] = true
	}
	r.within("Assign", func() error { return one.Assign(splits) })
}

// restore replaces everything by what is made from a snapshot.
func (r *run[T]) restore() {
	r.Helper()
	var state []byte
	r.within("Snapshot of the enumerator", func() (err error) {
		state, err = r.enumerator.Snapshot()
		return err
	})
	if state == nil {
		r.fatalf("the enumerator's snapshot is nil, which means a first start")
	}
	var splits []connector.Split
	for _, one := range r.readers {
		splits = append(splits, r.snapshot(one)...)
	}
	r.noteBegun(splits)
	parallelism := len(r.readers)
	if r.plan.change > 0 {
		parallelism = (parallelism+r.plan.change-1)%r.plan.most + 1
	}
	r.stop()
	r.start(parallelism, state, splits)
}

func (r *run[T]) noteBegun(splits []connector.Split) {
	for _, s := range splits {
		if n := len(r.records[s.ID]); n > 0 && r.restored[s.ID] == 0 {
			r.restored[s.ID] = n
		}
	}
}

// wentOn says, at the end, whether a restore met a split in its middle: some records were read, and some came after.
func (r *run[T]) wentOn() bool {
	for split, n := range r.restored {
		if n < len(r.records[split]) {
			return true
		}
	}
	return false
}

// snapshot takes the splits of a reader, which must be those that it has to read.
func (r *run[T]) snapshot(one *running[T]) (splits []connector.Split) {
	r.Helper()
	r.within("Snapshot of a reader", func() (err error) {
		splits, err = one.Snapshot()
		return err
	})
	found := map[string]bool{}
	for _, s := range splits {
		found[s.ID] = true
	}
	if !maps.Equal(found, one.splits) || len(found) != len(splits) {
		r.fatalf("a reader's snapshot has splits %v; at their end are not %v", sorted(found), sorted(one.splits))
	}
	return splits
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// stop closes everything, twice.
func (r *run[T]) stop() {
	r.Helper()
	for _, call := range []string{"Close", "second Close"} {
		for _, one := range r.readers {
			r.within(call+" of a reader", one.Close)
		}
		r.within(call+" of the enumerator", r.enumerator.Close)
	}
}

// compareRecords compares what was read from all splits with what the source has.
func (r *run[T]) compareRecords() {
	r.Helper()
	count := map[string]int{}
	for _, v := range r.c.Want {
		count[text(v)]++
	}
	for _, split := range r.records {
		for _, v := range split {
			count[v]--
		}
	}
	for _, v := range slices.Sorted(maps.Keys(count)) {
		if n := count[v]; n < 0 {
			r.fatalf("record %s came %d times more than Want says", v, -n)
		}
	}
	for _, v := range slices.Sorted(maps.Keys(count)) {
		if n := count[v]; n > 0 {
			r.fatalf("record %s is missing %d times", v, n)
		}
	}
}

// compareOrder compares each split with the same one of a plain run.
func (r *run[T]) compareOrder(reference map[string][]string) {
	r.Helper()
	for split, want := range reference {
		if !slices.Equal(r.records[split], want) {
			r.fatalf("split %q has records in another order than in a plain run; from the first difference on\nplain: %s\nhere:  %s",
				split, excerpt(want, r.records[split]), excerpt(r.records[split], want))
		}
	}
}

// checkSilent checks that a reader without records waits, and can be closed.
func checkSilent[T any](t testing.TB, c SourceCase[T]) {
	t.Helper()
	c.New, c.Want = c.Silent, nil
	r := newRun(t, c, plan{parallelism: 1, capacity: 256})
	one := r.readers[0]
	r.ask(one)
	one.batch.Reset()
	r.within("Read", func() error {
		status, err := one.Read(&one.batch)
		if err == nil && (status != connector.Wait || len(one.batch.V) > 0) {
			return fmt.Errorf("a source that has nothing yet said %d with %d records", status, len(one.batch.V))
		}
		return err
	})
	r.stop()
}
