package shuffle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/hostile"
	"github.com/flott-dev/flott/internal/id"
	"pgregory.net/rapid"
)

// A wire is the links of two workers with each other, and moves between them when the test says so.
type wire struct {
	here, there *Link
	directory   *Directory // of there
}

func newWire() *wire {
	d := NewDirectory()
	return &wire{NewLink("there", NewDirectory()), NewLink("here", d), d}
}

// address is that of a task of there.
func (w *wire) address(n int) address { return address{subtaskOf{id.Vertex{7}, n}, 1} }

func (w *wire) box(at address) *Mailbox {
	return w.directory.Mailbox(at.vertex, at.subtask, at.attempt)
}

// move moves what there is, both ways, until there is nothing more.
func (w *wire) move() (moved bool) {
	if w == nil {
		return false
	}
	for pass(w.here, w.there) || pass(w.there, w.here) {
		moved = true
	}
	return moved
}

func pass(from, to *Link) bool {
	pieces := from.Next()
	must(feed(to, bytes.Join(pieces, nil)))
	return len(pieces) > 0
}

// feed lets a link read frames.
func feed(l *Link, frames []byte) error {
	r := bufio.NewReader(bytes.NewReader(frames))
	for {
		if err := l.Read(r); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// known is how many channels both ends know.
func (w *wire) known() int { return len(w.here.mu.channels) + len(w.there.mu.inlets) }

// A lane is a producer here, and its consumer there.
type lane[T any] struct {
	*wire
	own    *Mailbox // the producer's
	writer Writer
	in     record.Input[T]

	box  *Mailbox // the consumer's
	gate Gate
	sink *recorder[T]
}

func newLane[T any](w *wire, at address, channel int, set *codec.Set) *lane[T] {
	l := &lane[T]{wire: w, own: NewMailbox(), box: w.box(at), sink: &recorder[T]{}}
	writer, err := KindOf[T]().Writer(Route{
		Strategy: program.Forward, Box: l.own, Codecs: set,
		Targets: [][]Outlet{{w.here.outlet(opening{at, 0, channel}, l.own)}},
	}, nil)
	must(err)
	l.writer, l.in = writer, writer.Input().(record.Input[T])
	l.gate = KindOf[T]().Gate(record.Input[T](l.sink), set)
	return l
}

// lanes are producers of as many consumers.
func lanes[T any](w *wire, n int) (all []*lane[T]) {
	for i := range n {
		all = append(all, newLane[T](w, w.address(i), 0, nil))
	}
	return all
}

// send sends a record at a time, as long as there are blocks, and says how many.
func (l *lane[T]) send(v T, most int) (n int) {
	for ; n < most && l.writer.Ready(); n++ {
		must(l.in.Receive(&record.Batch[T]{V: []T{v}}))
		must(l.writer.Flush())
		l.move()
	}
	return n
}

// take takes all messages, and says how many.
func (l *lane[T]) take() (n int) {
	for m := l.box.Next(); m != nil; m = l.box.Next() {
		n++
		for m.Records() {
			must(l.gate.Receive(m, record.Size))
		}
		if m.Progress {
			must(l.gate.Watermark(m.Watermark))
			must(l.gate.Idle(m.Idle))
		}
		if m.End {
			l.sink.said = append(l.sink.said, "end")
		}
	}
	return n
}

// A recorder keeps what it gets.
type recorder[T any] struct {
	n    int
	said []string
	last T
}

func (r *recorder[T]) Receive(b *record.Batch[T]) error {
	r.n += len(b.V)
	r.last = b.V[len(b.V)-1]
	r.said = append(r.said, fmt.Sprint(len(b.V)))
	return nil
}

func (r *recorder[T]) Watermark(t int64) error {
	r.said = append(r.said, fmt.Sprint("watermark ", t))
	return nil
}

func (r *recorder[T]) Idle(idle bool) error {
	r.said = append(r.said, fmt.Sprint("idle ", idle))
	return nil
}

// note is a record of n bytes.
func note(n int) string { return strings.Repeat("x", n) }

// failure is the error with which a task was told to fail.
func failure(b *Mailbox) error {
	var all []error
	for _, mail := range b.Attend() {
		all = append(all, errors.Unwrap(mail()))
	}
	return errors.Join(all...)
}

func TestSlowConsumerStallsOnlyItsChannels(t *testing.T) {
	all := lanes[string](newWire(), 2)
	slow, quick := all[0], all[1]
	const most = 1000
	sent := slow.send(note(frameBytes), most)
	if sent >= most {
		t.Errorf("a consumer that reads nothing took %d frames", sent)
	}
	in, _ := slow.box.Traffic()
	if _, out := slow.own.Traffic(); in > (1+leastFloats)*(frameBytes+1000) || out < int64(sent*frameBytes) {
		t.Errorf("%d bytes of %d went to a consumer that reads nothing", in, out)
	}
	for range most {
		if quick.send(note(frameBytes), 1) == 0 {
			t.Fatal("the other consumer has to wait, too")
		}
		quick.take()
		quick.move()
	}
	if quick.sink.n != most {
		t.Errorf("%d records arrived", quick.sink.n)
	}
	for slow.take() > 0 {
		slow.move()
	}
	if !slow.writer.Ready() || slow.sink.n != sent {
		t.Errorf("after %d records of %d were read the producer is ready: %t", slow.sink.n, sent, slow.writer.Ready())
	}
}

// Channels with a backlog take turns, whatever each has.
func TestChannelsTakeTurns(t *testing.T) {
	w := newWire()
	all := lanes[string](w, 3)
	for _, l := range all {
		for range credit {
			must(l.in.Receive(&record.Batch[string]{V: []string{note(frameBytes)}}))
			must(l.writer.Flush())
		}
	}
	w.move()
	for _, l := range all {
		if n := len(l.box.mu.queue); n != credit {
			t.Errorf("%d frames have arrived, want %d", n, credit)
		}
	}
}

func TestProgressOverTheWire(t *testing.T) {
	w := newWire()
	l := lanes[int](w, 1)[0]
	step := func(do error, want string) {
		t.Helper()
		must(do)
		w.move()
		l.take()
		if got := strings.Join(l.sink.said, ", "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		l.sink.said = nil
	}
	step(l.in.Watermark(5), "watermark 5, idle false")
	step(l.in.Idle(true), "watermark 5, idle true")
	must(l.in.Receive(&record.Batch[int]{V: []int{1, 2}}))
	must(l.in.Idle(false))
	must(l.in.Watermark(6)) // joins what waits
	step(nil, "2, watermark 6, idle false")
	must(l.in.Watermark(math.MaxInt64))
	step(l.writer.End(), "watermark 9223372036854775807, idle false, end")
	if w.known() > 0 {
		t.Error("a channel that has ended is still known")
	}
}

// Watermarks go on to a consumer that reads nothing, and neither its mailbox nor the sender's memory grows.
func TestWatermarksDoNotPileUp(t *testing.T) {
	w := newWire()
	l := lanes[int](w, 1)[0]
	for i := range 10 * crowded {
		must(l.in.Watermark(int64(i)))
		w.move()
	}
	if n := len(l.box.mu.queue); n > crowded {
		t.Errorf("%d messages wait", n)
	}
	l.take()
	if got := l.sink.said[len(l.sink.said)-2]; got != fmt.Sprint("watermark ", 10*crowded-1) {
		t.Errorf("the last is %q", got)
	}
}

func TestLongRecords(t *testing.T) {
	w := newWire()
	l := lanes[string](w, 1)[0]
	var all []string
	for i := range 64 {
		all = append(all, note(100<<10+i))
	}
	must(l.in.Receive(&record.Batch[string]{V: all}))
	must(l.writer.Flush())
	for w.move(); l.take() > 0; w.move() {
	}
	if l.sink.n != 64 || l.sink.last != all[63] || len(l.sink.said) < 4 {
		t.Errorf("%d records in batches of %v", l.sink.n, l.sink.said)
	}
	must(l.in.Receive(&record.Batch[string]{V: []string{note(maxFrame)}}))
	if err := l.writer.Flush(); err == nil || !strings.Contains(err.Error(), "too long for another process") {
		t.Errorf("a record longer than a frame: %v", err)
	}
}

// What comes before its task is there waits for it.
func TestRecordsWaitForTheirTask(t *testing.T) {
	w := newWire()
	at := w.address(0)
	writer, err := KindOf[int]().Writer(Route{
		Strategy: program.Forward, Box: NewMailbox(), Targets: [][]Outlet{{w.here.outlet(opening{at, 0, 0}, NewMailbox())}},
	}, nil)
	must(err)
	must(writer.Input().(record.Input[int]).Receive(&record.Batch[int]{V: []int{1}}))
	must(writer.Flush())
	w.move()
	if m := w.box(at).Next(); m == nil || !m.Records() {
		t.Error("the record is not there")
	}
}

// What comes for an attempt that was replaced goes nowhere.
func TestOldAttempts(t *testing.T) {
	w := newWire()
	l := lanes[int](w, 1)[0]
	at := w.address(0)
	box := w.directory.Mailbox(at.vertex, at.subtask, at.attempt+1)
	l.send(1, 1)
	if box.up()|l.box.up() != 0 {
		t.Error("a record for an old attempt arrived")
	}
	if b := w.box(at); b == box || b == l.box {
		t.Error("the old attempt has a mailbox that others know")
	}
	if w.directory.Mailbox(at.vertex, at.subtask, at.attempt+1) != box {
		t.Error("the new attempt has lost its mailbox")
	}
}

func TestBrokenLinkFailsItsTasks(t *testing.T) {
	w := newWire()
	all := lanes[string](w, 4)
	ended, open, waiting, unused := all[0], all[1], all[2], all[3]
	ended.send("a", 1)
	ended.take()
	must(ended.writer.End())
	open.send("a", 1)
	for waiting.send(note(frameBytes), 1) > 0 {
	}
	w.here.Break(errors.New("cut"))
	w.there.Break(errors.New("cut"))
	for i, want := range []struct{ here, there bool }{{false, false}, {true, true}, {true, true}, {true, false}} {
		says(t, all[i].own, want.here, `connection to worker "there": cut`)
		says(t, all[i].box, want.there, `connection to worker "here": cut`)
	}
	if waiting.send("late", 10) != 10 {
		t.Error("blocks did not come home")
	}
	unused.send("late", 1)
	for _, l := range []*lane[string]{waiting, unused} {
		says(t, l.own, false, "")
	}
	says(t, newLane[string](w, w.address(4), 0, nil).own, true, `connection to worker "there": cut`)
}

func says(t *testing.T, b *Mailbox, fails bool, why string) {
	t.Helper()
	if err := failure(b); (err != nil) != fails || (fails && err.Error() != why) {
		t.Errorf("a task was told to fail with %v, want %t: %s", err, fails, why)
	}
}

func TestGivenUpChannels(t *testing.T) {
	w := newWire()
	l := lanes[string](w, 1)[0]
	for range 2 { // the first time there is no backlog yet, and so no float
		l.send(note(frameBytes), credit)
		l.take()
		w.move()
	}
	if l.box.floats.mu.free == leastFloats {
		t.Error("no float is used")
	}
	must(l.in.Receive(&record.Batch[string]{V: []string{"staged"}}))
	l.writer.Close()
	l.writer.Close()
	if !l.writer.Ready() {
		t.Error("blocks did not come home")
	}
	must(l.writer.End())
	w.move()
	if w.known() > 0 {
		t.Error("the channel is still known")
	}
	l.take()
	if f := &l.box.floats; f.mu.free != f.mu.made {
		t.Errorf("%d of %d floats are there", f.mu.free, f.mu.made)
	}
	for _, b := range []*Mailbox{l.own, l.box} {
		says(t, b, false, "")
	}
}

// A channel that its producer has ended and closed still sends what waits.
func TestClosingEndsNothingEarly(t *testing.T) {
	w := newWire()
	l := lanes[string](w, 1)[0]
	sent := 0
	for l.send(note(frameBytes), 1) > 0 {
		sent++
	}
	must(l.writer.End())
	l.writer.Close()
	for w.move(); l.take() > 0; w.move() {
	}
	if l.sink.n != sent || l.sink.said[len(l.sink.said)-1] != "end" || w.known() > 0 {
		t.Errorf("%d records of %d arrived, the last is %q", l.sink.n, sent, l.sink.said[len(l.sink.said)-1])
	}
}

// A picky codec knows only some values.
type picky struct{ codec.Codec[int] }

func (p picky) Append(dst []byte, v *int) ([]byte, error) {
	if *v == 1 {
		return dst, errors.New("no ones")
	}
	return p.Codec.Append(dst, v)
}

func TestRecordsThatCannotBeEncoded(t *testing.T) {
	own, err := codec.Of[int]()
	must(err)
	set := &codec.Set{}
	must(codec.Register[int](set, picky{own}))
	w := newWire()
	l := newLane[int](w, w.address(0), 0, set)
	l.send(0, 1)
	must(l.in.Receive(&record.Batch[int]{V: []int{1}}))
	if err := l.writer.Flush(); err == nil || !strings.Contains(err.Error(), "no ones") {
		t.Errorf("the error is %v", err)
	}
	if l.take(); l.sink.n != 1 {
		t.Errorf("%d records arrived", l.sink.n)
	}
}

func TestTypesThatCannotBeEncoded(t *testing.T) {
	w := newWire()
	_, err := KindOf[func()]().Writer(Route{
		Strategy: program.Forward, Box: NewMailbox(), Targets: [][]Outlet{{w.here.outlet(opening{}, NewMailbox())}},
	}, nil)
	if err == nil || w.known() > 0 {
		t.Errorf("the error is %v, and %d channels are open", err, w.known())
	}
}

// What floats.go promises, whatever is sent and read.
func TestCredit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWire()
		all := make([]*lane[string], rapid.IntRange(1, 4).Draw(t, "producers")) // of one consumer
		for i := range all {
			all[i] = newLane[string](w, w.address(0), i, nil)
		}
		sent, box := make([]int, len(all)), all[0].box
		read := func() bool {
			m := box.Next()
			for m != nil && m.Records() {
				must(all[m.Channel].gate.Receive(m, record.Size))
			}
			return m != nil
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			i := rapid.IntRange(0, len(all)-1).Draw(t, "lane")
			switch rapid.IntRange(0, 2).Draw(t, "step") {
			case 0:
				for n := rapid.IntRange(1, 3).Draw(t, "records"); n > 0 && all[i].writer.Ready(); n-- {
					must(all[i].in.Receive(&record.Batch[string]{V: []string{note(rapid.IntRange(0, 2*frameBytes).Draw(t, "bytes"))}}))
					must(all[i].writer.Flush())
					sent[i]++
				}
			case 1:
				read()
			case 2:
				w.move()
				invariant(t, w, box)
			}
		}
		for w.move(); read(); w.move() {
		}
		for i, l := range all {
			if l.sink.n != sent[i] {
				t.Fatalf("%d records of %d arrived", l.sink.n, sent[i])
			}
		}
		if f := &box.floats; f.mu.free != f.mu.made {
			t.Fatalf("%d of %d floats are there", f.mu.free, f.mu.made)
		}
	})
}

