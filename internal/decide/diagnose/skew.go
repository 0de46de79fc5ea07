package diagnose

import "fmt"

// # Skew
//
// A bottleneck whose busiest subtask reads far more records than the average of all is not short of subtasks: its records are dealt
// out unevenly, and more parallelism will not help. Where they are dealt out by key, a sample of their key groups says whether it is
// one key, or a few. Which key it is nobody is told: keys are the user's data.
//
// A vertex that was found to be one by skew, or not to be, stays so for a while, as who was named does.

const (
	skewFrom  = 1.5 // times the average
	skewSlack = 0.25
	hotFrom   = 333 // of a thousand: the part of a subtask's records from which a key group is named
	nearlyAll = 995
)

// A dealing is how records are dealt out to the subtasks of a bottleneck.
type dealing struct {
	uneven bool
	since  int64 // when that was found
}

// dealt is how they are now.
func (j *Job) dealt(o *Observation, l *vertexLoad, at Place) dealing {
	share, from := l.share(at.Subtask), skewFrom
	was := j.was(at.Vertex)
	if was && j.jam.dealt.uneven {
		from -= skewSlack
	}
	now := dealing{l.running > 1 && share*float64(l.running) >= from, o.At}
	if was && (now.uneven == j.jam.dealt.uneven || share > 0 && within(stays, j.jam.dealt.since, o.At)) {
		return j.jam.dealt
	}
	return now
}

// share is the part of the vertex's records that a subtask reads.
func (l *vertexLoad) share(of int) float64 {
	all := 0.0
	for i := range l.loads {
		all += l.loads[i].read
	}
	if all <= 0 {
		return 0
	}
	return l.loads[of].read / all
}

// skewed is the finding about a bottleneck that is one by skew.
func (w *walk) skewed(o *Observation, at Place, path []int) *Finding {
	l, v := &w.loads[at.Vertex], &o.Vertices[at.Vertex]
	share := l.share(at.Subtask)
	times := share * float64(l.running)
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
