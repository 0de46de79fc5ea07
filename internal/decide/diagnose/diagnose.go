// Package diagnose decides whether a running job makes progress, and says in words why not.
//
// It is told from time to time what the tasks have done so far (Observe), and compares. What it can say:
//
//	ok       the job gets on, or has nothing to do
//	pending  it is not known yet: too little was seen
//	warn     it gets on, but needs attention: it waits for slots, or restarts
//	stalled  it does not get on
//
// A job is stalled when
//
//   - a task has work and does nothing: it is not idle, and nothing that it counts has changed, for longer than patience. If it is
//     busy, a call of user code does not return, and the task is the cause. If it is back-pressured, the cause is downstream;
//   - records go through a task but its watermark, which has moved before, stands still for longer than patience and three times
//     the longest gap so far, so that slow clocks of windows are not taken for stopped ones;
//   - it restarts again and again with the same root cause.
//
// A job without input is not stalled: its tasks are idle. What cannot be known is never called good.
package diagnose

import (
	"fmt"
	"math"
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

// A Verdict is a level with its reason in words; "" for OK.
type Verdict struct {
	Level  Level
	Reason string
}

// An Observation is a job at one moment.
type Observation struct {
	At      int64    // milliseconds since the epoch
	Running bool     // all tasks are to run
	Waiting string   // what the job waits for before it can run; "": nothing
	Causes  []string // root causes of the newest failures that it restarted after, newest first
	Tasks   []Task   // those that run
}

// A Task is what one attempt has done since it started.
type Task struct {
	Vertex, Subtask, Attempt  int
	Name                      string // "count (2/4)"
	Records                   int64  // read and written
	Watermark                 int64  // math.MinInt64: none yet
	Busy, Idle, BackPressured time.Duration
}

// patience is how long a task may do nothing.
const patience = 60_000

// A Job remembers what its tasks did last. Not for use by several goroutines.
type Job struct {
	tasks   map[attempt]*trace
	verdict Verdict
}

type attempt struct{ vertex, subtask, number int }

// A trace is when a task did something last.
type trace struct {
	last       Task
	moved      int64         // when its counts changed
	idle       time.Duration // its idle time then
	busy       time.Duration // and its busy time
	at         int64         // of the last observation
	watermark  int64         // when the watermark moved
	records    int64         // its records then
	longestGap int64         // between two moves of it
	ticks      int           // moves so far
}

// NewJob knows nothing yet.
func NewJob() *Job {
	return &Job{tasks: map[attempt]*trace{}, verdict: Verdict{Pending, "not observed yet"}}
}

// Verdict is what the last observation led to.
func (j *Job) Verdict() Verdict { return j.verdict }

// Observe takes the next observation.
func (j *Job) Observe(o Observation) Verdict {
	j.follow(o)
	switch same := repeated(o.Causes); {
	case same >= 2 && !o.Running:
		j.verdict = Verdict{Stalled, fmt.Sprintf("restarts again and again: the last %d times for the same reason: %s", same, o.Causes[0])}
	case o.Waiting != "":
		j.verdict = Verdict{Warn, o.Waiting}
	case !o.Running:
		j.verdict = Verdict{Pending, "not all tasks run"}
	default:
		j.verdict = j.judge(o.At)
	}
	return j.verdict
}

// repeated is how many of the newest causes are the same.
func repeated(causes []string) int {
	n := 0
	for n < len(causes) && causes[n] == causes[0] {
		n++
	}
	return n
}

// follow notes what each task has done, and forgets those that are gone.
func (j *Job) follow(o Observation) {
	seen := make(map[attempt]*trace, len(o.Tasks))
	for _, t := range o.Tasks {
		key := attempt{t.Vertex, t.Subtask, t.Attempt}
		at := j.tasks[key]
		if at == nil {
			at = &trace{last: t, moved: o.At, idle: t.Idle, busy: t.Busy, watermark: o.At, records: t.Records}
		}
		at.note(t, o.At)
		seen[key] = at
	}
	j.tasks = seen
}

func (t *trace) note(now Task, at int64) {
	if now.Records != t.last.Records || now.Watermark != t.last.Watermark {
		t.moved, t.idle, t.busy = at, now.Idle, now.Busy
	}
	if now.Watermark != t.last.Watermark {
		if t.ticks > 0 {
			t.longestGap = max(t.longestGap, at-t.watermark)
		}
		t.ticks++
		t.watermark, t.records = at, now.Records
	}
	t.last, t.at = now, at
}

// judge looks for the task that is to blame: a busy one rather than one that waits for it.
func (j *Job) judge(at int64) Verdict {
	var worst *trace
	for _, t := range j.tasks {
		if t.stands(at) && (worst == nil || t.worse(worst)) {
			worst = t
		}
	}
	if worst != nil {
		return Verdict{Stalled, worst.standing(at)}
	}
	for _, t := range j.tasks {
		if t.late(at) && (worst == nil || t.worse(worst)) {
			worst = t
		}
	}
	if worst != nil {
		return Verdict{Stalled, worst.stopped(at)}
	}
	return Verdict{Level: OK}
}

// stands says that the task has work and has done nothing of it for too long.
func (t *trace) stands(at int64) bool {
	still := at - t.moved
	return still > patience && (t.last.Idle-t.idle).Milliseconds() < still/2
}

// late says that records go through, and the watermark, which moved before, does not.
func (t *trace) late(at int64) bool {
	return t.last.Watermark != math.MinInt64 && t.last.Watermark != math.MaxInt64 && t.ticks > 0 &&
		t.last.Records > t.records && at-t.watermark > max(patience, 3*t.longestGap)
}

// stuck says that the task is busy rather than waiting.
func (t *trace) stuck() bool { return 2*(t.last.Busy-t.busy).Milliseconds() > t.at-t.moved }

func (t *trace) worse(than *trace) bool {
	if t.stuck() != than.stuck() {
		return t.stuck()
	}
	if t.last.Vertex != than.last.Vertex {
		return t.last.Vertex > than.last.Vertex // further downstream
	}
	return t.last.Subtask < than.last.Subtask
}

func (t *trace) standing(at int64) string {
	if t.stuck() {
		return fmt.Sprintf("%s has been busy for %s without reading or writing a record: a call of user code does not return", t.last.Name, since(t.moved, at))
	}
	return fmt.Sprintf("%s has been back-pressured for %s: nobody reads what it writes", t.last.Name, since(t.moved, at))
}

func (t *trace) stopped(at int64) string {
	return fmt.Sprintf("%s reads records, but its watermark has not moved for %s: an input is behind or sends no watermarks", t.last.Name, since(t.watermark, at))
}

func since(from, to int64) string {
	return (time.Duration(to-from) * time.Millisecond).Round(time.Second).String()
}
