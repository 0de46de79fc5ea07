package operator

import (
	"fmt"
	"math"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/watermark"
)

// splitTimes is the event time of a source: a track per split, from when the split is assigned.
//
// A source without splits keeps a seat for the next one, which holds the watermark in its place. It would be wrong to be idle as
// soon as a split ends: another one is asked for and comes in no time, and what it holds must not be late only because the
// others ran ahead meanwhile. The seat is given up, and the source is idle, when none has come for an interval. At the start,
// when nobody knows how long the first split takes to be found, only the strategy's own Idle gives it up.
type splitTimes[T any] struct {
	*eventTime[T]
	byID   map[string]*track[T]
	id     string // of the split that was read last
	last   *track[T]
	seat   int   // place of the seat; noSeat: none
	vacate int64 // when it is given up
}

const noSeat = -1

func newSplitTimes[T any](env *Env, s watermark.Strategy[T], out record.Events) *splitTimes[T] {
	return &splitTimes[T]{eventTime: newEventTime(env, s, out), byID: map[string]*track[T]{}, seat: noSeat}
}

func (s *splitTimes[T]) begin() {
	s.seat, _ = s.merger.Add() // has nothing to say: the first place is active, as everything is at the start
	s.vacate = math.MaxInt64
	if s.idleAfter > 0 {
		s.vacate = s.now() + s.idleAfter
	}
	s.start(s.lookAround)
}

func (s *splitTimes[T]) assign(splits []connector.Split) (err error) {
	for _, split := range splits {
		if s.byID[split.ID], err = s.add(split.ID); err != nil {
			return err
		}
	}
	return s.giveUpSeat()
}

// read takes in records of a split, and returns their timestamps.
func (s *splitTimes[T]) read(split string, v []T, given []int64) ([]int64, error) {
	if s.last == nil || split != s.id {
		t, err := s.trackOf(split)
		if err != nil {
			return nil, err
		}
		s.id, s.last = split, t
	}
	return s.follow(s.last, v, given)
}

// ended says that a split has ended.
func (s *splitTimes[T]) ended(split string) error {
	t, err := s.trackOf(split)
	if err != nil {
		return err
	}
	delete(s.byID, split)
	s.last = nil
	if err := s.leave(t); err != nil {
		return err
	}
	if len(s.byID) > 0 {
		return s.remove(t.place)
	}
	s.seat, s.vacate = t.place, s.now()+watermarkInterval.Milliseconds()
	return nil
}

func (s *splitTimes[T]) trackOf(split string) (*track[T], error) {
	if t := s.byID[split]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("the reader read split %q, which it does not have, or not any more", split)
}

func (s *splitTimes[T]) lookAround() error {
	if err := s.look(); err != nil || s.now() < s.vacate {
		return err
	}
	return s.giveUpSeat()
}

func (s *splitTimes[T]) giveUpSeat() error {
	if s.seat == noSeat {
		return nil
	}
	place := s.seat
	s.seat = noSeat
	return s.remove(place)
}
