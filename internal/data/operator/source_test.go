package operator_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/watermark"
)

// A script is a source with one reader that says what the test puts into it.
type script struct {
	assigned []string
	next     []read
	failure  error // what Read returns when there is nothing more to say
	closed   bool
}

type read struct {
	batch  connector.Batch[int64]
	status connector.Status
}

func (s *script) Bounded() bool { return true }
func (s *script) Enumerator(context.Context, connector.Setup) (connector.Enumerator, error) {
	panic("no task asks for it")
}
func (s *script) Reader(context.Context, func()) (connector.Reader[int64], error) { return s, nil }
func (s *script) Snapshot() ([]connector.Split, error)                            { return nil, nil }

func (s *script) Assign(splits []connector.Split) error {
	for _, split := range splits {
		s.assigned = append(s.assigned, split.ID)
	}
	return nil
}

func (s *script) Read(b *connector.Batch[int64]) (connector.Status, error) {
	if len(s.next) == 0 {
		return connector.Wait, s.failure
	}
	r := s.next[0]
	s.next = s.next[1:]
	b.V = append(b.V, r.batch.V...)
	b.TS = append(b.TS, r.batch.TS...)
	b.Split, b.End = r.batch.Split, r.batch.End
	return r.status, nil
}

func (s *script) Close() error {
	s.closed = true
	return nil
}

// records has the reader read records of a split next.
func (s *script) records(split string, v ...int64) {
	s.next = append(s.next, read{connector.Batch[int64]{Split: split, V: v}, connector.More})
}

// ends has the reader come to the end of a split, and then of all.
func (s *script) ends(split string, status connector.Status) {
	s.next = append(s.next, read{connector.Batch[int64]{Split: split, End: true}, status})
}

// A stage is a source operator, its reader, and what it says.
type stage struct {
	*rig
	tb testing.TB
	script
	tape[int64]
}

func newStage(tb testing.TB, w *watermark.Strategy[int64]) *stage {
	s := &stage{tb: tb}
	s.rig = newRig(tb, operator.Source[int64](&s.script, w), record.Input[int64](&s.tape))
	return s
}

// pull pulls until the source has nothing more.
func (s *stage) pull() operator.Pulled {
	s.tb.Helper()
	for {
		found, err := s.Operator.(operator.Puller).Pull()
		noError(s.tb, err)
		if found != operator.More {
			return found
		}
	}
}

// give answers the source's request for splits.
func (s *stage) give(done bool, ids ...string) {
	s.tb.Helper()
	if len(s.asks) != 1 {
		s.tb.Fatalf("%d requests for splits", len(s.asks))
	}
	var splits []connector.Split
	for _, id := range ids {
		splits = append(splits, connector.Split{ID: id})
	}
	answer := s.asks[0]
	s.asks = nil
	woken := s.wakes
	noError(s.tb, answer(splits, done))
	if s.wakes == woken {
		s.tb.Error("nobody wakes the source, which has splits now")
	}
}

// start gives the source its first splits.
func (s *stage) start(done bool, ids ...string) {
	s.tb.Helper()
	if s.pull() != operator.Waiting {
		s.tb.Fatal("a source without splits does not wait")
	}
	s.give(done, ids...)
}

func (s *stage) pass(ms int64) {
	s.tb.Helper()
	s.clock.pass(s.tb, ms)
}

func (s *stage) expect(want string) {
	s.tb.Helper()
	s.tape.expect(s.tb, want)
}

// ascending takes a number for its own event time.
func ascending() *watermark.Strategy[int64] {
	s := watermark.Monotonic(func(v int64) time.Time { return time.UnixMilli(v) })
	return &s
}

func idleAfter(d time.Duration) *watermark.Strategy[int64] {
	s := ascending().Idle(d)
	return &s
}

