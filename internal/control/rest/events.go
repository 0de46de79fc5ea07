package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/flott-dev/flott/internal/control/logbook"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// # The stream of events
//
// A page has one stream, of server-sent events, for all that it shows: GET /flott/events?job=ID; without a job it is that of the
// overview. Its events:
//
//	frame      once a second: what has changed since the last frame (frame.go). It comes also when nothing has, as a sign of life
//	job        the job, or one of all, has come into another state, or is new; how it is then is not in a frame once more
//	diagnosis  what is wrong with the job, when that has changed
//	log        new lines of the JobManager's log, of a stream with log=SEQ those after that line
//	cluster    of the overview: the answer to GET /overview when it has changed, with what has happened since the last one
//
// What happens to a job (view.Happening), such as its end, is told at once: a look for that is cheap.
//
// The id of an event is its number in the stream. A stream that goes on after another one (Last-Event-ID) goes on counting, and
// begins with everything, so that the page need not fetch what it missed. The server keeps nothing for a page but the goroutine that
// writes to it, which ends with the connection, or when the page does not read.

const (
	frameEvery    = time.Second
	looksPerFrame = 5                // for what has happened
	readWithin    = 10 * time.Second // a page must take an event
)

// A feed is one stream.
type feed struct {
	server  *Server
	call    *call
	to      io.Writer
	control *http.ResponseController
	job     *id.Job // nil: the overview
	seq     int64
	begun   bool // the page has had its first events
	states  map[id.Job]view.JobState
	rows    map[id.Job]string // of jobs, as the page has them
	mirror  mirror            // of the job
	told    string            // its diagnosis, as the page has it; of the overview how the cluster is
	seen    int64             // number of what has happened last, of what the page has
	heard   int64             // the same, of what has made a step
	looks   int               // for that
	lines   *logbook.Filter   // of the log, that the page has not; nil: it wants none
}

func serveEvents(s *Server, w http.ResponseWriter, c *call) error {
	f, err := newFeed(s, w, c)
	if err != nil {
		return err
	}
	if s.shared(c.endpoint) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	w.Header().Set("Content-Type", c.endpoint.Media)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	f.run()
	return nil
}

// newFeed is the stream that a request asks for.
func newFeed(s *Server, w http.ResponseWriter, c *call) (f *feed, err error) {
	f = &feed{server: s, call: c, to: w, control: http.NewResponseController(w), states: map[id.Job]view.JobState{}, rows: map[id.Job]string{}}
	if f.job, err = c.jobWanted(); err != nil {
		return nil, err
	}
	if c.param("log") != "" && s.options.Book != nil {
		after, err := strconv.ParseInt(c.param("log"), 10, 64)
		if err != nil {
			return nil, c.badQuery("log")
		}
		f.lines = &logbook.Filter{After: after, Limit: someLines}
	}
	if last, err := strconv.ParseInt(c.Header.Get("Last-Event-ID"), 10, 64); err == nil {
		f.seq = last
	}
	return f, nil
}

// jobWanted is the job that the query names; nil: it names none.
func (c *call) jobWanted() (*id.Job, error) {
	given := c.param("job")
	if given == "" {
		return nil, nil
	}
	job, err := id.ParseJob(given)
	if err != nil {
		return nil, c.badQuery("job")
	}
	if _, err := c.server.source.Job(c.Context(), job); errors.Is(err, view.ErrUnknownJob) {
		return nil, unknownJob(given)
	}
	return &job, nil
}

// run sends events until the page goes, or the server, which may be with the end of its job: then that is the last event.
func (f *feed) run() {
	f.happened() // all until now is in the first step
	tick := time.NewTicker(frameEvery / looksPerFrame)
	defer tick.Stop()
	for f.step() == nil && f.wait(tick.C) {
	}
}

// wait waits until it is time for a step; not if that was the last one. What has happened makes a step of its own, between those of
// each second.
func (f *feed) wait(tick <-chan time.Time) bool {
	for {
		select {
		case <-f.call.Context().Done():
			return false
		case <-f.server.background.over():
			_ = f.step() // for a page that may be gone
			return false
		case <-tick:
		}
		f.looks++
		if f.happened() || f.looks%looksPerFrame == 0 {
			return true
		}
	}
}

// happened says that something has happened to the job, or to any if none is asked for, since it said so last.
func (f *feed) happened() bool {
	news := f.server.source.Happenings(f.heard)
	if len(news) == 0 {
		return false
	}
	f.heard = news[0].Seq
	return f.job == nil || slices.ContainsFunc(news, func(h view.Happening) bool { return h.Job == *f.job })
}

