package shuffle

import (
	"bufio"
	"errors"
	"fmt"
	"sync"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/fault"
)

// # Between processes
//
// A Link is this process's end of the exchange with another worker, without the connection: what leaves is taken from it (Next), what
// comes is given to it (Read).
//
//	producer's goroutine      writer of the connection     reader of the connection     consumer's goroutine
//
//	Writer: encode --> channel --(credit)--> Next           Read: inlet --> Mailbox --> Gate: decode batch by batch
//	                      ^                                                                     |
//	                      +------ credit ------ floats <---- last record of a frame read -------+
//
// The writer of a task encodes its records where its block is, and the view counts as read when its bytes have left. So blocks
// are all the credit that a producer has, here as within the process, and no buffer is made for what waits. Channels that have
// something to send and credit take turns, a frame each.
//
// The link is guarded by one lock, which is taken after that of floats, and held for moving pointers only.
type Link struct {
	peer      string
	directory *Directory
	bell      chan struct{}
	mu        struct {
		sync.Mutex
		channels map[uint32]*channel // to the peer, that are not over
		last     uint32              // number that a channel was given
		ready    fifo
		given    []uint32          // numbers of channels that were given up: the peer must hear of it
		grants   []grant           // that the peer must hear of
		inlets   map[uint32]*inlet // from the peer, that have not ended
		broken   error
	}

	// The writer's.
	leaving []*parcel // since the last Next
	heads   []byte
	pieces  [][]byte
}

const (
	gather    = 32      // most frames that are written at once
	maxInlets = 1 << 20 // most channels that a peer may have open
)

var errCredit = errors.New("a frame came without credit for it")

// NewLink is the link to a worker. What comes from there goes to tasks of d.
func NewLink(peer string, d *Directory) *Link {
	l := &Link{peer: peer, directory: d, bell: make(chan struct{}, 1)}
	l.mu.channels = map[uint32]*channel{}
	l.mu.inlets = map[uint32]*inlet{}
	return l
}

// outlet is an outlet to a channel at a gate of a task of the peer. The producer has the mailbox.
func (l *Link) outlet(to opening, box *Mailbox) Outlet {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.last++
	c := &channel{link: l, box: box, number: l.mu.last, opening: to, credit: 1, over: l.mu.broken != nil}
	if c.over {
		fail(box, l.mu.broken)
	} else {
		l.mu.channels[c.number] = c
	}
	return Outlet{far: c}
}

// fail makes the task that owns a mailbox fail. No operator is to blame.
func fail(box *Mailbox, err error) {
	box.Mail(func() error { return &record.Failure{Err: err} })
}

// Bell rings when Next may have something that it had not.
func (l *Link) Bell() <-chan struct{} { return l.bell }

func (l *Link) ring() {
	select {
	case l.bell <- struct{}{}:
	default:
	}
}

// Next is what may leave now: whole frames, in pieces. What it returned before has left. It belongs to the writer of the connection.
func (l *Link) Next() [][]byte {
	recycle(l.leaving)
	clear(l.leaving)
	l.leaving, l.heads, l.pieces = l.leaving[:0], l.heads[:0], l.pieces[:0]
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tellLocked()
	for len(l.leaving) < gather {
		c := l.mu.ready.take()
		if c == nil {
			break
		}
		c.ready = false
		if !c.over {
			l.loadLocked(c)
		}
	}
	return l.pieces
}

// tellLocked says what needs no credit.
func (l *Link) tellLocked() {
	for _, number := range l.mu.given {
		l.heads = appendClose(l.heads, number)
	}
	if len(l.mu.grants) > 0 {
		l.heads = appendGrants(l.heads, l.mu.grants)
	}
	l.mu.given, l.mu.grants = l.mu.given[:0], l.mu.grants[:0]
	if len(l.heads) > 0 {
		l.pieces = append(l.pieces, l.heads)
	}
}

// loadLocked adds a frame of a channel that is ready.
func (l *Link) loadLocked(c *channel) {
	start := len(l.heads)
	if !c.opened {
		c.opened = true
		l.heads = appendOpen(l.heads, c.number, c.opening)
	}
	p := c.takeLocked()
	l.heads = appendData(l.heads, c.number, p, len(c.queue))
	l.pieces = append(append(l.pieces, l.heads[start:]), p.pieces...)
	l.leaving = append(l.leaving, p)
	if p.end {
		c.over = true
		delete(l.mu.channels, c.number)
	}
	c.wakeLocked()
}