func TestSourceReadsSplitAfterSplit(t *testing.T) {
	s := newStage(t, nil)
	s.start(false, "a")
	s.records("a", 1, 2)
	s.next = append(s.next, read{connector.Batch[int64]{Split: "a", V: []int64{3}, TS: []int64{30}, End: true}, connector.Done})
	if s.pull() != operator.Waiting {
		t.Error("does not wait for the next split")
	}
	s.expect("1 2 | 3@30")

	s.give(true, "b")
	s.records("b", 4)
	s.ends("b", connector.Done)
	if s.pull() != operator.Ended {
		t.Error("does not end")
	}
	s.expect("4 | watermark end")
	if got := strings.Join(s.assigned, " "); got != "a b" {
		t.Errorf("the reader had splits %s", got)
	}
	noError(t, s.Close())
	if !s.closed {
		t.Error("the reader is not closed")
	}
}

func TestSourceWithoutAnySplitEnds(t *testing.T) {
	for _, w := range []*watermark.Strategy[int64]{nil, ascending()} {
		s := newStage(t, w)
		s.start(true)
		if s.pull() != operator.Ended {
			t.Error("does not end")
		}
		s.expect("watermark end")
	}
}

func TestSourceAsksOnce(t *testing.T) {
	s := newStage(t, nil)
	for range 3 {
		s.pull()
	}
	s.give(true)
	s.pull()
	if len(s.asks) != 0 {
		t.Error("asks again after the last splits")
	}
}

// Watermarks are sent once an interval, and at the end of a split.
func TestSourceSendsWatermarks(t *testing.T) {
	s := newStage(t, ascending())
	s.start(true, "a")
	s.records("a", 10, 30, 20)
	s.pull()
	s.expect("10@10 30@30 20@20")
	s.pass(199)
	s.expect("")
	s.pass(1)
	s.expect("watermark 29")
	s.pass(1000)
	s.expect("")
	if got := s.env.Metrics.Watermark.Load(); got != 29 {
		t.Errorf("metrics have watermark %d", got)
	}

	s.records("a", 50)
	s.ends("a", connector.Done)
	s.pull()
	s.expect("50@50 | watermark 49 | watermark end")
	s.pass(1000)
	s.expect("")
}

func TestSourceKeepsTheTimestampsOfItsReader(t *testing.T) {
	w := watermark.Monotonic[int64](nil)
	s := newStage(t, &w)
	s.start(true, "a")
	s.next = append(s.next, read{connector.Batch[int64]{Split: "a", V: []int64{1, 2}, TS: []int64{70, 80}}, connector.More})
	s.pull()
	s.pass(200)
	s.expect("1@70 2@80 | watermark 79")

	s.records("a", 3) // without
	if _, err := s.Operator.(operator.Puller).Pull(); err == nil || !strings.Contains(err.Error(), "no timestamp") {
		t.Errorf("got %v", err)
	}
}

// A split holds the watermark from when it is assigned, here two that a restored reader gets, not from its first record.
func TestScenario_B1(t *testing.T) {
	s := newStage(t, ascending())
	s.start(true, "S1", "S2")
	s.records("S1", 1000)
	s.pull()
	s.pass(1000)
	s.expect("1000@1000")

	s.records("S2", 10)
	s.pull()
	s.pass(200)
	s.expect("10@10 | watermark 9")
}

// The same while it runs: the first fetch after two splits were added has records of one only. A split that is behind the
// watermark does not pull it back.
func TestScenario_B2(t *testing.T) {
	s := newStage(t, ascending())
	s.start(false, "S0")
	s.records("S0", 5)
	s.ends("S0", connector.Done)
	s.pull()
	s.expect("5@5 | watermark 4")

	s.give(true, "S1", "S2")
	s.records("S1", 1000)
	s.pull()
	s.pass(1000)
	s.expect("1000@1000")

	s.records("S2", 3, 10)
	s.pull()
	s.pass(200)
	s.expect("3@3 10@10 | watermark 9")
}

