package sequence

import (
	"math"
	"time"
)

// A pace says how many records are due. Record k is due k/rate after the first one, whatever the time at which it is asked, so
// that late answers do not add up; but at most a second's worth is ever made up for.
type pace struct {
	rate  float64       // records per second
	first time.Duration // when the first record is due, seen from the start
	start time.Time
	made  float64
}

// rounding is how early a record may be: what computing with fractions of a second can be off by.
const rounding = time.Microsecond

// due returns how many records are due at now, and if none is, how long it takes until there is one.
func (p *pace) due(now time.Time) (n int64, wait time.Duration) {
	if p.start.IsZero() {
		p.start = now
	}
	elapsed := now.Sub(p.start) - p.first + rounding
	due := math.Floor(elapsed.Seconds()*p.rate) + 1 - p.made
	if due < 1 {
		return 0, seconds(p.made/p.rate) - elapsed + rounding
	}
	if most := max(1, math.Floor(p.rate)); due > most {
		p.made += due - most
		due = most
	}
	return int64(due), 0
}

// take says that n records were made.
func (p *pace) take(n int64) { p.made += float64(n) }

// seconds is s seconds, or a century if that is less.
func seconds(s float64) time.Duration {
	const century = 100 * 365 * 24 * time.Hour
	return time.Duration(min(s*float64(time.Second), float64(century)))
}
