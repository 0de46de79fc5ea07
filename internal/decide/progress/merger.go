// Package progress decides how far event time has come where several inputs meet: the channels of a gate, the inputs of an
// operator, the splits of a source. It merges their watermarks and their idleness into one watermark and one idleness:
//
//	some inputs are active        the smallest watermark of the active ones
//	none active, some idle        the largest watermark of the idle ones; idle
//	all finished                  the largest watermark there is; not idle, so that it arrives
//	none there any more           no change; idle. Before the first one comes, everybody waits for it
//
// The watermark never falls back. An input that comes late (a new split, one that was idle) may be behind it; then it stands
// still until that input has caught up. Of idle inputs the largest counts so that the order in which they fell idle does not.
//
// Engines have learned four of these rules the hard way. An input counts from when it is known, not from its first record: else
// the others run away from it. Becoming active is said aloud, also when the watermark does not move: else those downstream still
// do not wait. A finished input does not count as one with the largest watermark: else that is the result as soon as the rest
// falls idle. And the end is said aloud by idle inputs, too.
package progress

import "math"

const (
	// None is the watermark before the first.
	None int64 = math.MinInt64
	// End is the watermark after the last.
	End int64 = math.MaxInt64
)

// A Merger merges inputs. Each has a place in it, a small number.
type Merger struct {
	places []place
	states [Finished + 1]int // the number of places in each state
	merged int64             // what the inputs come to; may be behind said
	holder int               // the place that merged is of, as nobody active is behind it; Nobody
	said   int64             // the watermark that was said last
	idle   bool              // what was said last
}

type place struct {
	state     State
	watermark int64
}

// Nobody is the place of no input.
const Nobody = -1

// New makes a merger of n inputs that are active and have no watermark yet, at places 0 to n-1.
func New(n int) *Merger {
	m := &Merger{merged: None, said: None, holder: Nobody}
	for range n {
		m.Add()
	}
	return m
}

// Holder is the place of the input that holds the watermark back: the active one that is furthest behind, the first of several.
// While no input is active nobody does: Nobody.
func (m *Merger) Holder() int { return m.holder }

// Merged is what the inputs come to: while one is active, how far the furthest behind has got.
func (m *Merger) Merged() int64 { return m.merged }

// Add takes in an input that is active and has no watermark yet, and returns its place.
func (m *Merger) Add() (int, Effect) {
	i := 0
	for i < len(m.places) && m.places[i].state != Vacant {
		i++
	}
	if i == len(m.places) {
		m.places = append(m.places, place{})
		m.states[Vacant]++
	}
	m.places[i].watermark = None
	return i, m.move(i, Active)
}

// Remove lets the input at place i go; its place becomes free. Its last watermark counted, as far as others did not hold it back.
func (m *Merger) Remove(i int) Effect { return m.move(i, Vacant) }

// Advance says that the input at place i has come to watermark t. While it is idle this does not count.
func (m *Merger) Advance(i int, t int64) Effect {
	p := &m.places[i]
	if t == End {
		return m.Finish(i)
	}
	before := p.watermark
	if t <= before {
		return Effect{}
	}
	p.watermark = t
	if before > m.merged {
		return Effect{} // it did not hold the others back
	}
	return m.settle()
}

// SetIdle says that the input at place i is idle, or active again. One that is finished stays so.
func (m *Merger) SetIdle(i int, idle bool) Effect {
	switch {
	case idle && m.places[i].state == Active:
		return m.move(i, Idle)
	case !idle && m.places[i].state == Idle:
		return m.move(i, Active)
	}
	return Effect{}
}

// Finish says that nothing more comes from the input at place i.
func (m *Merger) Finish(i int) Effect { return m.move(i, Finished) }

// FinishAll says that nothing more comes from any input, also if there is none.
func (m *Merger) FinishAll() Effect {
	if len(m.places) == 0 {
		m.places = append(m.places, place{})
	}
	for i := range m.places {
		m.places[i].state = Finished
	}
	m.states = [Finished + 1]int{Finished: len(m.places)}
	return m.settle()
}

func (m *Merger) move(i int, to State) Effect {
	p := &m.places[i]
	m.states[p.state]--
	m.states[to]++
	p.state = to
	return m.settle()
}

// settle compares what the inputs come to with what was said.
func (m *Merger) settle() Effect {
	t, idle := m.merge()
	m.merged = t
	e := Effect{Active: m.idle && !idle, Idle: idle && !m.idle}
	if t > m.said && !(idle && m.idle) {
		e.Advanced, e.Watermark = true, t
		m.said = t
	}
	m.idle = idle
	return e
}

func (m *Merger) merge() (watermark int64, idle bool) {
	smallest, largest := End, None
	m.holder = Nobody
	for i := range m.places {
		switch p := &m.places[i]; p.state {
		case Active:
			if p.watermark < smallest {
				smallest, m.holder = p.watermark, i
			}
		case Idle:
			largest = max(largest, p.watermark)
		}
	}
	switch {
	case m.states[Active] > 0:
		return smallest, false
	case m.states[Idle] > 0:
		return largest, true
	case m.states[Finished] > 0:
		return End, false
	}
	return m.said, true
}