// Read reads a frame and does what it says. After an error the connection is of no more use; io.EOF comes between frames only. It
// waits for nobody but r, and belongs to the reader of the connection.
func (l *Link) Read(r *bufio.Reader) error {
	f, err := readFrame(r)
	if err != nil {
		return err
	}
	kind := f.body[0]
	f.body = f.body[1:]
	if kind == dataFrame {
		return l.data(f)
	}
	defer f.recycle()
	switch kind {
	case openFrame:
		return l.open(f.body)
	case closeFrame:
		return l.close(f.body)
	case creditFrame:
		return l.credits(f.body)
	}
	return errFrame
}

func (l *Link) open(body []byte) error {
	number, o, err := parseOpen(body)
	if err != nil {
		return err
	}
	in := &inlet{link: l, channel: number, outlet: NewOutlet(l.directory.current(o.to), o.gate, o.channel)}
	if in.outlet.box != nil {
		in.outlet.box.floats.open(in)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mu.inlets[number] != nil || len(l.mu.inlets) == maxInlets {
		return fmt.Errorf("channel %d cannot be opened", number)
	}
	l.mu.inlets[number] = in
	return nil
}

// data puts a frame into its mailbox. An attempt that was replaced has none any more.
func (l *Link) data(f *frame) error {
	h, err := f.head()
	if err != nil {
		return err
	}
	if f.inlet, err = l.inlet(h.channel, h.flags&endFlag != 0); err != nil {
		return err
	}
	box := f.inlet.outlet.box
	if box == nil {
		f.recycle()
		return nil
	}
	box.bytesIn.Add(int64(len(f.body)))
	if err := box.floats.arrive(f.inlet, h); err != nil {
		return err
	}
	f.deliver(h)
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

// close forgets a channel whose producer has given it up. Why, the consumer is told by others.
func (l *Link) close(body []byte) error {
	if len(body) != closeBytes-1 {
		return errFrame
	}
	in, err := l.inlet(le.Uint32(body), true)
	if err == nil && in.outlet.box != nil {
		in.outlet.box.floats.close(in)
	}
	return err
}

// credits gives channels credit. For those that are over it comes too late.
func (l *Link) credits(body []byte) error {
	if len(body)%grantBytes != 0 {
		return errFrame
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for ; len(body) > 0; body = body[grantBytes:] {
		number, n := le.Uint32(body), le.Uint32(body[4:])
		if number == 0 || number > l.mu.last || n > maxCredit {
			return errFrame
		}
		if c := l.mu.channels[number]; c != nil {
			c.credit = min(c.credit+int(n), maxCredit)
			c.wakeLocked()
		}
	}
	return nil
}

// maxCredit is more than any consumer has to give.
const maxCredit = 1 << 20

// grant gives the sender of a channel a credit, when the writer comes to it.
func (l *Link) grant(channel uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.mu.grants); n > 0 && l.mu.grants[n-1].channel == channel {
		l.mu.grants[n-1].credit++
	} else if l.mu.broken == nil {
		l.mu.grants = append(l.mu.grants, grant{channel, 1})
	}
	l.ring()
}

// Break ends the link: the connection is gone, and nobody calls Next or Read any more. All tasks with a channel that has not ended
// fail with cause, and so will those that use the link later.
func (l *Link) Break(cause error) {
	cause = fmt.Errorf("%w to worker %q: %s", fault.ErrConnection, l.peer, cause.Error())
	l.mu.Lock()
	l.mu.broken = cause
	failed := map[*Mailbox]bool{}
	dropped := l.leaving
	for _, c := range l.mu.channels {
		dropped = append(dropped, c.closeLocked()...)
		failed[c.box] = true
	}
	for _, in := range l.mu.inlets {
		if in.outlet.box != nil {
			failed[in.outlet.box] = true
		}
	}
	l.mu.channels, l.mu.inlets, l.mu.ready, l.mu.given, l.mu.grants = nil, nil, fifo{}, nil, nil
	l.leaving = nil
	l.mu.Unlock()
	recycle(dropped)
	for box := range failed {
		fail(box, cause)
	}
}
