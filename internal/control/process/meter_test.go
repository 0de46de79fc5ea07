package process

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Load
		for i, s := range []struct {
			after, cpu time.Duration
			want       float64
		}{
			{0, time.Minute, 0},
			{time.Second / 2, time.Minute + time.Second, 0}, // too new
			{time.Second / 2, time.Minute + 2*time.Second, 2},
			{time.Second / 2, time.Minute + 5*time.Second, 2},
			{3 * time.Second / 2, time.Minute + 3*time.Second, 0.5},
		} {
			time.Sleep(s.after)
			if got := l.Now(s.cpu); got != s.want {
				t.Errorf("%d: %v, want %v", i, got, s.want)
			}
		}
	})
}
