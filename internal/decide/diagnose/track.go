package diagnose

import (
	"math"
	"time"
)

// The watermarks before the first, and after the last.
const (
	None = math.MinInt64
	End  = math.MaxInt64
)

// Loads are averages over two spans, in milliseconds: over the window, and over a glimpse, in which what is new is seen at once.
const (
	window  = 10_000
	glimpse = 2_500 // which is three samples of a job that is looked at each second
	least   = 2_000 // that must have been seen before anything is said
	apart   = 900   // between two samples
)

// stale is after how long without figures of a task nothing is known of it any more.
const stale = 15_000

type attempt struct{ vertex, subtask, number int }

// A track is what is remembered of a task.
type track struct {
	now     Task
	samples []sample // of the window, oldest first; the last is now

	moved sample // when its counts changed last

	time       mark  // its watermark
	records    int64 // its records when that moved
	ticks      int   // how often it did
	longestGap int64 // between two times
}

// A mark is a watermark, and since when it is what it is.
type mark struct {
	at    int64
	since int64
	known bool
}

// move notes where it is now, and says whether that is somewhere else.
func (m *mark) move(to, now int64) bool {
	if m.known && m.at == to {
		return false
	}
	*m = mark{to, now, true}
	return true
}

// A sample is a task at a time.
type sample struct {
	at                        int64
	busy, idle, backPressured time.Duration
	read                      int64
}

func sampleOf(t *Task) sample { return sample{t.At, t.Busy, t.Idle, t.BackPressured, t.Read} }

// spent is how long the task has run, which no jump of the clock and no sleep of the machine changes.
func (s *sample) spent() int64 { return (s.busy + s.idle + s.backPressured).Milliseconds() }

// follow notes what each task has done, and forgets those that are gone. One whose clock was set back begins anew: what was noted would
// be newer than all that comes.
func (j *Job) follow(o *Observation) {
	seen := make(map[attempt]*track, len(j.tracks))
	for v := range o.Vertices {
		for i := range o.Vertices[v].Tasks {
			t := &o.Vertices[v].Tasks[i]
			if t.Phase != Active || t.At == 0 {
				continue
			}
			key := attempt{v, i, t.Attempt}
			at := j.tracks[key]
			if at == nil || at.now.At-t.At > stale {
				at = newTrack(t)
			}
			at.note(t)
			seen[key] = at
		}
	}
	j.tracks = seen
}

// of is what is remembered of a task; nil: it does not run, or nothing is known of it.
func (j *Job) of(o *Observation, v, i int) *track {
	t := j.tracks[attempt{v, i, o.Vertices[v].Tasks[i].Attempt}]
	if t == nil || o.At-t.now.At > stale {
		return nil
	}
	return t
}

// newTrack is of a task that is seen for the first time. If it has just begun, its beginning is the first sample.
func newTrack(t *Task) *track {
	n := &track{now: *t, moved: sampleOf(t), records: t.Records}
	n.time.move(t.Watermark, t.At)
	if t.Watermark != None {
		n.ticks = 1 // it has moved to where it is
	}
	if spent := n.moved.spent(); spent <= window {
		n.samples = append(n.samples, sample{at: t.At - spent})
	}
	n.samples = append(n.samples, n.moved)
	return n
}

// note takes in what the task has done, unless that is known already.
func (n *track) note(t *Task) {
	if t.At <= n.now.At {
		return
	}
	if t.Records != n.now.Records || t.Watermark != n.now.Watermark {
		n.moved = sampleOf(t)
	}
	n.noteTime(t)
	n.noteSample(t)
	n.now = *t
}

func (n *track) noteTime(t *Task) {
	before := n.time.since
	if !n.time.move(t.Watermark, t.At) {
		return
	}
	if n.ticks > 0 {
		n.longestGap = max(n.longestGap, t.At-before)
	}
	n.ticks++
	n.records = t.Records
}

// noteSample keeps the samples of the window, and the one before it.
func (n *track) noteSample(t *Task) {
	if last := len(n.samples) - 1; last > 0 && t.At-n.samples[last-1].at < apart {
		n.samples = n.samples[:last] // which would be too near
	}
	n.samples = append(n.samples, sampleOf(t))
	old := 0
	for old+1 < len(n.samples) && t.At-n.samples[old+1].at >= window {
		old++
	}
	n.samples = append(n.samples[:0], n.samples[old:]...)
}

// A load is how a task has spent some time, in shares of it, and what it has read, a second.
type load struct {
	busy, backPressured, read float64
	over                      int64 // milliseconds
}

// load is that of the last span; false: too little is known.
func (n *track) load(span int64) (load, bool) {
	first, last := n.before(span), n.samples[len(n.samples)-1]
	over := last.at - first.at
	if over < least {
		return load{}, false
	}
	share := func(d time.Duration) float64 { return min(1, max(0, float64(d.Milliseconds())/float64(over))) }
	return load{
		share(last.busy - first.busy), share(last.backPressured - first.backPressured), float64(last.read-first.read) / float64(over) * 1000, over,
	}, true
}

// before is the newest sample that is a span ago; the oldest, if none is.
func (n *track) before(span int64) sample {
	last := len(n.samples) - 1
	i := last
	for i > 0 && n.samples[last].at-n.samples[i].at < span {
		i--
	}
	return n.samples[i]
}
