package shuffle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
	"pgregory.net/rapid"
)

// A rec is a record as the tests send it.
type rec struct {
	Seq int
	Key string
}

func keyOf(r rec) string { return r.Key }

var hashKey = func() func(string) uint64 {
	h, err := id.HashOf[string]()
	if err != nil {
		panic(err)
	}
	return h
}()

const maxParallelism = 128

var strategies = []program.Strategy{
	program.Forward, program.Global, program.Rebalance, program.Rescale, program.Shuffle, program.Broadcast, program.Hash, program.Custom,
}

func typedOf(s program.Strategy) any {
	switch s {
	case program.Hash:
		return ByKey(keyOf, hashKey)
	case program.Custom:
		return ByFunc(func(r rec, n int) int { return r.Seq * 7 % n })
	}
	return nil
}

// A rig is one producer and the gates of its consumers, all driven by the test's goroutine.
type rig struct {
	writer  Writer
	in      record.Input[rec]
	own     *Mailbox
	boxes   []*Mailbox
	gates   []Gate
	inboxes []*inbox
	wire    *wire // to consumers in another process; nil: there are none
	taken   int   // batches
}

// stride is how many records the next batch may have: few and many, in turn.
func (r *rig) stride() int {
	r.taken++
	return 1 + r.taken*r.taken%record.Size
}

// An inbox is what arrived at one consumer.
type inbox struct {
	records []rec
	ts      []int64 // NoWatermark: none
	places  []uint64
	keyed   bool
	events  []string
	// vandal changes batches in place as an operator does, unless they are shared
	vandal bool
}

func (i *inbox) Receive(b *record.Batch[rec]) error {
	i.records = append(i.records, b.V...)
	i.places = append(i.places, b.H...)
	i.keyed = i.keyed || b.H != nil
	for k := range b.V {
		t := int64(NoWatermark)
		if b.TS != nil {
			t = b.TS[k]
		}
		i.ts = append(i.ts, t)
	}
	i.events = append(i.events, fmt.Sprint(len(b.V)))
	if i.vandal && !b.Shared {
		b.V = append(b.V, rec{-1, "appended"})
		for k := range b.V {
			b.V[k] = rec{-1, "overwritten"}
		}
		clear(b.TS)
		clear(b.H)
	}
	return nil
}

func (i *inbox) Watermark(t int64) error {
	i.events = append(i.events, fmt.Sprintf("w%d", t))
	return nil
}

func (i *inbox) Idle(idle bool) error {
	i.events = append(i.events, fmt.Sprintf("idle=%t", idle))
	return nil
}

func newRig(s program.Strategy, parts, readers int) *rig { return newRigOver(nil, s, parts, readers) }

// newRigOver has every other consumer behind a wire.
func newRigOver(over *wire, s program.Strategy, parts, readers int) *rig {
	r := &rig{own: NewMailbox(), wire: over}
	route := Route{Strategy: s, Subtask: 1, MaxParallelism: maxParallelism, Box: r.own, Halted: new(halt.Flag)}
	for reader := range readers {
		var outlets []Outlet
		for part := range parts {
			box, in := NewMailbox(), &inbox{vandal: reader%2 == 0}
			o := NewOutlet(box, 0, 0)
			if over != nil && part%2 == 0 {
				at := over.address(reader*parts + part)
				box, o = over.box(at), over.here.outlet(opening{at, 0, 0}, r.own)
			}
			outlets = append(outlets, o)
			r.boxes = append(r.boxes, box)
			r.inboxes = append(r.inboxes, in)
			r.gates = append(r.gates, KindOf[rec]().Gate(record.Input[rec](in), nil))
		}
		route.Targets = append(route.Targets, outlets)
	}
	w, err := KindOf[rec]().Writer(route, typedOf(s))
	if err != nil {
		panic(err)
	}
	r.writer, r.in = w, w.Input().(record.Input[rec])
	return r
}

// consume lets consumer c take at most n messages, and says how many it took.
func (r *rig) consume(c, n int) (took int) {
	r.wire.move()
	for ; took < n; took++ {
		m := r.boxes[c].Next()
		if m == nil {
			break
		}
		for m.Records() {
			must(r.gates[c].Receive(m, r.stride()))
		}
		if m.Progress {
			must(r.gates[c].Watermark(m.Watermark))
		}
	}
	return took
}

