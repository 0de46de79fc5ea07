// Package pace decides how many records one step of a task takes.
//
// Between two steps a task sends what has waited for the buffer timeout, fires timers, takes mails and says how far it has come. A
// step of 256 records is a few microseconds of most programs, and two and a half seconds of one whose function asks a database
// about each record. So a step has a length that it should not exceed, and a pace learns from how long steps take how many
// records fit into it:
//
//	a step was too long                         the stride shrinks at once to what would have fitted
//	twice as many would take half of the time   the stride doubles; it begins with 1
//	otherwise                                   it stays
//
// So there is room between too long and too short, and steps whose records cost the same come to have one stride.
//
// Shorter steps are of no use where their time does not depend on the records, such as with a sink that sends what it is given in one
// request: they would only be more. What is fixed in a step's time shows when two steps differ in their records (see learn); a step
// may always take eight times as long. And since steps that have all become equal show nothing, there is a trial now and then: a step
// that is twice or half as long.
//
// Work of one kind has a pace of its own: each input of a task, each source, each kind of timers. What a record costs there tells
// nothing of the others.
package pace

import "math"

// A Pace belongs to one goroutine.
type Pace struct {
	now   func() int64 // nanoseconds
	bound int64        // nanoseconds that a step should take at most
	most  int          // records of a step, however fast they are

	stride  int   // records of the next step
	untimed int   // so many steps need not be timed
	rested  int   // steps that gave no reason for longer ones
	trial   int   // records of the next step, if it is to show what is fixed; else 0
	timed   bool  // the step at hand is
	began   int64 // when it began

	last  step  // that was timed
	fixed int64 // nanoseconds of a step, however few records it takes
}

// A step is what a step has shown.
type step struct {
	records int
	took    int64 // nanoseconds
}

const (
	fixedShare  = 8      // a step may take so many times as long as what is fixed of it
	trialEvery  = 64     // steps
	brief       = 10_000 // nanoseconds; two looks at the clock are noticed in shorter steps, so that
	sampleEvery = 8      // only one in so many of these is timed
)

// New is a pace of steps that should take no longer than bound nanoseconds by the clock now, and have no more than most records.
func New(now func() int64, bound int64, most int) *Pace {
	return &Pace{now: now, bound: bound, most: most, stride: 1}
}

// Constant is a pace that does not care for time.
func Constant(most int) *Pace { return &Pace{most: most, stride: most, untimed: math.MaxInt} }

// Begin begins a step and says how many records it may take: at least one.
func (p *Pace) Begin() (most int) {
	if p.untimed > 0 {
		p.untimed--
		return p.stride
	}
	p.timed, p.began = true, p.now()
	if p.trial > 0 {
		return p.trial
	}
	return p.stride
}

// End ends a step that has taken so many records.
func (p *Pace) End(records int) {
	if !p.timed {
		return
	}
	p.timed = false
	if records > 0 {
		p.trial = 0
		p.see(step{records, p.now() - p.began})
	}
}

// see draws the conclusions from a step.
func (p *Pace) see(s step) {
	p.learn(s)
	limit := max(p.bound, fixedShare*p.fixed)
	switch {
	case s.records > p.stride: // a longer trial
		if s.took <= limit {
			p.stride, p.rested = s.records, 0
		}
	case s.took > limit:
		p.stride = max(1, int(int64(s.records)*(limit-p.fixed)/(s.took-p.fixed)))
		p.rest(s)
	case p.stride == p.most && s.took < brief:
		p.untimed = sampleEvery - 1
	case p.stride < p.most && p.expect(s, 2*p.stride) <= limit/2:
		p.stride = min(2*p.stride, p.most)
	default:
		p.rest(s)
	}
}

// learn finds what is fixed in the time of steps: two of them, one with at least twice the records of the other, make a line. No step
// takes less.
func (p *Pace) learn(s step) {
	few, many := s, p.last
	if few.records > many.records {
		few, many = many, few
	}
	if n, m := int64(few.records), int64(many.records); n > 0 && m >= 2*n {
		p.fixed = max(0, (few.took*m-many.took*n)/(m-n))
		p.fixed = min(p.fixed, few.took)
	}
	p.fixed = min(p.fixed, s.took)
	p.last = s
}

// expect is how long a step of so many records should take after s.
func (p *Pace) expect(s step, records int) int64 {
	return p.fixed + (s.took-p.fixed)*int64(records)/int64(s.records)
}

// rest counts a step that gave no reason for longer ones. The first such step leads to a trial, and then one of trialEvery: a longer
// step, or a shorter one if those are longer than the bound because of what is fixed.
func (p *Pace) rest(s step) {
	if p.rested%trialEvery == 0 {
		p.trial = min(2*p.stride, p.most)
		if s.took > p.bound && p.stride > 1 {
			p.trial = p.stride / 2
		}
	}
	p.rested++
}
