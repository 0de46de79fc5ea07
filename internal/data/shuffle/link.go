package shuffle

import (
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/flott-dev/flott/internal/data/record"
)

// # Between processes
//
// A Link is this process's end of the exchange with another worker, without the connection: what leaves is taken from it (Next), what
// comes is given to it (Receive).
//
//	producer's goroutine     writer of the connection            reader of the connection      consumer's goroutine
//
//	Outlet --> channel  -->  Next: encode a view, batch by  -->  Receive: a Frame into the --> Gate: decode batch by batch
//	           (waits)       batch; it counts as read            consumer's Mailbox            |
//	             ^                                                                             |
//	             +--------------- credit ------------------------ floats <--- last record read +
//
// A channel holds what its producer sent until there is credit. Views stay in their blocks meanwhile, so that blocks are the
// producer's only credit here, too; progress joins what waits. Channels that have something to send, and credit, are ready, and take
// turns, a frame each.
//
//	         something to send,      its turn comes          nothing more, or no credit
//	         and credit                                      (more, and credit: ready again)
//	waiting ------------------> ready --------------> at the writer ------------> waiting
//
// Who has what: a channel's queue and credit are guarded by the link's lock; its message at hand (now) is the writer's.
type Link struct {
	peer      string
	directory *Directory
	pack      bool
	bell      chan struct{}
	mu        struct {
		sync.Mutex
		channels map[uint32]*channel // that were used, and have something left to send or to come
		last     uint32              // number of a channel
		ready    fifo
		grants   []grant
		inlets   map[uint32]*inlet // that have not ended
		parked   bool              // the writer waits for the bell
		broken   error
	}

	// The writer's.
	buffers [][]byte
	packed  []byte
}

// gather is how many frames are written at once.
const gather = 16

// maxInlets bounds the channels that a peer may have open.
const maxInlets = 1 << 20

var errCredit = errors.New("a frame came without credit for it")

// NewLink is the link to a worker. What comes from there goes to tasks of d. pack says that frames are packed with s2.
func NewLink(peer string, d *Directory, pack bool) *Link {
	l := &Link{peer: peer, directory: d, pack: pack, bell: make(chan struct{}, 1)}
	l.mu.channels = map[uint32]*channel{}
	l.mu.inlets = map[uint32]*inlet{}
	return l
}

// Bell rings when Next, that had nothing, may have something.
func (l *Link) Bell() <-chan struct{} { return l.bell }

// A channel is the producer's end of a channel that leaves the process.
type channel struct {
	link    *Link
	box     *Mailbox // the producer's
	opening opening
	codec   any // the *codec.Block that the writer uses

	// Guarded by the link's lock.
	number uint32 // 0: it was never used
	queue  []Message
	credit int
	active bool // it is ready, or at the writer
	opened bool // the peer knows of it
	ended  bool // its end was sent, or is in the queue
	given  bool // its producer gave it up
	next   *channel

	// The writer's.
	now  Message // at hand; without records and progress: none
	view bool    // now has a block that is not read
}

// outlet is an outlet to a channel at a gate of a task of the peer. Errors go to the producer's mailbox.
func (l *Link) outlet(to address, gate, number int, box *Mailbox) Outlet {
	return Outlet{far: &channel{link: l, box: box, opening: opening{to, int16(gate), int32(number)}, credit: 1}}
}

func (c *channel) send(m Message) {
	c.link.mu.Lock()
	if c.link.mu.broken != nil {
		c.refuseAndUnlock()
		m.block.read()
		return
	}
	c.queue = append(c.queue, m)
	c.wakeAndUnlock()
}

// report joins p to what waits.
func (c *channel) report(p progress) {
	c.link.mu.Lock()
	if c.link.mu.broken != nil {
		c.refuseAndUnlock()
		return
	}
	c.ended = p.end
	if len(c.queue) == 0 {
		c.queue = append(c.queue, Message{})
	}
	p.apply(&c.queue[len(c.queue)-1])
	c.wakeAndUnlock()
}

