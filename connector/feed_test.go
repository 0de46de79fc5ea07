package connector_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
)

// fed is a source whose splits "a", "b", ... have size records each, read by a feed.
type fed struct {
	splits []string
	read   func(ctx context.Context, out *connector.Feed[string], split string, from int64) error
}

func (s fed) Bounded() bool { return true }

func (s fed) Enumerator(_ context.Context, setup connector.Setup) (connector.Enumerator, error) {
	var splits []connector.Split
	for _, id := range s.splits {
		splits = append(splits, connector.Split{ID: id})
	}
	return connector.OnDemand(setup, splits)
}

func (s fed) Reader(ctx context.Context, wake func()) (connector.Reader[string], error) {
	return connector.NewFeed(ctx, wake, s.read), nil
}

// counting emits size records, the odd ones with a time.
func counting(size int64) func(context.Context, *connector.Feed[string], string, int64) error {
	return func(_ context.Context, out *connector.Feed[string], split string, from int64) error {
		for i := from; i < size; i++ {
			emit := out.Emit
			if i%2 == 1 {
				emit = func(v string, next int64) error { return out.EmitAt(v, i, next) }
			}
			if err := emit(fmt.Sprint(split, i), i+1); err != nil {
				return err
			}
		}
		return nil
	}
}

// silent emits nothing and waits for its end.
func silent(ctx context.Context, _ *connector.Feed[string], _ string, _ int64) error {
	<-ctx.Done()
	return nil
}

func TestFeedConforms(t *testing.T) {
	for _, size := range []int64{0, 2, 300} {
		splits := strings.Fields("a b c")
		var want []string
		for _, s := range splits {
			for i := range size {
				want = append(want, fmt.Sprint(s, i))
			}
		}
		connectortest.Source(t, connectortest.SourceCase[string]{
			New:    func() connector.Source[string] { return fed{splits, counting(size)} },
			Want:   want,
			Silent: func() connector.Source[string] { return fed{splits, silent} },
		})
	}
}

// start assigns one split to a reader of read.
func start(t *testing.T, wake func(), read func(ctx context.Context, out *connector.Feed[string], split string, from int64) error) connector.Reader[string] {
	t.Helper()
	r := connector.NewFeed(t.Context(), wake, read)
	t.Cleanup(func() { _ = r.Close() })
	if err := r.Assign([]connector.Split{{ID: "a"}}); err != nil {
		t.Fatal(err)
	}
	return r
}

func newBatch() *connector.Batch[string] {
	return &connector.Batch[string]{V: make([]string, 0, 256), TS: make([]int64, 0, 256)}
}

// A record must be there at once, also while the function that emitted it waits for the next one.
func TestFeedShowsUnfinishedChunk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wakes := 0
		r := start(t, func() { wakes++ }, func(ctx context.Context, out *connector.Feed[string], _ string, _ int64) error {
			if err := out.Emit("x", 1); err != nil {
				return err
			}
			<-ctx.Done()
			return nil
		})
		synctest.Wait()
		b := newBatch()
		if status, err := r.Read(b); err != nil || status != connector.More || len(b.V) != 1 {
			t.Errorf("Read gave %q, %v, %v; want the record", b.V, status, err)
		}
		b.Reset()
		if status, err := r.Read(b); err != nil || status != connector.Wait {
			t.Errorf("Read said %v, %v; want Wait", status, err)
		}
		if wakes != 0 {
			t.Errorf("%d wakes, but nobody waited", wakes)
		}
	})
}

func TestFeedWakesOncePerWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wakes, again := 0, make(chan struct{})
		r := start(t, func() { wakes++ }, func(_ context.Context, out *connector.Feed[string], _ string, _ int64) error {
			<-again
			for i := range int64(100) {
				if err := out.Emit("x", i+1); err != nil {
					return err
				}
			}
			return nil
		})
		if status, err := r.Read(newBatch()); err != nil || status != connector.Wait {
			t.Fatalf("Read said %v, %v; want Wait", status, err)
		}
		close(again)
		synctest.Wait()
		if wakes != 1 {
			t.Errorf("%d wakes for one wait", wakes)
		}
	})
}

// What a feed reads ahead is bounded.
func TestFeedHoldsUpTheReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		emitted := 0
		r := start(t, func() {}, func(_ context.Context, out *connector.Feed[string], _ string, _ int64) error {
			for {
				if err := out.Emit("x", int64(emitted)); err != nil {
					return err
				}
				emitted++
			}
		})
		synctest.Wait()
		if emitted != 1024 {
			t.Errorf("read %d records ahead, want 1024", emitted)
		}
		if _, err := r.Read(newBatch()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if emitted != 1280 {
			t.Errorf("read %d records after one batch was taken, want 1280", emitted)
		}
	})
}

