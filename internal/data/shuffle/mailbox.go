package shuffle

import (
	"sync"
	"sync/atomic"
)

// A Mailbox is where everything that comes to a task from other goroutines waits for it:
//
//   - messages of the channels, in order for each channel;
//   - mails: functions to be run on the task's goroutine;
//   - nudges: something that the task can see by itself has changed: a timer is due, a source has records. A nudge says no
//     more than "look again", so that it can neither be lost nor pile up;
//   - returns: the same for a block that came back.
//
// Anybody may put; only the owner, a goroutine, takes. What it is ready to take it says when it waits, since a task without a free
// block must not take records but does run mails, and one in the middle of a batch does not even that.
//
// The owner drains all messages at once, so that the lock is taken once per burst and not once per message. A parked owner costs
// nothing, and is woken only by what it waits for:
//
//	for {
//	    run the mails of Attend()        // nudges so far are dealt with by what follows
//	    ... look at everything; if there was something to do, start over ...
//	    Wait(Messages | Urgent)          // returns at once when something came since
//	}
type Mailbox struct {
	mu struct {
		sync.Mutex
		queue     []Message
		mails     []func() error
		waits     Signal // what the parked owner waits for; 0: it is not parked
		cancelled error
	}
	signals atomic.Uint32 // Signals that are up; written under mu
	bell    chan struct{} // wakes the owner; holds at most one token, since ringing takes waits down
	meter   meter
	floats  floats // the credit of channels from other processes

	bytesIn, bytesOut atomic.Int64 // to and from other processes

	// The owner's.
	drained []Message
	next    int
	taken   []func() error // mails, kept to use the memory again
}

// Signal is a set of reasons to wake the owner of a mailbox.
type Signal uint32

// The signals, and what a task serves between any two batches.
const (
	Messages Signal = 1 << iota
	Mails
	Nudges
	Returns

	Urgent = Mails | Nudges
)

// NewMailbox makes a mailbox. Anybody may put at once; the owner takes after Start.
func NewMailbox() *Mailbox {
	return &Mailbox{bell: make(chan struct{}, 1)}
}

// Start makes the caller the owner. Its time is measured from now on.
func (b *Mailbox) Start() { b.meter.start() }

// Stop ends the measurement. Owner only.
func (b *Mailbox) Stop() { b.meter.stop() }

// Mail asks the owner to run f.
func (b *Mailbox) Mail(f func() error) {
	b.mu.Lock()
	b.mu.mails = append(b.mu.mails, f)
	b.raiseAndUnlock(Mails)
}

// Nudge asks the owner to look again at what it waits for.
func (b *Mailbox) Nudge() { b.raise(Nudges) }

func (b *Mailbox) raise(s Signal) {
	b.mu.Lock()
	b.raiseAndUnlock(s)
}

// Cancel makes Cancelled return cause, and puts up Nudges and Returns: a task never waits without one of them.
func (b *Mailbox) Cancel(cause error) {
	b.mu.Lock()
	if b.mu.cancelled == nil {
		b.mu.cancelled = cause
	}
	b.raiseAndUnlock(Nudges | Returns)
}

// Cancelled is the cause that Cancel was called with first, or nil.
func (b *Mailbox) Cancelled() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.mu.cancelled
}

// put adds a message of o.
func (b *Mailbox) put(o *Outlet, m Message) {
	b.mu.Lock()
	o.last = int32(len(b.mu.queue))
	b.mu.queue = append(b.mu.queue, m)
	b.raiseAndUnlock(Messages)
}

// crowded is how many messages a mailbox holds before progress is merged with progress. Below that each is seen by itself.
const crowded = 64

// join adds p to the last message of o, if the owner has not taken it yet.
func (b *Mailbox) join(o *Outlet, p progress) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if int(o.last) >= len(b.mu.queue) {
		return false
	}
	last := &b.mu.queue[o.last]
	if last.Channel != o.channel || last.Gate != o.gate { // of another outlet: this one has put nothing since the queue was drained
		return false
	}
	if last.Progress && len(b.mu.queue) < crowded {
		return false
	}
	p.apply(last)
	return true
}

// raiseAndUnlock puts s up and wakes the owner if it waits for it.
func (b *Mailbox) raiseAndUnlock(s Signal) {
	if up := b.up(); up&s != s {
		b.signals.Store(uint32(up | s))
	}
	ring := b.mu.waits&s != 0
	if ring {
		b.mu.waits = 0
	}
	b.mu.Unlock()
	if ring {
		b.bell <- struct{}{}
	}
}

func (b *Mailbox) up() Signal { return Signal(b.signals.Load()) }

// Urgent says whether mails or nudges are there. It costs a load. Owner only.
func (b *Mailbox) Urgent() bool { return b.up()&Urgent != 0 }

// Attend takes all signals but Messages down and returns the mails, which are valid until the next call. Owner only.
func (b *Mailbox) Attend() []func() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lowerLocked(Urgent | Returns)
	clear(b.taken)
	b.taken, b.mu.mails = b.mu.mails, b.taken[:0]
	return b.taken
}

// Next takes a message; it is valid until the next call. nil: there is none. Owner only.
func (b *Mailbox) Next() *Message {
	if b.next == len(b.drained) && !b.drain() {
		return nil
	}
	b.next++
	return &b.drained[b.next-1]
}

func (b *Mailbox) drain() bool {
	if b.up()&Messages == 0 {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lowerLocked(Messages)
	clear(b.drained) // or old blocks would be held
	b.drained, b.mu.queue, b.next = b.mu.queue, b.drained[:0], 0
	return true
}

// lower takes s down, for an owner that looks at one thing only.
func (b *Mailbox) lower(s Signal) {
	b.mu.Lock()
	b.lowerLocked(s)
	b.mu.Unlock()
}

func (b *Mailbox) lowerLocked(s Signal) { b.signals.Store(uint32(b.up() &^ s)) }

// Wait parks the owner until one of s is up. Time spent in it is idle time if s has Messages, and back-pressured time if not.
// Owner only.
func (b *Mailbox) Wait(s Signal) {
	b.mu.Lock()
	if b.up()&s != 0 {
		b.mu.Unlock()
		return
	}
	b.mu.waits = s
	b.mu.Unlock()
	b.meter.enter(activityOf(s))
	<-b.bell
	b.meter.enter(busy)
}

// Traffic is how many bytes of records have come from other processes for the owner, and how many it has sent to others.
func (b *Mailbox) Traffic() (in, out int64) { return b.bytesIn.Load(), b.bytesOut.Load() }

// Times is how the owner has spent its time so far.
func (b *Mailbox) Times() Times { return b.meter.read() }
