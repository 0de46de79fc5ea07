package diagnose

import (
	"fmt"
	"strings"
)

// moment is how long any job may wait for slots and workers, which take some time. Milliseconds.
const moment = 2_000

// waitedFor is for how long the job has waited, as far as was seen.
func (j *Job) waitedFor(o *Observation) int64 {
	switch {
	case o.Waiting == "":
		j.waits = 0
	case j.waits == 0 || j.waits > o.At: // the clock was set back
		j.waits = o.At
	}
	return o.At - j.waits
}

// states is what there is to say of a job, which has waited for so long, without looking at what its tasks do.
func states(o *Observation, patience, waited int64) []Finding {
	again := restarts(o, patience)
	switch {
	case o.State == HasFailed:
		return []Finding{failed(o)}
	case o.State == HasEnded:
		return nil
	case o.Waiting != "":
		return append(again, waiting(o, waited))
	case o.State != Running && len(again) == 0:
		return []Finding{incomplete(o)}
	}
	return again
}

// waiting is about a job that has waited for so long, which is worth a warning when it is not just a moment.
func waiting(o *Observation, waited int64) Finding {
	f := Finding{
		Kind: Waiting, Level: Pending, Head: "The job waits", Detail: sentence(strings.ToUpper(o.Waiting[:1]) + o.Waiting[1:]),
		Advice: "Slots come with TaskManagers that join, and with jobs that end.",
	}
	if waited >= moment {
		f.Level = Warn
	}
	return f
}

// failed is about a job that has failed for good.
func failed(o *Observation) Finding {
	f := Finding{Kind: Failed, Level: Stalled, Head: "The job failed", Detail: "No cause is known."}
	if len(o.Failures) > 0 {
		f.Where = o.Failures[0].Where
		f.Detail = sentence(o.Failures[0].Cause)
		f.Figures = map[string]int64{"failures": int64(len(o.Failures))}
	}
	return f
}

// restarts is about a job that starts again, or did so lately. Twice for the same reason is once too often: what fails will fail again.
func restarts(o *Observation, patience int64) []Finding {
	if len(o.Failures) == 0 || o.State != Restarting && o.At-o.Failures[0].At > patience {
		return nil
	}
	newest := &o.Failures[0]
	same := repeated(o.Failures)
	f := Finding{
		Kind: Restarts, Level: Warn, Head: "The job starts again", Where: newest.Where,
		Detail:  sentence(newest.Cause),
		Figures: map[string]int64{"failures": int64(len(o.Failures)), "same": int64(same)},
	}
	if o.State == Running {
		f.Head = "The job has started again"
	}
	if same >= 2 {
		f.Level, f.Head = Stalled, "The job starts again and again"
		often := times(same)
		if o.Earlier && same == len(o.Failures) {
			often = "at least " + often
		}
		f.Detail = fmt.Sprintf("It failed %s in a row for the same reason: %s", often, sentence(newest.Cause))
		f.Advice = "What fails each time has to be repaired: starting again does not help."
	}
	return []Finding{f}
}

// repeated is how many of the newest failures have the same cause, whatever numbers are in its words: of ports, offsets, processes.
func repeated(all []Failure) int {
	n := 0
	for n < len(all) && withoutNumbers(all[n].Cause) == withoutNumbers(all[0].Cause) {
		n++
	}
	return n
}

// incomplete is about a job that is on its way into or out of its running state.
func incomplete(o *Observation) Finding {
	runs, all := 0, 0
	for v := range o.Vertices {
		for i := range o.Vertices[v].Tasks {
			all++
			if o.Vertices[v].Tasks[i].Phase != Coming {
				runs++
			}
		}
	}
	f := Finding{
		Kind: Progress, Level: Pending, Head: "The job begins", Detail: fmt.Sprintf("%d of %s run so far.", runs, plural(all, "task")),
		Figures: map[string]int64{"running": int64(runs), "tasks": int64(all)},
	}
	if o.State == Ending {
		f.Head, f.Detail, f.Figures = "The job ends", "Its tasks are being cancelled.", nil
	}
	return f
}
