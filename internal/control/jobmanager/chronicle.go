package jobmanager

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/decide/schedule"
)

const (
	mostHappenings = 200 // how much of the past is told
	mostRestarts   = 20  // of a job, with its starts: one that fails each second must not push out all others
)

// A chronicle is what has happened last. Everybody adds to it.
type chronicle struct {
	mu struct {
		sync.Mutex
		all  []view.Happening // oldest first
		last int64            // number of the newest
	}
}

func (c *chronicle) note(h view.Happening) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.last++
	h.Seq = c.mu.last
	if old := c.tooMuch(&h); old >= 0 {
		c.mu.all = slices.Delete(c.mu.all, old, old+1)
	}
	c.mu.all = append(c.mu.all, h)
}

// tooMuch is the index of what must make room; -1: there is room. Its caller has the lock.
func (c *chronicle) tooMuch(h *view.Happening) int {
	oldest, n := -1, 0
	for i := range c.mu.all {
		if of := &c.mu.all[i]; again(of) && of.Job == h.Job {
			if n++; oldest < 0 {
				oldest = i
			}
		}
	}
	switch {
	case again(h) && n >= mostRestarts:
		return oldest
	case len(c.mu.all) >= mostHappenings:
		return 0
	}
	return -1
}

// again says that something happens to a job that may happen often.
func again(h *view.Happening) bool { return h.Kind == view.JobRestarted || h.Kind == view.JobStarted }

// since is what has a greater number, newest first.
func (c *chronicle) since(after int64) []view.Happening {
	c.mu.Lock()
	defer c.mu.Unlock()
	from, _ := slices.BinarySearchFunc(c.mu.all, after+1, func(h view.Happening, seq int64) int { return cmp.Compare(h.Seq, seq) })
	newest := slices.Clone(c.mu.all[from:])
	slices.Reverse(newest)
	return newest
}

// recall begins with the jobs of earlier processes.
func (c *chronicle) recall(jobs []*archived) {
	var all []view.Happening
	for _, a := range jobs {
		h := view.Happening{At: a.Job.Start(), Kind: view.JobSubmitted, Job: a.Job.ID, Name: a.Job.Graph.Name}
		all = append(all, h)
		h.At, h.Kind, h.Text = a.Job.End(), kindOfEnd(a.Job.State), howItEnded(a.Job.End()-a.Job.Start(), causeIn(a.Job))
		all = append(all, h)
	}
	slices.SortStableFunc(all, func(x, y view.Happening) int { return cmp.Compare(x.At, y.At) })
	for _, h := range all {
		c.note(h)
	}
}

func causeIn(j *view.Job) string {
	if j.State != view.Failed || len(j.Failures.Newest) == 0 {
		return ""
	}
	return j.Failures.Newest[0].Text
}

func kindOfEnd(s view.JobState) view.HappeningKind {
	switch s {
	case view.Finished:
		return view.JobFinished
	case view.Canceled:
		return view.JobCancelled
	}
	return view.JobFailed
}

// howItEnded is a sentence about a job that is over after so many milliseconds.
func howItEnded(after int64, cause string) string {
	text := fmt.Sprintf("After %s.", spoken(after))
	if cause != "" {
		text = fmt.Sprintf("After %s: %s", spoken(after), headline(cause))
	}
	return text
}

// spoken is a time as people say it: without digits that nobody needs.
func spoken(milliseconds int64) string {
	switch s := milliseconds / 1000; {
	case s < 1:
		return fmt.Sprintf("%d ms", milliseconds)
	case s < 60:
		return fmt.Sprintf("%.2g s", float64(milliseconds)/1000)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	default:
		return fmt.Sprintf("%d h %d min", s/3600, s/60%60)
	}
}

// mostHeadline bounds what is told of an error.
const mostHeadline = 300

// headline is the first line of an error.
func headline(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if len(line) > mostHeadline {
		line = strings.ToValidUTF8(line[:mostHeadline], "") + "..."
	}
	return line
}

// happens notes something that has happened to the job.
func (m *JobMaster) happens(kind view.HappeningKind, format string, args ...any) {
	m.chronicle.note(view.Happening{At: now(), Kind: kind, Job: m.header.Job, Name: m.graph.Job.Name, Text: fmt.Sprintf(format, args...)})
}

func (m *JobMaster) happensSubmitted() {
	m.happens(view.JobSubmitted, "%s, for %s.", some(m.graph.Subtasks(), "task"), some(len(m.graph.Slots()), "slot"))
}

// happensUp notes that all tasks run, once after each start.
func (m *JobMaster) happensUp() {
	if m.up {
		return
	}
	m.up = true
	m.happens(view.JobStarted, "All tasks run, after %s.", spoken(now()-m.began))
}

func (m *JobMaster) happensRestart(r schedule.Restart) {
	if m.up {
		m.up, m.began = false, now()
	}
	m.happens(view.JobRestarted, "Starts again in %s with %s: %s", spoken(r.Delay.Milliseconds()), some(len(r.Subtasks), "task"), headline(r.Cause.Error()))
}

func (m *JobMaster) happensEnd(e schedule.End) {
	cause := ""
	if e.State == schedule.Failed {
		cause = e.Cause.Error()
	}
	m.happens(kindOfEnd(view.JobState(e.State.String())), "%s", howItEnded(now()-m.start.UnixMilli(), cause))
}

// some is a number of things, in words.
func some(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
