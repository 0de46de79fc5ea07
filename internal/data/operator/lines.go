package operator

import "math"

// lines are how far time has come over windows of one size, seen from where they start. At time w:
//
//	           gone            over, open for late records      to come
//	───────────────────────┼───────────────────────────────┼─────────────────▶ start of the window
//	                w - size + 1 - lateness          w - size + 1
//	                    (the line gone)                (the line over)
//
// A window that starts on a line has been passed by it.
type lines struct {
	size, lateness int64
	over, gone     int64
	lateUpTo       int64 // the largest timestamp of a record that comes too late, in whatever window
}

// newLines is the lines before time has begun.
func newLines(size, lateness int64) lines {
	return lines{size, lateness, math.MinInt64, math.MinInt64, math.MinInt64}
}

// move draws the lines for time t. At the end of time they have passed all windows, also those that end beyond it.
func (l *lines) move(t int64) {
	l.lateUpTo = minus(t, l.lateness)
	if t == math.MaxInt64 {
		l.over, l.gone = t, t
		return
	}
	l.over = minus(t, l.size-1)
	l.gone = minus(l.over, l.lateness)
}

// minus does not fall below the first of all times.
func minus(t, d int64) int64 {
	if t < math.MinInt64+d {
		return math.MinInt64
	}
	return t - d
}

// plus does not rise above the last of all times.
func plus(t, d int64) int64 {
	if t > math.MaxInt64-d {
		return math.MaxInt64
	}
	return t + d
}