// refuseAndUnlock tells a producer that comes too late. The others were told when the link broke.
func (c *channel) refuseAndUnlock() {
	err, late := c.link.mu.broken, c.number == 0
	c.number = c.link.number()
	c.link.mu.Unlock()
	if late {
		fail(c.box, err)
	}
}

func (l *Link) number() uint32 {
	l.mu.last++
	return l.mu.last
}

func (c *channel) wakeAndUnlock() {
	l := c.link
	if c.number == 0 {
		c.number = l.number()
		l.mu.channels[c.number] = c
	}
	if c.active || (c.credit == 0 && !c.given) {
		l.mu.Unlock()
		return
	}
	c.active = true
	l.mu.ready.put(c)
	l.ringAndUnlock()
}

func (l *Link) ringAndUnlock() {
	ring := l.mu.parked
	l.mu.parked = false
	l.mu.Unlock()
	if ring {
		l.bell <- struct{}{} // there is room: the writer has taken the last one before it parked again
	}
}

// giveUp drops what waits, unless the channel has ended: then its producer has done its part, and what waits must arrive.
func (c *channel) giveUp() {
	c.link.mu.Lock()
	if c.ended || c.given || c.number == 0 || c.link.mu.broken != nil {
		c.link.mu.Unlock()
		return
	}
	dropped := c.queue
	c.queue, c.given = nil, true
	c.wakeAndUnlock()
	readAll(dropped)
}

func readAll(messages []Message) {
	for _, m := range messages {
		if m.Records() {
			m.block.read()
		}
	}
}

// fail makes the task of a mailbox fail with err. No operator is to blame.
func fail(box *Mailbox, err error) {
	box.Mail(func() error { return &record.Failure{Err: err} })
}

// grant gives the sender of a channel a credit, when the writer comes to it.
func (l *Link) grant(channel uint32) {
	l.mu.Lock()
	if n := len(l.mu.grants); n > 0 && l.mu.grants[n-1].channel == channel {
		l.mu.grants[n-1].credit++
	} else if l.mu.broken == nil {
		l.mu.grants = append(l.mu.grants, grant{channel, 1})
	}
	l.ringAndUnlock()
}

// Next is what may leave now, in pieces of whole frames. It is valid until the next call. None: the bell will ring. It belongs to
// the writer of the connection.
func (l *Link) Next() [][]byte {
	if l.buffers == nil {
		l.buffers = make([][]byte, gather)
	}
	n := 0
	for n < gather {
		b, ok := l.piece(l.buffers[n][:0])
		if !ok {
			break
		}
		l.buffers[n] = b
		if len(b) > 0 {
			n++
		}
	}
	for i := range l.buffers[n:] {
		if cap(l.buffers[n+i]) > longBatch {
			l.buffers[n+i] = nil // or a single long record would hold its memory for ever
		}
	}
	return l.buffers[:n]
}

// piece is all grants, or what the next channel has to say. ok is false when there is nothing.
func (l *Link) piece(dst []byte) (piece []byte, ok bool) {
	l.mu.Lock()
	if len(l.mu.grants) > 0 {
		defer l.mu.Unlock()
		dst = appendGrants(dst, l.mu.grants)
		l.mu.grants = l.mu.grants[:0]
		return dst, true
	}
	c := l.mu.ready.take()
	if c == nil {
		l.mu.parked = true
		l.mu.Unlock()
		return dst, false
	}
	opened := c.opened
	c.opened = true
	l.mu.Unlock()
	if !opened {
		dst = appendOpen(dst, c.number, c.opening)
	}
	dst, err := l.data(dst, c)
	if err != nil {
		fail(c.box, err)
		c.giveUp()
	}
	return l.settle(dst, c), true
}