func (r *rig) consumeAll() {
	for again := true; again; {
		again = false
		for c := range r.boxes {
			again = r.consume(c, 1<<30) > 0 || again
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Every partitioner, fed with batches of random sizes, flushed and read at random moments: each record reaches the consumers that it
// should, unharmed and in order.
func TestPartitioners(t *testing.T) {
	for _, s := range strategies {
		t.Run(string(s), rapid.MakeCheck(func(t *rapid.T) {
			parts := rapid.IntRange(1, 9).Draw(t, "parts")
			readers := rapid.IntRange(1, 2).Draw(t, "readers")
			var over *wire
			if rapid.Bool().Draw(t, "two processes") {
				over = newWire()
			}
			r := newRigOver(over, s, parts, readers)
			sent := drive(t, r, parts*readers)
			for reader := range readers {
				check(t, s, sent, r.inboxes[reader*parts:(reader+1)*parts])
			}
		}))
	}
}

func drive(t *rapid.T, r *rig, consumers int) (sent []rec) {
	timed := false
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		switch rapid.IntRange(0, 5).Draw(t, "step") {
		case 0:
			must(flush(r))
		case 1:
			r.consume(rapid.IntRange(0, consumers-1).Draw(t, "consumer"), 1)
		case 2:
			timed = !timed
		default:
			n := rapid.IntRange(1, record.Size).Draw(t, "records")
			for !r.writer.Ready() {
				r.consumeAll()
			}
			sent = send(r, sent, n, timed)
		}
	}
	must(flush(r))
	r.consumeAll()
	return sent
}

// flush flushes without ever waiting.
func flush(r *rig) error {
	if !r.writer.Ready() {
		r.consumeAll()
	}
	return r.writer.Flush()
}

func send(r *rig, sent []rec, n int, timed bool) []rec {
	b := record.Batch[rec]{}
	for range n {
		v := rec{len(sent), fmt.Sprint("key ", len(sent)*len(sent)%37)}
		sent = append(sent, v)
		b.V = append(b.V, v)
		if timed {
			b.TS = append(b.TS, stamp(v))
		}
	}
	must(r.in.Receive(&b))
	return sent
}

func stamp(r rec) int64 { return int64(r.Seq) * 10 }

func check(t *rapid.T, s program.Strategy, sent []rec, consumers []*inbox) {
	copies := make([]int, len(sent))
	least, most := len(sent), 0
	for c, in := range consumers {
		least, most = min(least, len(in.records)), max(most, len(in.records))
		last := -1
		for k, v := range in.records {
			if v.Seq < 0 || v.Seq >= len(sent) || v != sent[v.Seq] {
				t.Fatalf("%v was never sent", v)
			}
			if v.Seq <= last {
				t.Fatalf("consumer %d got record %d after %d", c, v.Seq, last)
			}
			if ts := in.ts[k]; ts != NoWatermark && ts != stamp(v) {
				t.Fatalf("record %d has timestamp %d", v.Seq, ts)
			}
			last = v.Seq
			copies[v.Seq]++
			checkPart(t, s, in, k, c, len(consumers))
		}
	}
	for seq, n := range copies {
		if want := map[bool]int{false: 1, true: len(consumers)}[s == program.Broadcast]; n != want {
			t.Fatalf("record %d of %d arrived %d times, want %d", seq, len(sent), n, want)
		}
	}
	if (s == program.Rebalance || s == program.Rescale) && most-least > 1 {
		t.Fatalf("consumers got between %d and %d records", least, most)
	}
}

// checkPart checks that consumer c of n should have got the record in.records[k].
func checkPart(t *rapid.T, s program.Strategy, in *inbox, k, c, n int) {
	v, want := in.records[k], c
	switch s {
	case program.Forward, program.Global:
		want = 0
	case program.Custom:
		want = v.Seq * 7 % n
	case program.Hash:
		groups := id.KeyGroupsOf(maxParallelism)
		place := groups.Place(hashKey(v.Key))
		if in.places[k] != place {
			t.Fatalf("record %v has place %x, want %x", v, in.places[k], place)
		}
		want = groups.Subtask(groups.OfPlace(place), n)
	}
	if want != c {
		t.Fatalf("record %v went to consumer %d of %d, want %d", v, c, n, want)
	}
	if in.keyed != (s == program.Hash) {
		t.Fatalf("%s: records with hash: %t", s, in.keyed)
	}
}

func TestShuffleIsEven(t *testing.T) {
	const parts, n = 4, 40_000
	r := newRig(program.Shuffle, parts, 1)
	for sent := []rec(nil); len(sent) < n; {
		sent = send(r, sent, 200, false)
		r.consumeAll()
	}
	must(flush(r))
	r.consumeAll()
	for c, in := range r.inboxes {
		if got := len(in.records); got < n/parts*9/10 || got > n/parts*11/10 {
			t.Errorf("consumer %d got %d of %d records", c, got, n)
		}
	}
}

func TestEventsFollowRecords(t *testing.T) {
	r := newRig(program.Hash, 2, 1)
	sent := send(r, nil, 10, true)
	must(r.in.Watermark(5))
	sent = send(r, sent, 10, true)
	must(r.in.Idle(true))
	must(r.writer.End())
	for _, box := range r.boxes {
		var got []string
		for m := box.Next(); m != nil; m = box.Next() {
			records := m.Records()
			m.From = m.To
			got = append(got, fmt.Sprintf("records=%t w=%d idle=%t end=%t", records, m.Watermark, m.Idle, m.End))
		}
		want := "records=true w=5 idle=false end=false\nrecords=true w=5 idle=true end=false\nrecords=false w=5 idle=true end=true"
		if s := strings.Join(got, "\n"); s != want {
			t.Errorf("messages:\n%s\nwant:\n%s", s, want)
		}
	}
	if len(sent) != 20 {
		t.Fatal("sent", len(sent))
	}
}

func TestPartitionerOutOfRange(t *testing.T) {
	for _, p := range []int{-1, 3} {
		route := Route{Strategy: program.Custom, Box: NewMailbox(), Halted: new(halt.Flag), Targets: [][]Outlet{make([]Outlet, 3)}}
		w, err := KindOf[int]().Writer(route, ByFunc(func(int, int) int { return p }))
		must(err)
		err = w.Input().(record.Input[int]).Receive(&record.Batch[int]{V: []int{1}})
		if want := fmt.Sprintf("the partitioner returned %d; there are 3 subtasks", p); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestWrongTypedEdge(t *testing.T) {
	route := Route{Strategy: program.Hash, Box: NewMailbox(), Targets: [][]Outlet{make([]Outlet, 1)}}
	if _, err := KindOf[int]().Writer(route, ByKey(keyOf, hashKey)); err == nil || !strings.Contains(err.Error(), "int") {
		t.Errorf("a key selector of other records: %v", err)
	}
	if _, err := KindOf[int]().Writer(Route{Strategy: "ODD"}, nil); err == nil {
		t.Error("an unknown strategy makes a writer")
	}
}

// A large view reaches the input in batches, and gives its block back with the last one.
func TestGateCutsViews(t *testing.T) {
	r := newRig(program.Forward, 1, 1)
	r.inboxes[0].vandal = false
	sent := []rec(nil)
	for len(sent) < blockRecords {
		sent = send(r, sent, record.Size, true)
	}
	w := r.writer.(*writer[rec])
	if w.pool.mu.away != 1 {
		t.Fatalf("%d blocks are away after a full one", w.pool.mu.away)
	}
	m := r.boxes[0].Next()
	for n := 1; m.Records(); n++ {
		must(r.gates[0].Receive(m, record.Size))
		if left := w.pool.mu.away; (left == 1) != m.Records() {
			t.Errorf("after batch %d %d blocks are away", n, left)
		}
	}
	batches := record.SizeOf[rec]()
	if got := len(r.inboxes[0].events); got != blockRecords/batches {
		t.Errorf("%d batches, want %d", got, blockRecords/batches)
	}
}

func TestBlockSize(t *testing.T) {
	type wide struct{ _ [10_000]byte }
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"few consumers", blockSize[int64](1), blockRecords},
		{"16 records for each of 100", blockSize[int64](100), 1600},
		{"as many as fit 256 KB", blockSize[int64](5000), blockBytes / (8 + 8 + 8)},
		{"wide rows", blockSize[wide](100), blockBytes / (10_000 + 8 + 8)},
		{"rows wider than a block", blockSize[[blockBytes]byte](100), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d records, want %d", c.name, c.got, c.want)
		}
	}
}

// A trickle does not make full blocks.
func TestColumnsGrow(t *testing.T) {
	r := newRig(program.Hash, 2, 1)
	w := r.writer.(*writer[rec])
	var sent []rec
	for range 100 {
		sent = send(r, sent, 1, true)
		must(flush(r))
		r.consumeAll()
	}
	if n := len(w.stage.v); n != firstRecords {
		t.Errorf("the stage has room for %d records, want %d", n, firstRecords)
	}
	for range 100 {
		sent = send(r, sent, 100, true)
		r.consumeAll()
	}
	if n := len(w.stage.v); n != blockRecords {
		t.Errorf("the stage has room for %d records, want %d", n, blockRecords)
	}
}