// All splits are idle; one comes back with records at or below the watermark. That the source is active again is said before them.
func TestScenario_B4(t *testing.T) {
	s := newStage(t, idleAfter(time.Second))
	s.start(true, "S1", "S2")
	s.records("S1", 101)
	s.records("S2", 101)
	s.pull()
	s.pass(200)
	s.expect("101@101 | 101@101 | watermark 100")
	s.pass(1000)
	s.expect("idle")

	s.records("S1", 50, 90)
	s.pull()
	s.expect("active | 50@50 90@90")
	s.pass(200)
	s.expect("")
}

// Between its splits a source holds the watermark, since the next split may come at once; when none came for an interval, it is
// idle.
func TestScenario_B5(t *testing.T) {
	s := newStage(t, ascending())
	s.start(false, "bounded")
	s.pass(100) // half of the first interval
	s.records("bounded", 500)
	s.ends("bounded", connector.Done)
	s.pull()
	s.expect("500@500 | watermark 499")
	s.pass(299)
	s.expect("")
	s.pass(1)
	s.expect("idle")

	s.give(false, "unbounded")
	s.expect("active")
	s.records("unbounded", 700)
	s.pull()
	s.pass(200)
	s.expect("700@700 | watermark 699")

	s.ends("unbounded", connector.Done)
	s.pull()
	s.give(false, "at once")
	s.pass(1000)
	s.expect("")
}

// Before its first split a source is not idle, however long this takes to be found, unless the strategy has an Idle.
func TestSourceWaitsForItsFirstSplit(t *testing.T) {
	s := newStage(t, ascending())
	s.pull()
	s.pass(time.Hour.Milliseconds())
	s.expect("")

	s = newStage(t, idleAfter(time.Second))
	s.pull()
	s.pass(999)
	s.expect("")
	s.pass(201)
	s.expect("idle")
	s.give(true, "a")
	s.expect("active")
}

// A split that is silent is not waited for.
func TestSourceLeavesIdleSplitsBehind(t *testing.T) {
	s := newStage(t, idleAfter(time.Second))
	s.start(true, "a", "b")
	s.records("a", 10)
	s.records("b", 5)
	s.pull()
	s.pass(200)
	s.expect("10@10 | 5@5 | watermark 4")
	for v := int64(20); v < 80; v += 10 {
		s.records("a", v)
		s.pull()
		s.pass(200)
	}
	s.expect("20@20 | 30@30 | 40@40 | 50@50 | 60@60 | watermark 59 | 70@70 | watermark 69")
	s.records("b", 7) // late
	s.records("a", 80)
	s.pull()
	s.pass(200)
	s.expect("7@7 | 80@80")
}

// An Idle below the interval is kept, too.
func TestSourceLooksOftenEnough(t *testing.T) {
	s := newStage(t, idleAfter(50*time.Millisecond))
	s.start(true, "a")
	s.records("a", 10)
	s.pull()
	s.pass(100)
	s.expect("10@10 | watermark 9 | idle")
}

// A source that is idle at its end says that it is active, and sends the largest watermark.
func TestScenario_B8(t *testing.T) {
	s := newStage(t, idleAfter(time.Second))
	s.start(true, "a")
	s.records("a", 5)
	s.pull()
	s.pass(2000)
	s.expect("5@5 | watermark 4 | idle")
	s.ends("a", connector.Done)
	if s.pull() != operator.Ended {
		t.Error("does not end")
	}
	s.expect("active | watermark end")
}

// The only split has records, but the task waits for its outputs, for twice the time after which a split is idle.
func TestScenario_B10(t *testing.T) {
	s := newStage(t, idleAfter(time.Second))
	s.start(true, "a")
	s.records("a", 5)
	s.pull()
	s.pass(200)
	s.expect("5@5 | watermark 4")
	for range 20 { // back-pressured, with timers being served
		s.blocked += 100
		s.pass(100)
	}
	s.expect("")
	s.pass(800)
	s.expect("")
	s.pass(200) // now it really has had nothing for a second
	s.expect("idle")
}

