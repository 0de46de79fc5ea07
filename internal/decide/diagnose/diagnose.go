// Package diagnose decides how a running job fares, and says in words what is wrong and why.
//
// It is shown from time to time what the tasks have done so far (Observe), compares, and comes to findings, a sentence or two each,
// with the figures that they rest on. One idea, one file:
//
//	states      the job has failed, starts again, waits for slots, or is not all there yet
//	progress    a task has work and does none of it
//	watermark   event time stands still, and who holds it
//	bottleneck  the vertex that all before it wait for
//	skew        a bottleneck because one subtask has more records than the others
//	lag         event time falls further and further behind the clock
//	memory      workers use nearly all that they may
//	steady      findings that stay the same are said in the same words for a while
//
// A finding is
//
//	pending  when it is not known: too little was seen, or the figures do not say
//	warn     when the job gets on, but needs attention
//	stalled  when the job does not get on
//
// and the job is as bad as its worst finding, or ok. A job without input is ok: its tasks are idle. What cannot be known is never
// called good.
package diagnose

import (
	"cmp"
	"slices"
	"time"
)

// A Level says how bad it is.
type Level uint8

// The levels, better ones first.
const (
	OK Level = iota
	Pending
	Warn
	Stalled
)

func (l Level) String() string { return [...]string{"ok", "pending", "warn", "stalled"}[l] }

// A Kind is what a finding is about.
type Kind string

// The kinds.
const (
	Failed      Kind = "failed"
	Restarts    Kind = "restarts"
	Waiting     Kind = "waiting"
	Progress    Kind = "progress"
	Watermark   Kind = "watermark"
	Skew        Kind = "skew"
	Bottleneck  Kind = "bottleneck"
	Lag         Kind = "lag"
	MemoryShort Kind = "memory"
)

// importance is the order of findings of the same level.
var importance = []Kind{Failed, Restarts, Waiting, Progress, Watermark, Skew, Bottleneck, Lag, MemoryShort}

// A Finding is one thing that is to be said.
type Finding struct {
	Kind                 Kind
	Level                Level
	Head, Detail, Advice string // a headline, what it rests on, and what can be done; the last may be missing
	Where                *Place // nil: it is the whole job's
	// Figures are the numbers that it rests on. Shares are in parts of a thousand, times in milliseconds.
	Figures map[string]int64
	Path    []int // vertices from where it begins to where it is felt
	Since   int64 // when it began

	said int64 // when these words were found
}

// A Place is a vertex by its index, and one of its subtasks; Whole: all of them.
type Place struct{ Vertex, Subtask int }

// Whole is all subtasks of a vertex.
const Whole = -1

// A Diagnosis is all that is to be said of a job.
type Diagnosis struct {
	Level      Level
	Findings   []Finding // the most important first
	Bottleneck *Place    // nil: there is none, or it is not known
	EventTime  EventTime
	Since      int64 // when these findings, in whatever words, came together
}

// Options are the rules' patience.
type Options struct {
	Patience time.Duration // how long a task may do nothing though it has work; 0: a minute
	Quiet    time.Duration // how long event time may stand while others go on; 0: ten seconds
}

func (o Options) withDefaults() Options {
	return Options{cmp.Or(o.Patience, time.Minute), cmp.Or(o.Quiet, 10*time.Second)}
}

// A Job remembers what it was shown. Not for use by several goroutines.
type Job struct {
	patience, quiet int64 // milliseconds
	tracks          map[attempt]*track
	end, front      mark  // of event time: where the job ends, and where it is furthest
	waits           int64 // since when it waits; 0: it does not
	jam             jam
	lags            []reading
	full            []string // TaskManagers that are short of memory
	last            Diagnosis
}

// NewJob knows nothing yet.
func NewJob(o Options) *Job {
	o = o.withDefaults()
	return &Job{
		patience: o.Patience.Milliseconds(), quiet: o.Quiet.Milliseconds(), tracks: map[attempt]*track{},
		last: diagnosis(notObserved),
	}
}

var notObserved = Finding{Kind: Progress, Level: Pending, Head: "How the job fares is not known", Detail: "It was not looked at yet."}

// Diagnosis is what the last observation led to.
func (j *Job) Diagnosis() Diagnosis { return j.last }

// Observe takes the next observation.
func (j *Job) Observe(o *Observation) Diagnosis {
	j.follow(o)
	found := append(states(o, j.patience, j.waitedFor(o)), j.short(o)...)
	d := diagnosis(found...)
	if o.State == Running {
		d = j.running(o, found)
	} else {
		j.jam, j.lags = jam{}, nil
	}
	j.last = j.steady(d, o.At)
	return j.last
}

// running is the diagnosis of a job whose tasks are to run.
func (j *Job) running(o *Observation, found []Finding) Diagnosis {
	held := j.held(o)
	j.jam = j.jammed(o)
	stands := j.standing(o)
	found = append(found, stands...)
	found = append(found, j.late(o, held)...)
	if f := j.jam.finding; f != nil && !explains(stands, f) {
		found = append(found, *f)
	}
	found = append(found, j.lagging(o, held.Value)...)
	d := diagnosis(found...)
	d.Bottleneck, d.EventTime = j.jam.at, held.EventTime
	return d
}

// explains says that tasks that stand still are why others wait: that is no bottleneck, or the same vertex's.
func explains(stands []Finding, jam *Finding) bool {
	return slices.ContainsFunc(stands, func(f Finding) bool { return jam.Level == Pending || f.Where.Vertex == jam.Where.Vertex })
}

// diagnosis puts findings in order.
func diagnosis(found ...Finding) Diagnosis {
	d := Diagnosis{Findings: found, EventTime: timeless.EventTime}
	slices.SortStableFunc(d.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(slices.Index(importance, a.Kind), slices.Index(importance, b.Kind)))
	})
	if len(found) > 0 {
		d.Level = d.Findings[0].Level
	}
	return d
}

// Over is the diagnosis of a job that is over, which needs no memory.
func Over(o *Observation) Diagnosis {
	d := diagnosis(states(o, 0, 0)...)
	for i := range d.Findings {
		d.Findings[i].Since, d.Since = o.At, o.At
	}
	return d
}
