package shuffle

import (
	"math"
	"slices"
	"sync"
)

// # Credit between processes
//
// A frame may be sent if its channel has credit, so that what has come and is not read is bounded, and the reader of a connection
// never waits for anybody: a slow consumer stalls its own channels only.
//
// Each channel has one credit of its own. It is there when the channel opens, and comes back when its frame is read. A consumer
// has some more, which float: a channel gets them when its frame says that others wait behind it (its backlog), in turn with
// others. When their frame is read they go to who needs them.
//
// For each channel that has not ended:
//
//	credit at the sender + frames not read = 1 + floats that it holds
//	credit at the sender <= max(1, its backlog), so that no float lies where it is not used
//
// The second holds because frames, once they wait, leave one by one: the backlog shrinks by one with each, and not otherwise.

// leastFloats is how many floats a consumer has, and more if it has many channels.
const leastFloats = 8

// floats are the floating credits of one consumer. They belong to its mailbox.
type floats struct {
	mu struct {
		sync.Mutex
		channels int // so many have ever been opened
		made     int
		free     int
		waiting  []*inlet // each has a backlog and too little credit; in turn
	}
}

// An inlet is the consumer's end of a channel that comes from another process.
type inlet struct {
	link    *Link
	channel uint32
	outlet  Outlet // to the mailbox, here; without one the attempt is over, and frames are dropped

	// Guarded by the mailbox's floats.
	sender  int // credit that the sender has
	unread  int // frames
	held    int // floats
	backlog int // as the last frame said
	waiting bool
	ended   bool
}

// open counts a channel.
func (f *floats) open(in *inlet) {
	f.mu.Lock()
	defer f.mu.Unlock()
	in.sender = 1
	f.mu.channels++
	want := max(leastFloats, int(2*math.Sqrt(float64(f.mu.channels))))
	f.mu.free += want - f.mu.made
	f.mu.made = want
}

// arrive counts a frame that came.
func (f *floats) arrive(in *inlet, h dataHead) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if in.sender == 0 {
		return errCredit
	}
	in.sender--
	in.unread++
	in.backlog = h.backlog
	if h.flags&endFlag != 0 {
		f.endLocked(in)
	}
	f.serveLocked(in)
	return nil
}

// read counts a frame that was read.
func (f *floats) read(in *inlet) {
	f.mu.Lock()
	defer f.mu.Unlock()
	in.unread--
	switch {
	case in.held > 0:
		f.returnLocked(in, 1)
	case !in.ended:
		in.giveLocked()
	}
	f.serveLocked(in)
}

// close ends a channel whose producer gave up.
func (f *floats) close(in *inlet) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.endLocked(in)
	f.serveLocked(in)
}

// endLocked takes back what the sender of a channel that has ended has no use for. Frames that are not read keep theirs.
func (f *floats) endLocked(in *inlet) {
	in.ended = true
	f.returnLocked(in, min(in.held, in.sender))
}

func (f *floats) returnLocked(in *inlet, n int) {
	in.held -= n
	f.mu.free += n
}

// serveLocked gives free floats to those who wait, one each in turn. in may have come to want some.
func (f *floats) serveLocked(in *inlet) {
	f.waitLocked(in)
	for f.mu.free > 0 && len(f.mu.waiting) > 0 {
		first := f.mu.waiting[0]
		f.mu.waiting = slices.Delete(f.mu.waiting, 0, 1)
		first.waiting = false
		if first.wants() {
			f.returnLocked(first, -1)
			first.giveLocked()
			f.waitLocked(first)
		}
	}
}

func (f *floats) waitLocked(in *inlet) {
	if in.wants() && !in.waiting {
		in.waiting = true
		f.mu.waiting = append(f.mu.waiting, in)
	}
}

// wants says that the sender has less credit than it needs.
func (in *inlet) wants() bool { return !in.ended && in.backlog > in.sender }

// giveLocked gives the sender a credit.
func (in *inlet) giveLocked() {
	in.sender++
	in.link.grant(in.channel)
}