// step sends what is new.
func (f *feed) step() error {
	jobs, err := f.look()
	if err != nil {
		return err
	}
	rows, err := f.rowsOf(jobs)
	if err != nil {
		return err
	}
	for i, j := range jobs {
		if err := f.announce(j, rows[i]); err != nil {
			return err
		}
	}
	f.forget(jobs)
	f.begun = true
	if err := errors.Join(f.frame(jobs, rows), f.follow()); err != nil {
		return err
	}
	if f.job == nil {
		return f.cluster(jobs)
	}
	return f.diagnose(jobs[0])
}

// cluster sends how the cluster is, if that has changed or something has happened.
func (f *feed) cluster(jobs []*view.Job) error {
	o, err := f.server.overview(f.call.Context(), jobs)
	if err != nil {
		return err
	}
	is, err := json.Marshal(o)
	if err != nil {
		return err
	}
	o.Flott.Events = f.server.happenings(f.seen)
	if string(is) == f.told && len(o.Flott.Events) == 0 {
		return nil
	}
	f.told = string(is)
	if len(o.Flott.Events) > 0 {
		f.seen = o.Flott.Events[0].Seq
	}
	return f.sendJSON("cluster", o)
}

func (f *feed) look() ([]*view.Job, error) {
	if f.job == nil {
		jobs, err := f.server.source.Jobs(f.call.Context())
		f.server.lookAtAll(f.call.Context(), jobs)
		return jobs, err
	}
	j, err := f.server.look(f.call.Context(), *f.job)
	return []*view.Job{j}, err
}

// announce tells of a job that is new, or has come into another state. How things are at first is in the first frame.
func (f *feed) announce(j *view.Job, row string) error {
	before := f.states[j.ID]
	f.states[j.ID] = j.State
	if before == j.State || !f.begun {
		return nil
	}
	f.rows[j.ID] = row
	return f.send("job", []byte(row))
}

// forget forgets the jobs that nobody knows any more: a page may be open for weeks.
func (f *feed) forget(jobs []*view.Job) {
	if len(f.states) == len(jobs) {
		return
	}
	known := func(*view.Job) bool { return true }
	retain(f.states, jobs, known)
	retain(f.rows, jobs, known)
}

// rowsOf is how jobs fare, as the page gets it.
func (f *feed) rowsOf(jobs []*view.Job) ([]string, error) {
	rows := make([]string, len(jobs))
	for i, j := range jobs {
		row, err := json.Marshal(f.server.jobFrame(j))
		if err != nil {
			return nil, err
		}
		rows[i] = string(row)
	}
	return rows, nil
}

// frame sends what has changed.
func (f *feed) frame(jobs []*view.Job, rows []string) error {
	b := fmt.Appendf(nil, `{"now":%d,"seq":%d`, now(), f.seq+1)
	if f.job != nil {
		b = f.mirror.append(b, f.server.sample(jobs[0]))
	}
	b = f.appendJobs(append(b, `,"jobs":[`...), jobs, rows)
	return f.send("frame", append(b, "]}"...))
}

// appendJobs adds the jobs that fare differently.
func (f *feed) appendJobs(b []byte, jobs []*view.Job, rows []string) []byte {
	first := true
	for i, j := range jobs {
		if f.rows[j.ID] == rows[i] {
			continue
		}
		f.rows[j.ID] = rows[i]
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, rows[i]...)
	}
	return b
}

// A jobFrame is a job as the overview and the event job have it.
type jobFrame struct {
	JID   string        `json:"jid"`
	Name  string        `json:"name"`
	State view.JobState `json:"state"`
	jobFlott
}

func (s *Server) jobFrame(j *view.Job) jobFrame {
	return jobFrame{j.ID.String(), j.Graph.Name, j.State, *s.jobFlott(j)}
}

func (f *feed) sendJSON(event string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return f.send(event, data)
}

// send sends an event, and does not wait for ever until it is taken.
func (f *feed) send(event string, data []byte) error {
	f.seq++
	if err := f.control.SetWriteDeadline(time.Now().Add(readWithin)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := fmt.Fprintf(f.to, "event: %s\nid: %d\ndata: %s\n\n", event, f.seq, data); err != nil {
		return err
	}
	return f.control.Flush()
}
