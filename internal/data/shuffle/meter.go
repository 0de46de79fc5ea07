package shuffle

import (
	"sync"
	"time"
)

// Times is how a task has spent its time: with work, without any, or waiting for a free block.
type Times struct{ Busy, Idle, BackPressured time.Duration }

type activity int

const (
	busy activity = iota
	idle
	backPressured
	activities
)

func activityOf(s Signal) activity {
	if s&Messages != 0 {
		return idle
	}
	return backPressured
}

// A meter adds up times. The clock is read when the activity changes, which is only when a task parks, and by who reads the meter.
type meter struct {
	mu struct {
		sync.Mutex
		now   activity
		since time.Time // zero: it does not run
		spent [activities]time.Duration
	}
}

func (m *meter) start() {
	m.mu.Lock()
	m.mu.since = time.Now()
	m.mu.Unlock()
}

func (m *meter) enter(a activity) {
	t := time.Now()
	m.mu.Lock()
	m.add(t)
	m.mu.now, m.mu.since = a, t
	m.mu.Unlock()
}

func (m *meter) stop() {
	m.mu.Lock()
	m.add(time.Now())
	m.mu.since = time.Time{}
	m.mu.Unlock()
}

func (m *meter) read() Times {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.mu.since.IsZero() {
		now := time.Now()
		m.add(now)
		m.mu.since = now
	}
	spent := m.mu.spent
	return Times{Busy: spent[busy], Idle: spent[idle], BackPressured: spent[backPressured]}
}

func (m *meter) add(until time.Time) { m.mu.spent[m.mu.now] += until.Sub(m.mu.since) }
