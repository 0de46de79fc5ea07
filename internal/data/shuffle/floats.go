package shuffle

import (
	"math"
	"sync"
)

// # Credit between processes
//
// A frame may be sent if its channel has credit, so that what has come and is not read is bounded, and the reader of a connection
// never waits for anybody: a slow consumer stalls its own channels only.
//
// Each channel has one credit of its own. It is there when the channel opens, and comes back when its frame is read. A consumer
// has some more, which float: a channel gets them when a frame says that more waits behind it (its backlog), in turn with others.
// When their frame is read they go to who needs them, and a sender with nothing to send returns them with its last frame (its surplus).
//
// For each channel that has not ended:
//
//	credit at the sender + frames not read = 1 + floating credits held

// leastFloats is how many floating credits a consumer has, and more if it has many channels.
const leastFloats = 8

// floats are the floating credits of one consumer. They belong to its mailbox.
type floats struct {
	mu struct {
		sync.Mutex
		channels int // so many have ever been opened
		made     int
		free     int
		waiting  []*inlet // each has a backlog and was given too little; in turn
	}
}

// An inlet is the consumer's end of a channel that comes from another process.
type inlet struct {
	link    *Link
	channel uint32
	opening opening
	box     *Mailbox // nil: the attempt is over, and frames are dropped

	// Guarded by box.floats.
	sender  int // credit that the sender has
	unread  int // frames
	held    int // floating credits
	backlog int // frames that wait for credit, as the last one said
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
func (f *floats) arrive(in *inlet, backlog, surplus int, end bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if in.sender < 1+surplus || in.held < surplus {
		return errCredit
	}
	in.sender -= 1 + surplus
	f.returned(in, surplus)
	in.unread++
	in.backlog = backlog
	if end {
		f.end(in)
	}
	f.want(in)
	f.serve()
	return nil
}

// read counts a frame that was read.
func (f *floats) read(in *inlet) {
	f.mu.Lock()
	defer f.mu.Unlock()
	in.unread--
	switch {
	case in.held > 0:
		f.returned(in, 1)
	case !in.ended:
		in.give()
	}
	f.want(in)
	f.serve()
}

// close ends a channel whose producer gave up.
func (f *floats) close(in *inlet) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.end(in)
	f.serve()
}

// end takes back the credit that the sender of an ended channel has no use for. The frames that are not read keep theirs.
func (f *floats) end(in *inlet) {
	in.ended = true
	f.returned(in, min(in.held, in.sender))
}

func (f *floats) returned(in *inlet, n int) {
	in.held -= n
	f.mu.free += n
}

// wants says that the sender has less credit than it needs.
func (in *inlet) wants() bool { return !in.ended && in.backlog > in.sender }

func (f *floats) want(in *inlet) {
	if in.wants() && !in.waiting {
		in.waiting = true
		f.mu.waiting = append(f.mu.waiting, in)
	}
}

// serve gives free credit to those who wait, one each in turn.
func (f *floats) serve() {
	for f.mu.free > 0 && len(f.mu.waiting) > 0 {
		in := f.mu.waiting[0]
		last := copy(f.mu.waiting, f.mu.waiting[1:])
		f.mu.waiting[last] = nil
		f.mu.waiting = f.mu.waiting[:last]
		in.waiting = false
		if in.wants() {
			f.mu.free--
			in.held++
			in.give()
			f.want(in)
		}
	}
}

// give gives the sender a credit.
func (in *inlet) give() {
	in.sender++
	in.link.grant(in.channel)
}

// read says that a frame was read, or needs no reading.
func (in *inlet) read() { in.box.floats.read(in) }