func invariant(t *rapid.T, w *wire, box *Mailbox) {
	held := 0
	for _, in := range w.there.mu.inlets {
		held += in.held
		if in.sender+in.unread != 1+in.held || in.sender < 0 || in.sender > max(1, in.backlog) || in.held < 0 {
			t.Fatalf("sender %d, backlog %d, unread %d, held %d", in.sender, in.backlog, in.unread, in.held)
		}
		if c := w.here.mu.channels[in.channel]; c.credit != in.sender {
			t.Fatalf("the sender has %d, and not %d", c.credit, in.sender)
		}
	}
	if f := &box.floats; held+f.mu.free != f.mu.made {
		t.Fatalf("%d floats of %d are held, and %d free", held, f.mu.made, f.mu.free)
	}
}

// price: a frame of 40 bytes may open a channel to a task that nobody knows yet, which then has a mailbox; what comes is given
// memory of chunkBytes at first, and each record of a batch is at least a byte.
var price = hostile.Price{PerByte: 64, Constant: 4 * chunkBytes}

// Frames that no worker of ours sends are errors, and nothing else.
func FuzzRead(f *testing.F) {
	w := newWire()
	l := lanes[string](w, 1)[0]
	must(l.in.Receive(&record.Batch[string]{V: []string{note(100), "b"}, TS: []int64{1, 2}}))
	must(l.in.Watermark(3))
	f.Add(bytes.Join(w.here.Next(), nil))
	f.Add(appendGrants(nil, []grant{{1, 1}}))
	f.Add(appendClose(appendOpen(nil, 1, opening{w.address(0), 1, 1}), 1))
	var many []byte
	for i := range 1000 {
		many = appendOpen(many, uint32(i+1), opening{w.address(i), 0, 0})
	}
	f.Add(many)
	f.Fuzz(func(t *testing.T, b []byte) {
		w := newWire()
		l := lanes[string](w, 1)[0]
		l.send("a", 1)
		price.Pay(t, len(b), func() {
			_ = feed(w.there, b)
			_ = feed(w.here, b)
			for m := l.box.Next(); m != nil; m = l.box.Next() {
				for m.Records() {
					if l.gate.Receive(m, record.Size) != nil {
						return
					}
				}
			}
		})
	})
}