// A source falls idle while a record is still in the next operator. Everything is said in order, behind that record.
func TestScenario_B17(t *testing.T) {
	s := &stage{tb: t}
	flat := newRig(t, operator.FlatMap(times), record.Input[int64](&s.tape))
	s.rig = newRig(t, operator.Source[int64](&s.script, idleAfter(500*time.Millisecond)), flat.Input(0))
	s.start(true, "a")
	s.records("a", 3)
	s.pull()
	s.pass(1000)
	s.expect("3@3 3@3 3@3 | watermark 2 | idle")
}

func TestSourceRefusesWhatReadersMustNotDo(t *testing.T) {
	for name, c := range map[string]struct {
		b    connector.Batch[int64]
		want string
	}{
		"too many records":  {connector.Batch[int64]{Split: "a", V: make([]int64, record.Size+1)}, "257 records"},
		"not enough times":  {connector.Batch[int64]{Split: "a", V: []int64{1, 2}, TS: []int64{1}}, "2 records and 1 timestamps"},
		"a foreign split":   {connector.Batch[int64]{Split: "b", V: []int64{1}}, `split "b"`},
		"end of no split":   {connector.Batch[int64]{Split: "b", End: true}, `split "b"`},
		"records and error": {connector.Batch[int64]{}, "broken"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, ascending())
			s.start(true, "a")
			if s.next = []read{{c.b, connector.More}}; c.want == "broken" {
				s.next, s.failure = nil, errors.New("broken")
			}
			_, err := s.Operator.(operator.Puller).Pull()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestSourceRefusesASplitAfterItsEnd(t *testing.T) {
	s := newStage(t, ascending())
	s.start(true, "a", "b")
	s.records("a", 1)
	s.ends("a", connector.More)
	s.pull()
	s.records("a", 2)
	if _, err := s.Operator.(operator.Puller).Pull(); err == nil || !strings.Contains(err.Error(), `split "a"`) {
		t.Errorf("got %v", err)
	}
}

// What the reader is lent is empty and the same each time, even if a filter behind shortened it.
func TestSourceLendsItsColumnsAgain(t *testing.T) {
	s := &stage{tb: t}
	filter := newRig(t, operator.Filter(odd), record.Input[int64](&s.tape))
	s.rig = newRig(t, operator.Source[int64](&s.script, nil), filter.Input(0))
	s.start(true, "a")
	for range 3 {
		s.records("a", 1, 2, 3)
	}
	s.pull()
	s.expect("1 3 | 1 3 | 1 3")
}

func TestSourceAllocatesNothingPerBatch(t *testing.T) {
	r := newRig(t, operator.Source[int64](endless{&script{}}, ascending()), record.Input[int64](&sum{}))
	p := r.Operator.(operator.Puller)
	_, err := p.Pull()
	noError(t, err)
	noError(t, r.asks[0]([]connector.Split{{ID: "a"}}, true))
	if n := testing.AllocsPerRun(20, func() { _, err = p.Pull() }); n != 0 || err != nil {
		t.Errorf("%v allocations per batch, error %v", n, err)
	}
}

// endless is a source and its reader: full batches of 0.
type endless struct{ *script }

func (e endless) Reader(context.Context, func()) (connector.Reader[int64], error) { return e, nil }

func (endless) Read(b *connector.Batch[int64]) (connector.Status, error) {
	b.V, b.Split = b.V[:cap(b.V)], "a"
	return connector.More, nil
}

// A status that is none would otherwise be waited for, for ever.
func TestSourceRefusesUnknownStatus(t *testing.T) {
	s := newStage(t, nil)
	s.start(false, "a")
	s.next = append(s.next, read{status: 7})
	_, err := s.Operator.(operator.Puller).Pull()
	if want := "the reader returned status 7, which is none of More, Wait and Done"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}
