package diagnose

import "fmt"

// # Event time
//
// Where tasks read from several others, event time is that of the one furthest behind, and tasks say which one that is. So the way
// leads from the task where event time has come least far, input by input, to the one whose watermarks, or silence, hold it.
//
// That is worth a finding when event time stands there while it goes on elsewhere. And it is no progress when it stands for a task
// that reads records all the time, and whose watermark has moved before: for longer than patience and three times the longest gap so
// far, so that slow clocks of windows are not taken for stopped ones.

// EventTime is how far a job has come in event time: in the last vertices, where it is furthest behind.
type EventTime struct {
	Value  int64 // None: there is none yet, or the job has no event time
	Behind int64 // the watermark that is furthest ahead; Unknown: it cannot be compared
	HeldBy *Holder
	Path   []int // from who holds it to there
}

// Unknown is how far behind nobody knows.
const Unknown = -1

// A Holder is who holds event time back; nil: nobody.
type Holder struct {
	Place
	Split string // "": it has none
}

// A holding is what there is to know of it.
type holding struct {
	EventTime
	time *SourceTime // of the holder; nil: it makes no watermarks
}

var timeless = holding{EventTime: EventTime{Value: None, Behind: Unknown}}

// held finds the task where event time has come least far, among those at the ends of the job, and who holds it.
func (j *Job) held(o *Observation) holding {
	at, value := o.rearmost()
	if at == nil {
		j.end, j.front = mark{}, mark{}
		return timeless
	}
	front := o.front()
	j.end.move(value, o.At)
	j.front.move(front, o.At)
	h := o.trace(*at)
	h.Value = value
	if value != None && value != End && front != None {
		h.Behind = max(0, front-value)
	}
	return h
}

// HeldAt is how far a task has come in event time, and who holds it back there.
func HeldAt(o *Observation, at Place) EventTime {
	if !o.timed()[at.Vertex] {
		return timeless.EventTime
	}
	h := o.trace(at)
	h.Value = o.Vertices[at.Vertex].Tasks[at.Subtask].eventTime()
	return h.EventTime
}

// rearmost is that task, and its event time; nil: nothing of the job has event time.
func (o *Observation) rearmost() (at *Place, value int64) {
	timed, consumers := o.timed(), o.consumers()
	value = End
	for v := range o.Vertices {
		if !timed[v] || len(consumers[v]) > 0 {
			continue
		}
		for i := range o.Vertices[v].Tasks {
			t := &o.Vertices[v].Tasks[i]
			if t.Phase == Active && t.At != 0 && (at == nil || t.eventTime() < value) {
				at, value = &Place{v, i}, t.eventTime()
			}
		}
	}
	return at, value
}

// timed says which vertices have event time: their own, or that of one before them.
func (o *Observation) timed() []bool {
	all := make([]bool, len(o.Vertices))
	for v := range o.Vertices {
		for i := range o.Vertices[v].Tasks {
			all[v] = all[v] || o.Vertices[v].Tasks[i].Time != nil
		}
		for _, in := range o.Vertices[v].Inputs {
			all[v] = all[v] || all[in.Producer]
		}
	}
	return all
}

// eventTime is how far a task has come.
func (t *Task) eventTime() int64 {
	if t.Time != nil && !t.Time.Free {
		return t.Time.Watermark
	}
	return t.Watermark
}

// front is the watermark that is furthest ahead.
func (o *Observation) front() int64 {
	front := int64(None)
	for v := range o.Vertices {
		for i := range o.Vertices[v].Tasks {
			if t := &o.Vertices[v].Tasks[i]; t.Phase == Active && t.Time != nil && t.Time.Furthest != End {
				front = max(front, t.Time.Furthest)
			}
		}
	}
	return front
}

// trace goes from a task to who holds its event time. It ends, as producers come before consumers.
func (o *Observation) trace(at Place) holding {
	h := holding{EventTime: EventTime{Value: None, Behind: Unknown, Path: []int{at.Vertex}}}
	for {
		t := &o.Vertices[at.Vertex].Tasks[at.Subtask]
		if t.Time != nil {
			if !t.Time.Free {
				h.time, h.HeldBy = t.Time, &Holder{at, t.Time.Split}
			}
			return h
		}
		in := t.hindmost()
		switch {
		case len(o.Vertices[at.Vertex].Inputs) == 0 && t.Phase == Active && t.At != 0:
			h.HeldBy = &Holder{Place: at}
			return h
		case in == nil || !o.feeds(in, at):
			return h
		}
		at = Place{in.Vertex, in.Subtask}
		h.Path = append([]int{at.Vertex}, h.Path...)
	}
}

// hindmost is the input of a task that holds the others; nil: none does.
func (t *Task) hindmost() *InputTime {
	var last *InputTime
	for i := range t.Inputs {
		if in := &t.Inputs[i]; in.Held && (last == nil || in.Watermark < last.Watermark) {
			last = in
		}
	}
	return last
}

