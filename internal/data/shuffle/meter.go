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
		since time.Time
		spent [activities]time.Duration
	}
}

func (m *meter) start() { m.mu.since = time.Now() }

func (m *meter) enter(a activity) {
	t := time.Now()
	m.mu.Lock()
	m.mu.spent[m.mu.now] += t.Sub(m.mu.since)
	m.mu.now, m.mu.since = a, t
	m.mu.Unlock()
}

func (m *meter) read() Times {
	m.mu.Lock()
	defer m.mu.Unlock()
	spent := m.mu.spent
	spent[m.mu.now] += time.Since(m.mu.since)
	return Times{Busy: spent[busy], Idle: spent[idle], BackPressured: spent[backPressured]}
}