// A length is believed as far as bytes come for it.
func TestLongFramesCostWhatTheySend(t *testing.T) {
	says := append([]byte{0xff, 0xff, 0xff, 3}, make([]byte, 100)...)
	allocated := testing.Benchmark(func(b *testing.B) {
		r := bufio.NewReader(nil)
		for b.Loop() {
			r.Reset(bytes.NewReader(says))
			if _, err := readFrame(r); !errors.Is(err, io.ErrUnexpectedEOF) {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if allocated > 2*chunkBytes {
		t.Errorf("a frame of 100 bytes costs %d", allocated)
	}
	if _, err := readFrame(bufio.NewReader(bytes.NewReader([]byte{0xff, 0xff, 0xff, 0xff}))); !errors.Is(err, errFrame) {
		t.Errorf("a frame that is too long: %v", err)
	}
}

// In the steady state frames cost no memory of their own but what the codec needs, and nothing is made for each record.
func TestLinksDoNotAllocatePerRecord(t *testing.T) {
	w := newWire()
	l := newLane[row](w, w.address(0), 0, nil)
	l.gate = KindOf[row]().Gate(record.Input[row](&sum{}), nil)
	b := &record.Batch[row]{V: make([]row, 200), TS: make([]int64, 200)}
	reader := &piecewise{}
	frames := bufio.NewReaderSize(reader, 64<<10)
	move := func(from, to *Link) {
		reader.pieces = from.Next()
		for len(reader.pieces) > 0 || frames.Buffered() > 0 {
			must(to.Read(frames))
		}
	}
	round := func() {
		for range 100 {
			must(l.in.Receive(b))
			must(l.writer.Flush())
			move(w.here, w.there)
			l.take()
			move(w.there, w.here)
		}
	}
	round()
	if n := testing.AllocsPerRun(5, round); n > 1000 { // the race detector lets pools forget
		t.Errorf("%v allocations for 100 frames of 200 records", n)
	}
}

// A piecewise reader gives pieces one by one.
type piecewise struct{ pieces [][]byte }

func (p *piecewise) Read(b []byte) (int, error) {
	if len(p.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.pieces[0])
	if p.pieces[0] = p.pieces[0][n:]; len(p.pieces[0]) == 0 {
		p.pieces = p.pieces[1:]
	}
	return n, nil
}