// feeds says that the producer of an input is one that there is.
func (o *Observation) feeds(in *InputTime, at Place) bool {
	return in.Vertex >= 0 && in.Vertex < at.Vertex && in.Subtask >= 0 && in.Subtask < len(o.Vertices[in.Vertex].Tasks)
}

// late is the finding that event time stands, if it does.
func (j *Job) late(o *Observation, h holding) []Finding {
	if at, t := j.stopped(o); t != nil {
		return []Finding{t.stopped(o, *at, o.trace(*at), j.quiet)}
	}
	if !j.holdsUp(o, h) {
		return nil
	}
	f := Finding{
		Kind: Watermark, Level: Warn, Head: o.name(h.HeldBy.Vertex) + " holds event time back", Where: &h.HeldBy.Place, Path: h.Path,
		Figures: map[string]int64{"still": o.At - j.end.since},
	}
	f.explain(o, h, j.quiet)
	return []Finding{f}
}

// holdsUp says that event time stands where the job ends, for who holds it, while it goes on elsewhere. What is only on its way, behind
// records that nobody has read yet, is not meant.
func (j *Job) holdsUp(o *Observation, h holding) bool {
	stands, goesOn := o.At-j.end.since >= j.quiet, j.front.at != None && o.At-j.front.since < j.quiet
	return h.HeldBy != nil && stands && goesOn && (h.time == nil || h.time.Watermark <= h.Value)
}

// explain says why the holder does not go on, and what to do about it.
func (f *Finding) explain(o *Observation, h holding, quiet int64) {
	who := fmt.Sprintf("Subtask %d", h.HeldBy.Subtask)
	if h.HeldBy.Split != "" {
		who = fmt.Sprintf("Split %s, read by subtask %d,", h.HeldBy.Split, h.HeldBy.Subtask)
	}
	const idle = "If it may be silent, say so: give the watermarks of this stream an Idle, as in watermark.Monotonic(f).Idle(time.Minute)."
	switch t := h.time; {
	case t == nil:
		f.Detail, f.Advice = who+" sends no watermarks.", "Give this stream watermarks, as the others have."
	case t.NoSplit:
		f.Detail, f.Advice = who+" has no split yet.", idle
	case t.Silent >= quiet && t.IdleAfter == 0:
		f.Detail, f.Advice = fmt.Sprintf("%s has had no record for %s, and is not marked as idle.", who, duration(t.Silent)), idle
	case t.Silent >= quiet:
		f.Detail = fmt.Sprintf("%s has had no record for %s, and is idle only after %s.", who, duration(t.Silent), duration(t.IdleAfter))
		f.Advice = "Choose a shorter time for Idle in the watermarks of this stream."
	default:
		f.Detail, f.Advice = who+" has records, but none is newer.", "Look at the timestamps of its records."
	}
	f.measure(o, h)
}

// measure says how far behind event time is, and for whom.
func (f *Finding) measure(o *Observation, h holding) {
	if h.time != nil {
		f.Figures["silent"] = h.time.Silent
	}
	if h.Behind != Unknown {
		f.Figures["behind"] = h.Behind
		f.Detail += fmt.Sprintf(" Event time is %s behind where it is furthest.", duration(h.Behind))
	}
	if len(h.Path) > 1 {
		var held []string
		for _, v := range h.Path[1:] {
			held = append(held, o.name(v))
		}
		f.Detail += " It is held back for " + list(held) + "."
	}
}

// stopped is the task furthest downstream whose watermark does not move although records do; nil: there is none.
func (j *Job) stopped(o *Observation) (at *Place, stopped *track) {
	for v := range o.Vertices {
		for i := range o.Vertices[v].Tasks {
			if t := j.of(o, v, i); t != nil && t.late(j.patience) && (at == nil || v > at.Vertex) {
				at, stopped = &Place{v, i}, t
			}
		}
	}
	return at, stopped
}

// late says that records go through, and the watermark, which moved before, does not.
func (n *track) late(patience int64) bool {
	return n.now.Watermark != None && n.now.Watermark != End && n.ticks > 0 && n.now.Records > n.records &&
		n.now.At-n.time.since > max(patience, 3*n.longestGap)
}

func (n *track) stopped(o *Observation, at Place, h holding, quiet int64) Finding {
	stands := n.now.At - n.time.since
	f := Finding{
		Kind: Watermark, Level: Stalled, Head: "Event time stands in " + o.name(at.Vertex), Where: &at, Path: h.Path,
		Figures: map[string]int64{"still": stands},
	}
	if h.HeldBy == nil || h.HeldBy.Place == at {
		f.Detail = fmt.Sprintf("Subtask %d reads records, but its watermark has not moved for %s.", at.Subtask, duration(stands))
		f.Advice = "Look at the timestamps of its records."
		return f
	}
	f.explain(o, h, quiet)
	f.Detail = fmt.Sprintf("Subtask %d reads records, but its watermark has not moved for %s. %s holds it: %s",
		at.Subtask, duration(stands), o.name(h.HeldBy.Vertex), f.Detail)
	return f
}
