package diagnose

import (
	"fmt"
	"time"
)

// # Lag
//
// Event time falls behind the clock when more comes in than the job takes. A moment of that is no news, and where nothing comes in event
// time just stands; so it is worth a finding when event time has gone on in each of the last five minutes, and each time by less than
// the clock has.

const (
	lagEvery  = 60_000 // milliseconds between two readings
	lagGrows  = 5      // times in turn
	lagByMost = 1_000  // milliseconds more than before that are no growth
)

// unrelated is how far behind the clock event time is that has nothing to do with it: that of records of long ago. Milliseconds.
var unrelated = (365 * 24 * time.Hour).Milliseconds()

// A reading is how far event time had come at a time.
type reading struct{ at, value int64 }

func (r reading) lag() int64 { return r.at - r.value }

// lagging is the finding that event time falls behind, if it does. The newest readings are a minute apart.
func (j *Job) lagging(o *Observation, value int64) []Finding {
	now := reading{o.At, value}
	j.lags = now.after(j.lags)
	if !grow(j.lags) {
		return nil
	}
	first := j.lags[0]
	f := Finding{
		Kind: Lag, Level: Warn, Head: "Event time falls behind",
		Detail: fmt.Sprintf("Each minute it is further behind the clock: %s now, which is %s more than %s ago.",
			duration(now.lag()), duration(now.lag()-first.lag()), duration(now.at-first.at)),
		Advice:  "More comes in than the job takes, or it comes late: raise the parallelism of the sources, or look at what feeds them.",
		Figures: map[string]int64{"lag": now.lag(), "grown": now.lag() - first.lag(), "over": now.at - first.at},
	}
	if j.jam.at != nil {
		f.Advice = "The job takes no more than its bottleneck does."
	}
	return []Finding{f}
}

// after is the readings of before and this one, if it is time for it; none when the clock was set, nobody looked, or there is no time.
func (r reading) after(before []reading) []reading {
	n := len(before)
	switch {
	case r.value == None || r.value == End || r.lag() < 0 || r.lag() > unrelated:
		return nil
	case n > 0 && within(lagEvery, before[n-1].at, r.at):
		return before
	case n > 0 && !within(2*lagEvery, before[n-1].at, r.at):
		before = nil
	}
	all := append(before, r)
	return all[max(0, len(all)-lagGrows-1):]
}

// grow says that lag has grown from each reading to the next, and that event time has gone on.
func grow(all []reading) bool {
	for i := 1; i < len(all); i++ {
		before, after := all[i-1], all[i]
		if after.value == before.value || after.lag() <= before.lag()+lagByMost {
			return false
		}
	}
	return len(all) > lagGrows
}