// data appends a frame with what the channel has, as far as it fits, unless that is nothing.
func (l *Link) data(dst []byte, c *channel) (out []byte, err error) {
	start := len(dst)
	h := dataHead{channel: c.number, watermark: NoWatermark}
	out = append(dst, make([]byte, lengthBytes+dataBytes)...)
	for len(out)-start < frameBytes && h.flags&progressFlag == 0 && c.take() {
		if c.now.Records() {
			from := c.now.From
			if out, err = c.encode(out); err != nil {
				return dst, err
			}
			h.records += int(c.now.From - from)
		}
		if !c.now.Records() {
			c.viewRead()
			if c.now.Progress {
				h.progress(&c.now)
				c.now.Progress = false
			}
		}
	}
	if h.records == 0 && h.flags == 0 {
		return dst, nil
	}
	if len(out)-start > MaxFrame {
		return dst, fmt.Errorf("a record of %d bytes is too long for another process", len(out)-start)
	}
	out = l.packFrame(out, start, &h)
	l.spend(c, &h)
	h.put(out[start:])
	c.box.bytesOut.Add(int64(len(out) - start))
	return out, nil
}

// packFrame packs the batches of the frame that starts at start, if that makes it shorter.
func (l *Link) packFrame(out []byte, start int, h *dataHead) []byte {
	batches := out[start+lengthBytes+dataBytes:]
	if !l.pack || len(batches) > packBytes {
		return out
	}
	l.packed = s2.Encode(l.packed[:cap(l.packed)], batches)
	if len(l.packed) >= len(batches) {
		return out
	}
	h.flags |= packedFlag
	return out[:len(out)-len(batches)+copy(batches, l.packed)]
}

// spend takes the credit of a frame, and says what is behind it.
func (l *Link) spend(c *channel, h *dataHead) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.credit--
	h.backlog = len(c.queue)
	if c.now.Records() {
		h.backlog += 1 + int(c.now.To-c.now.From)/max(h.records, 1)
	}
	if h.backlog == 0 && c.credit > 1 {
		h.surplus = c.credit - 1
		c.credit = 1
	}
}

// take makes sure that there is a message at hand, if there is any.
func (c *channel) take() bool {
	if c.now.Records() || c.now.Progress {
		return true
	}
	c.link.mu.Lock()
	defer c.link.mu.Unlock()
	if len(c.queue) == 0 {
		return false
	}
	c.now = c.queue[0]
	c.view = c.now.Records()
	last := copy(c.queue, c.queue[1:])
	c.queue[last] = Message{}
	c.queue = c.queue[:last]
	return true
}

// viewRead sends the block of the message at hand home.
func (c *channel) viewRead() {
	if c.view {
		c.view = false
		c.now.block.read()
		c.now.block = nil
	}
}

// encode appends a batch of the message at hand. Codecs are user code, and this is not the user's goroutine.
func (c *channel) encode(dst []byte) (out []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a record could not be encoded: panic: %v", v)
		}
	}()
	out, next, err := c.now.block.(encoder).encode(c.codec, dst, int(c.now.From), int(c.now.To))
	if err != nil {
		return dst, fmt.Errorf("a record could not be encoded: %w", err)
	}
	c.now.From = int32(next)
	return out, nil
}

// settle decides what becomes of a channel that had its turn.
func (l *Link) settle(dst []byte, c *channel) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	more := len(c.queue) > 0 || c.now.Records() || c.now.Progress
	switch {
	case c.given:
		dst = appendHead(dst, closeBytes, closeFrame, c.number)
		c.dropLocked()
		delete(l.mu.channels, c.number)
	case c.ended && !more:
		delete(l.mu.channels, c.number)
	case more && c.credit > 0:
		l.mu.ready.put(c)
		return dst
	}
	c.active = false
	return dst
}

// dropLocked drops the message at hand.
func (c *channel) dropLocked() {
	c.viewRead()
	c.now = Message{}
}

// Receive takes what came from the peer. After an error the connection is of no more use. It belongs to the reader of the
// connection, and never waits.
func (l *Link) Receive(f *Frame) error {
	kind := f.body[0]
	f.body = f.body[1:]
	if kind == dataFrame {
		return l.arrive(f)
	}
	defer f.recycle()
	switch {
	case kind == openFrame:
		return l.open(f.body)
	case kind == closeFrame && len(f.body) == closeBytes-1:
		return l.close(le32(f.body))
	case kind == creditFrame && len(f.body)%grantBytes == 0:
		for b := f.body; len(b) > 0; b = b[grantBytes:] {
			if err := l.credit(le32(b), le32(b[4:])); err != nil {
				return err
			}
		}
		return nil
	}
	return errFrame
}