func TestFeedReportsErrorsBehindTheRecords(t *testing.T) {
	broken := errors.New("line broken")
	for name, c := range map[string]struct {
		fail func() error
		want string
	}{
		"error": {func() error { return broken }, "line broken"},
		"panic": {func() error { panic("boom") }, `panic while reading split "a": boom`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, func() {}, func(_ context.Context, out *connector.Feed[string], _ string, _ int64) error {
					if err := out.Emit("x", 1); err != nil {
						return err
					}
					return c.fail()
				})
				synctest.Wait()
				b := newBatch()
				if _, err := r.Read(b); err != nil || len(b.V) != 1 {
					t.Fatalf("first Read: %q, %v; want the record and no error", b.V, err)
				}
				for range 2 {
					b.Reset()
					if _, err := r.Read(b); err == nil || !strings.Contains(err.Error(), c.want) {
						t.Errorf("Read returned %v, want %q in it", err, c.want)
					}
				}
				if name == "panic" {
					return
				}
				if _, err := r.Read(b); !errors.Is(err, broken) {
					t.Errorf("Read returned %v, which is not the function's own error", err)
				}
			})
		})
	}
}

// A function that returns nil because it was cancelled has not reached the end of its split.
func TestCancelledFeedDoesNotEndItsSplit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := connector.NewFeed(ctx, func() {}, silent)
		defer func() { _ = r.Close() }()
		if err := r.Assign([]connector.Split{{ID: "a"}}); err != nil {
			t.Fatal(err)
		}
		cancel()
		synctest.Wait()
		b := newBatch()
		if _, err := r.Read(b); !errors.Is(err, context.Canceled) || b.End {
			t.Errorf("Read returned %v, end %v; want the cancellation", err, b.End)
		}
		if splits, err := r.Snapshot(); err != nil || len(splits) != 1 {
			t.Errorf("Snapshot has %v, %v; want the split", splits, err)
		}
	})
}

func TestFeedRefusesWrongPosition(t *testing.T) {
	r := connector.NewFeed(t.Context(), func() {}, silent)
	defer func() { _ = r.Close() }()
	if err := r.Assign([]connector.Split{{ID: "a", Position: []byte("-1")}}); err == nil {
		t.Error("Assign took position -1")
	}
}

func BenchmarkFeed(b *testing.B) {
	wake := make(chan struct{}, 1)
	r := connector.NewFeed(b.Context(), func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}, func(_ context.Context, out *connector.Feed[string], _ string, _ int64) error {
		for i := int64(0); ; i++ {
			if err := out.Emit("x", i); err != nil {
				return err
			}
		}
	})
	if err := r.Assign([]connector.Split{{ID: "a"}}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n, batch := 0, newBatch()
	for b.Loop() {
		batch.Reset()
		status, err := r.Read(batch)
		if err != nil {
			b.Fatal(err)
		}
		n += len(batch.V)
		if status == connector.Wait {
			<-wake
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/record")
	if err := r.Close(); err != nil {
		b.Fatal(err)
	}
}

// Who emits a record and then waits for its reader, and who reads one and then waits for a wake, never both sleep.
func TestFeedLosesNoWake(t *testing.T) {
	const n = 20_000
	wake := make(chan struct{}, 1)
	var taken atomic.Int64 // looked at without rest, so that both sides meet within nanoseconds
	r := start(t, func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}, func(ctx context.Context, out *connector.Feed[string], _ string, _ int64) error {
		for i := range int64(n) {
			if err := out.Emit("x", i+1); err != nil {
				return err
			}
			for looks := 0; taken.Load() == i; looks++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if looks > 1000 { // the reader may have to wait for this core
					runtime.Gosched()
				}
			}
		}
		return nil
	})
	for got, b := 0, newBatch(); ; {
		b.Reset()
		status, err := r.Read(b)
		switch {
		case err != nil:
			t.Fatal(err)
		case status == connector.Done:
			if got != n {
				t.Errorf("read %d records, want %d", got, n)
			}
			return
		case len(b.V) > 0:
			got += len(b.V)
			taken.Add(1)
			for range got % 200 {
				taken.Load() // a little later each time
			}
		case status == connector.Wait:
			select {
			case <-wake:
			case <-time.After(time.Minute):
				t.Fatalf("nobody called wake after %d records", got)
			}
		}
	}
}
