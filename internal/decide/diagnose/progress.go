package diagnose

import "fmt"

// # No progress
//
// A task has work and does nothing when it is not idle, and nothing that it counts has changed, for longer than patience. If it is
// busy, a call of user code does not return, and it is the cause. If it is back-pressured, the cause is further downstream, and it is
// only named when nobody there is busy.
//
// Before patience is over nobody knows whether a task hangs or is slow, but if others wait for it, it is named as what it is: one that
// has finished no record for as long as loads are averaged. What its records cost cannot be said: there were none.

// standing finds the task that is to blame: a busy one rather than one that waits for it.
func (j *Job) standing(o *Observation) []Finding {
	var worst *track
	var at Place
	for v := range o.Vertices {
		for i := range o.Vertices[v].Tasks {
			t := j.of(o, v, i)
			if t == nil || !t.stands(j.patience) {
				continue
			}
			if worst == nil || t.stuck() && !worst.stuck() || t.stuck() == worst.stuck() && v > at.Vertex {
				worst, at = t, Place{v, i}
			}
		}
	}
	if worst == nil {
		return nil
	}
	return []Finding{worst.noProgress(o, at)}
}

// still is for how long nothing has changed, by the time that the task has spent.
func (n *track) still() int64 {
	now := sampleOf(&n.now)
	return now.spent() - n.moved.spent()
}

func (n *track) stands(patience int64) bool {
	return n.still() > patience && (n.now.Idle-n.moved.idle).Milliseconds() < n.still()/2
}

// stuck says that the task is busy rather than waiting.
func (n *track) stuck() bool { return 2*(n.now.Busy-n.moved.busy).Milliseconds() > n.still() }

func (n *track) noProgress(o *Observation, at Place) Finding {
	f := Finding{
		Kind: Progress, Level: Stalled, Head: o.name(at.Vertex) + " makes no progress", Where: &at,
		Figures: map[string]int64{"still": n.still(), "records": n.now.Records}, Path: []int{at.Vertex},
	}
	if n.stuck() {
		f.Detail = fmt.Sprintf("Subtask %d has been busy for %s without reading or writing a record: a call of user code does not return.", at.Subtask, duration(n.still()))
		f.Advice = "The stack of its goroutine shows the call that hangs."
	} else {
		f.Detail = fmt.Sprintf("Subtask %d has been back-pressured for %s: nobody reads what it writes.", at.Subtask, duration(n.still()))
		f.Advice = "Look at the vertices that read from it, and at the network between them."
	}
	return f
}

// unfinished is about a task that all on the path wait for, and that has come to the end of no record.
func (w *walk) unfinished(o *Observation, at Place, path []int, t *track) *Finding {
	f := &Finding{
		Kind: Progress, Level: Warn, Head: o.name(at.Vertex) + " finishes no record", Where: &at, Path: path,
		Detail:  fmt.Sprintf("%s, and has finished no record for %s. %s", w.loads[at.Vertex].work(at.Subtask), duration(t.still()), w.waiting(o, path)),
		Advice:  "The stack of its goroutine shows what it is doing.",
		Figures: w.figures(at, path),
	}
	f.Figures["still"], f.Figures["records"] = t.still(), t.now.Records
	return f
}
