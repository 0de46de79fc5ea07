package shuffle

import (
	"slices"
	"sync"
)

// A channel is the producer's end of a channel to another process. What its producer sends is encoded, and waits here for its turn
// and for credit:
//
//	          something waits,           its turn: a frame leaves,
//	          and there is credit        and nothing waits, or no credit is left
//	waiting ----------------------> ready ----------------------> waiting
//	                                 | ^
//	                                 +-+ a frame leaves, and both are there still
//
//	over: its end has left, or its producer gave it up, or the link broke. From then on it drops what it is given.
type channel struct {
	link    *Link
	box     *Mailbox // the producer's
	number  uint32
	opening opening

	// Guarded by the link's lock.
	credit int
	queue  []*parcel
	opened bool // the peer knows of it
	ready  bool
	ended  bool // its end is in the queue, or has left
	over   bool
	next   *channel // that is ready
}

// A piece is batches of records, encoded.
type piece struct {
	bytes   []byte
	records int
	block   reader // has the bytes, and was read when they have left; nil: it has pieces that come later
}

// A parcel is a frame to be. What comes while it waits joins it as long as it is short, so that a channel sends the fewer frames the
// longer it waits.
type parcel struct {
	pieces  [][]byte
	size    int // of the pieces
	records int
	blocks  []reader
	reports bool // the next one counts, and nothing joins any more but later progress
	progress
}

var parcels = sync.Pool{New: func() any { return new(parcel) }}

// recycle lets go of a parcel that has left, or never will.
func (p *parcel) recycle() {
	for _, b := range p.blocks {
		b.read()
	}
	clear(p.pieces)
	clear(p.blocks)
	*p = parcel{pieces: p.pieces[:0], blocks: p.blocks[:0]}
	parcels.Put(p)
}

func recycle(all []*parcel) {
	for _, p := range all {
		p.recycle()
	}
}

func (p *parcel) add(x piece) {
	p.pieces = append(p.pieces, x.bytes)
	p.size += len(x.bytes)
	p.records += x.records
	if x.block != nil {
		p.blocks = append(p.blocks, x.block)
	}
}

// send takes a piece.
func (c *channel) send(x piece) {
	c.link.mu.Lock()
	if c.over {
		c.link.mu.Unlock()
		if x.block != nil {
			x.block.read()
		}
		return
	}
	p := c.lastLocked()
	if p == nil || p.reports || p.size+len(x.bytes) > frameBytes {
		p = c.addLocked()
	}
	p.add(x)
	c.wakeLocked()
	c.link.mu.Unlock()
	c.box.bytesOut.Add(int64(len(x.bytes)))
}

// report takes progress, which joins what waits.
func (c *channel) report(now progress) {
	c.link.mu.Lock()
	defer c.link.mu.Unlock()
	if c.over {
		return
	}
	p := c.lastLocked()
	if p == nil {
		p = c.addLocked()
	}
	p.reports, p.progress = true, now
	c.ended = now.end
	c.wakeLocked()
}

// lastLocked is the parcel that was added last, if it has not left.
func (c *channel) lastLocked() *parcel {
	if len(c.queue) == 0 {
		return nil
	}
	return c.queue[len(c.queue)-1]
}

func (c *channel) addLocked() *parcel {
	p := parcels.Get().(*parcel)
	c.queue = append(c.queue, p)
	return p
}

// wakeLocked makes the channel ready if it is.
func (c *channel) wakeLocked() {
	if c.ready || len(c.queue) == 0 || c.credit == 0 {
		return
	}
	c.ready = true
	c.link.mu.ready.put(c)
	c.link.ring()
}

// takeLocked takes the parcel whose turn it is.
func (c *channel) takeLocked() *parcel {
	p := c.queue[0]
	c.queue = slices.Delete(c.queue, 0, 1)
	c.credit--
	return p
}

// giveUp ends a channel at once, unless its producer has ended it: then what waits will leave.
func (c *channel) giveUp() {
	l := c.link
	l.mu.Lock()
	if c.ended || c.over {
		l.mu.Unlock()
		return
	}
	dropped := c.closeLocked()
	delete(l.mu.channels, c.number)
	if c.opened {
		l.mu.given = append(l.mu.given, c.number)
		l.ring()
	}
	l.mu.Unlock()
	recycle(dropped)
}

// closeLocked makes the channel drop what it has, and what it will be given.
func (c *channel) closeLocked() (dropped []*parcel) {
	dropped, c.queue, c.over = c.queue, nil, true
	return dropped
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
