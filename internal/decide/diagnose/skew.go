package diagnose

import "fmt"

// # Skew
//
// A bottleneck whose busiest subtask reads far more records than the average of all is not short of subtasks: its records are dealt
// out unevenly, and more parallelism will not help. Where they are dealt out by key, a sample of their key groups says whether it is
// one key, or a few. Which key it is nobody is told: keys are the user's data.

const (
	skewFrom  = 1.5 // times the average
	skewSlack = 0.1
	hotFrom   = 333 // of a thousand: the part of a subtask's records from which a key group is named
	nearlyAll = 995
)

// skewed is the finding about a bottleneck that is one by skew; nil: it is not.
func (w *walk) skewed(o *Observation, at Place, path []int, was bool) *Finding {
	l, v := &w.loads[at.Vertex], &o.Vertices[at.Vertex]
	all := l.loads[at.Subtask].read + l.others(at.Subtask, func(l load) float64 { return l.read })*float64(l.running-1)
	if l.running < 2 || all <= 0 {
		return nil
	}
	share := l.loads[at.Subtask].read / all
	times := share * float64(l.running)
	from := skewFrom
	if was {
		from -= skewSlack
	}
	if times < from {
		return nil
	}
	f := &Finding{
		Kind: Skew, Level: Warn, Head: o.name(at.Vertex) + " is the bottleneck, as its records are dealt out unevenly", Where: &at, Path: path,
		Detail:  fmt.Sprintf("%s, with %s of all records, %.1f times its share. %s", l.work(at.Subtask), percent(share), times, w.waiting(o, path)),
		Figures: w.figures(at, path),
	}
	f.Figures["parallelism"], f.Figures["share"], f.Figures["times"] = int64(l.running), thousandths(share), thousandths(times)
	f.blame(v, &v.Tasks[at.Subtask])
	return f
}

// blame says how records come to that subtask, and what can be done.
func (f *Finding) blame(v *Vertex, t *Task) {
	hashed := false
	for _, in := range v.Inputs {
		hashed = hashed || in.Partitioner == "HASH"
	}
	switch {
	case !hashed:
		f.Advice = "More parallelism will not help: deal its records out evenly, for example by a rebalance."
	case t.Keys.Share >= hotFrom:
		f.Figures["keyGroup"], f.Figures["keyGroupShare"] = int64(t.Keys.Group), int64(t.Keys.Share)
		part := "Nearly all"
		if t.Keys.Share < nearlyAll {
			part = "At least " + percent(float64(t.Keys.Share)/1000)
		}
		f.Detail += fmt.Sprintf(" %s of its records are of key group %d.", part, t.Keys.Group)
		f.Advice = "One key, or a few, have so many records: split them, for example by a number added to the key and a second step that puts the parts together. More parallelism will not help."
	default:
		f.Advice = "A few keys have many records, or fall together: a finer key or a higher max parallelism may spread them."
	}
}

// wasSkewed says that a vertex was found so when it was looked at last.
func (j *Job) wasSkewed(v int) bool {
	for i := range j.last.Findings {
		if f := &j.last.Findings[i]; f.Kind == Skew && f.Where.Vertex == v {
			return true
		}
	}
	return false
}
