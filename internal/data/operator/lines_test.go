package operator

import (
	"math"
	"testing"
)

func TestLines(t *testing.T) {
	const first, last = math.MinInt64, math.MaxInt64
	for _, c := range []struct{ size, lateness, time, over, gone, lateUpTo int64 }{
		{10, 0, 9, 0, 0, 9},
		{10, 0, 8, -1, -1, 8},
		{10, 5, 9, 0, -5, 4},
		{1, 1, -7, -7, -8, -8},
		{10, 5, first + 3, first, first, first},
		{10, last, 100, 91, 91 - last, 100 - last},
		{10, last, -100, -109, first, first},
		{10, last, last, last, last, 0},
	} {
		l := newLines(c.size, c.lateness)
		if l.over != first || l.gone != first {
			t.Errorf("before time has begun: over %d, gone %d", l.over, l.gone)
		}
		l.move(c.time)
		if l.over != c.over || l.gone != c.gone || l.lateUpTo != c.lateUpTo {
			t.Errorf("size %d, lateness %d, time %d: over %d, gone %d, late up to %d; want %d, %d, %d",
				c.size, c.lateness, c.time, l.over, l.gone, l.lateUpTo, c.over, c.gone, c.lateUpTo)
		}
	}
}