func (l *Link) open(b []byte) error {
	number, o, err := parseOpen(b)
	if err != nil {
		return err
	}
	in := &inlet{link: l, channel: number, opening: o, box: l.directory.current(o.to)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mu.inlets[number] != nil || len(l.mu.inlets) == maxInlets {
		return fmt.Errorf("channel %d cannot be opened", number)
	}
	l.mu.inlets[number] = in
	if in.box != nil {
		in.box.floats.open(in)
	}
	return nil
}

// arrive puts a frame into its mailbox.
func (l *Link) arrive(f *Frame) error {
	h, batches, err := parseData(f.body)
	if err != nil {
		return err
	}
	f.body = batches
	size := int64(len(f.memory) + lengthBytes)
	if h.flags&packedFlag != 0 {
		if err := f.unpack(); err != nil {
			return err
		}
	}
	in, err := l.inlet(h.channel, h.flags&endFlag != 0)
	if err != nil {
		return err
	}
	if in.box == nil {
		f.recycle()
		return nil
	}
	if err := in.box.floats.arrive(in, h.backlog, h.surplus, h.flags&endFlag != 0); err != nil {
		return err
	}
	in.box.bytesIn.Add(size)
	m := h.message(f)
	m.Gate, m.Channel = in.opening.gate, in.opening.number
	f.inlet = in
	in.box.put(&Outlet{}, m)
	return nil
}

// inlet finds a channel, and forgets it if this is its end.
func (l *Link) inlet(number uint32, end bool) (*inlet, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	in := l.mu.inlets[number]
	if in == nil {
		return nil, fmt.Errorf("a frame came for channel %d, which is not open", number)
	}
	if end {
		delete(l.mu.inlets, number)
	}
	return in, nil
}

func (l *Link) close(number uint32) error {
	in, err := l.inlet(number, true)
	if err == nil && in.box != nil {
		in.box.floats.close(in)
	}
	return err
}

// maxCredit is more than any consumer has to give.
const maxCredit = 1 << 20

// credit gives a channel credit. Credit for channels that have ended comes late, and is of no use.
func (l *Link) credit(number, n uint32) error {
	l.mu.Lock()
	if number == 0 || number > l.mu.last || n > maxCredit {
		l.mu.Unlock()
		return errCredit
	}
	c := l.mu.channels[number]
	if c == nil {
		l.mu.Unlock()
		return nil
	}
	if c.credit += int(n); c.credit > maxCredit {
		l.mu.Unlock()
		return errCredit
	}
	if len(c.queue) > 0 || (!c.active && (c.now.Records() || c.now.Progress)) {
		c.wakeAndUnlock()
		return nil
	}
	l.mu.Unlock()
	return nil
}

// Break ends the link: the connection is gone, and nobody calls Next or Receive any more. All tasks with a channel that has not ended
// fail with cause, and so will those that use the link later.
func (l *Link) Break(cause error) {
	cause = fmt.Errorf("connection to worker %s: %w", l.peer, cause)
	failed := map[*Mailbox]bool{}
	var dropped []Message
	l.mu.Lock()
	l.mu.broken = cause
	for _, c := range l.mu.channels {
		c.dropLocked()
		dropped = append(dropped, c.queue...)
		c.queue = nil
		failed[c.box] = true
	}
	for _, in := range l.mu.inlets {
		if in.box != nil {
			failed[in.box] = true
		}
	}
	l.mu.channels, l.mu.inlets, l.mu.ready, l.mu.grants = nil, nil, fifo{}, nil
	l.mu.Unlock()
	readAll(dropped)
	for box := range failed {
		fail(box, cause)
	}
}

// Broken is why the link can no longer be used, or nil.
func (l *Link) Broken() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.broken
}

// A fifo is channels in turn.
type fifo struct{ first, last *channel }

func (q *fifo) put(c *channel) {
	if q.first == nil {
		q.first = c
	} else {
		q.last.next = c
	}
	q.last = c
}

func (q *fifo) take() *channel {
	c := q.first
	if c != nil {
		q.first, c.next = c.next, nil
	}
	return c
}
