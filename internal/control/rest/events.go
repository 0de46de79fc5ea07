package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// # The stream of events
//
// A page has one stream, of server-sent events, for all that it shows: GET /flott/events?job=ID; without a job it is that of the
// overview. There are two events:
//
//	frame  once a second: what changed since the last frame, in columns
//	job    the job, or one of all, has come into another state
//
// The id of an event is its number in the stream. A stream that goes on after another one (Last-Event-ID) goes on counting, and
// its first frame has everything again, so that the page need not fetch what it missed. The server keeps nothing for a page but
// the goroutine that writes to it, which ends with the connection.

const (
	frameEvery = time.Second
	pingEvery  = 15 * time.Second
)

// A frame is how a job is now. Vertices that are as they were are left out.
type frame struct {
	Now      int64                  `json:"now"`
	Seq      int64                  `json:"seq"`
	Vertices map[string]vertexFrame `json:"vertices,omitempty"`
	Edges    map[int]double         `json:"edges,omitempty"` // records a second, by operator in the stream graph
	Jobs     []jobFrame             `json:"jobs,omitempty"`
}

// A vertexFrame is the columns of a vertex, a value for each subtask.
type vertexFrame struct {
	Busy          []int64  `json:"busy"`
	BackPressured []int64  `json:"bp"`
	Idle          []int64  `json:"idle"`
	In            []double `json:"in"`
	Out           []double `json:"out"`
	Bytes         []double `json:"bytes"`
	State         []string `json:"state"`
	Watermark     []*int64 `json:"watermark"` // null: none yet
}

type jobFrame struct {
	JID   string        `json:"jid"`
	Name  string        `json:"name"`
	State view.JobState `json:"state"`
	jobFlott
}

// A feed is one stream.
type feed struct {
	server  *Server
	call    *call
	to      io.Writer
	control *http.ResponseController
	job     *id.Job // nil: the overview
	seq     int64
	states  map[id.Job]view.JobState
	sent    map[string]string // what the page has, as JSON
	quiet   time.Time         // since when nothing was sent
}

func serveEvents(s *Server, w http.ResponseWriter, c *call) error {
	f := &feed{server: s, call: c, to: w, control: http.NewResponseController(w), states: map[id.Job]view.JobState{}, sent: map[string]string{}}
	if given := c.param("job"); given != "" {
		job, err := id.ParseJob(given)
		if err != nil {
			return c.badQuery("job")
		}
		if _, err := s.source.Job(c.Context(), job); errors.Is(err, view.ErrUnknownJob) {
			return unknownJob(given)
		}
		f.job = &job
	}
	if last, err := strconv.ParseInt(c.Header.Get("Last-Event-ID"), 10, 64); err == nil {
		f.seq = last
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

// run sends frames until the page goes.
func (f *feed) run() {
	tick := time.NewTicker(frameEvery)
	defer tick.Stop()
	for f.step() == nil {
		select {
		case <-f.call.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// step sends what is new.
func (f *feed) step() error {
	jobs, err := f.look()
	if err != nil {
		return err
	}
	next := frame{Now: now()}
	for _, j := range jobs {
		if err := f.announce(j); err != nil {
			return err
		}
	}
	if f.job == nil {
		next.Jobs = f.overview(jobs)
	} else {
		next.Vertices, next.Edges = f.vertices(jobs[0]), f.edges(jobs[0])
	}
	if len(next.Vertices)+len(next.Edges)+len(next.Jobs) > 0 {
		next.Seq = f.seq + 1
		return f.send("frame", next)
	}
	return f.ping()
}

func (f *feed) look() ([]*view.Job, error) {
	if f.job == nil {
		return f.server.source.Jobs(f.call.Context())
	}
	j, err := f.server.history.job(f.call.Context(), *f.job)
	return []*view.Job{j}, err
}

// announce tells of a new state.
func (f *feed) announce(j *view.Job) error {
	if f.states[j.ID] == j.State {
		return nil
	}
	f.states[j.ID] = j.State
	return f.send("job", f.jobFrame(j))
}

func (f *feed) jobFrame(j *view.Job) jobFrame {
	return jobFrame{j.ID.String(), j.Graph.Name, j.State, *f.server.jobFlott(j)}
}

// overview is the jobs that fare differently.
func (f *feed) overview(jobs []*view.Job) (changed []jobFrame) {
	for _, j := range jobs {
		if one := f.jobFrame(j); f.changed(one.JID, one) {
			changed = append(changed, one)
		}
	}
	return changed
}

func (f *feed) vertices(j *view.Job) map[string]vertexFrame {
	all := map[string]vertexFrame{}
	for v := range j.Vertices {
		p := place{j, v, &j.Graph.Vertices[v], &j.Vertices[v]}
		if one := f.server.vertexFrame(p); f.changed(p.graph.ID.String(), one) {
			all[p.graph.ID.String()] = one
		}
	}
	return all
}

func (s *Server) vertexFrame(p place) (v vertexFrame) {
	for i, a := range current(p.now) {
		r, _ := s.history.rates(p, i, a)
		v.Busy, v.BackPressured, v.Idle = append(v.Busy, int64(r.busy)), append(v.BackPressured, int64(r.backPressured)), append(v.Idle, int64(r.idle))
		v.In, v.Out, v.Bytes = append(v.In, round(r.recordsIn)), append(v.Out, round(r.recordsOut)), append(v.Bytes, round(r.bytesOut))
		v.State = append(v.State, a.State.String())
		var mark *int64
		if w := watermarkOf(p, a.Metrics); w != math.MinInt64 {
			mark = &w
		}
		v.Watermark = append(v.Watermark, mark)
	}
	return v
}

// round keeps the digits that a page shows.
func round(v float64) double { return double(math.Round(v*10) / 10) }

func (f *feed) edges(j *view.Job) map[int]double {
	all := map[int]double{}
	for node, rate := range f.server.ratesByNode(j) {
		if r := round(rate); f.changed("edge "+strconv.Itoa(node), r) {
			all[node] = r
		}
	}
	return all
}

// changed says that the page has something else under a key, and takes it that it will have this.
func (f *feed) changed(key string, v any) bool {
	data, err := json.Marshal(v)
	if err != nil || f.sent[key] == string(data) {
		return false
	}
	f.sent[key] = string(data)
	return true
}

func (f *feed) send(event string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f.seq++
	f.quiet = time.Now()
	if _, err := fmt.Fprintf(f.to, "event: %s\nid: %d\ndata: %s\n\n", event, f.seq, data); err != nil {
		return err
	}
	return f.control.Flush()
}

// ping keeps proxies from taking the connection for dead.
func (f *feed) ping() error {
	if time.Since(f.quiet) < pingEvery {
		return nil
	}
	f.quiet = time.Now()
	if _, err := io.WriteString(f.to, ": ping\n\n"); err != nil {
		return err
	}
	return f.control.Flush()
}
