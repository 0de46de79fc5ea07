package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

type jobIDs struct {
	Jobs []jobIDStatus `json:"jobs"`
}

type jobIDStatus struct {
	ID     string        `json:"id"`
	Status view.JobState `json:"status"`
}

func (c *call) jobs() (jobIDs, error) {
	jobs, err := c.server.source.Jobs(c.Context())
	all := jobIDs{Jobs: []jobIDStatus{}}
	for _, j := range jobs {
		all.Jobs = append(all.Jobs, jobIDStatus{j.ID.String(), j.State})
	}
	return all, err
}

type jobList struct {
	Jobs []jobRow `json:"jobs"`
}

type jobRow struct {
	JID       string `json:"jid"`
	Name      string `json:"name"`
	Type      string `json:"jobType"`
	Scheduler string `json:"schedulerType"`
	span
	State        view.JobState  `json:"state"`
	LastModified int64          `json:"last-modification"`
	Tasks        map[string]int `json:"tasks"`
	Pending      int            `json:"pending-operators"`
	Flott        *jobFlott      `json:"flott,omitempty"`
}

// jobFlott is what Flink's jobs lack.
type jobFlott struct {
	Health    color  `json:"health"`
	Reason    string `json:"reason"`
	Waiting   string `json:"waiting,omitempty"` // what for, such as slots
	Restarts  int    `json:"restarts"`
	Note      string `json:"note,omitempty"`   // what a restart means
	RecordsIn double `json:"recordsPerSecond"` // that sources make
	Since     int64  `json:"since"`            // it came into its state
	Lag       *int64 `json:"lag"`              // milliseconds that event time is behind the clock; null: there is no event time
	LagTrend  *int64 `json:"lagTrend"`         // how many of them it has gained a second, lately; null: it is not known
	Series    *spark `json:"series,omitempty"`
}

// scheduler is what Flink would call the way in which jobs are scheduled.
const scheduler = "Default"

func (c *call) jobsOverview() (jobList, error) {
	jobs, err := c.server.source.Jobs(c.Context())
	return jobList{c.server.rows(jobs)}, err
}

func (s *Server) rows(jobs []*view.Job) []jobRow {
	rows, at := []jobRow{}, now()
	for _, j := range jobs {
		rows = append(rows, s.row(j, at))
	}
	return rows
}

func (s *Server) row(j *view.Job, at int64) jobRow {
	return jobRow{
		JID: j.ID.String(), Name: j.Graph.Name, Type: string(j.Graph.Type), Scheduler: scheduler,
		span: spanOf(j.Start(), j.End(), at), State: j.State, LastModified: lastModified(j), Tasks: summary(j), Flott: s.jobFlottWithSeries(j),
	}
}

func (s *Server) jobFlottWithSeries(j *view.Job) *jobFlott {
	f := s.jobFlott(j)
	f.Series = s.history.recorder.spark(j.ID)
	return f
}

func (s *Server) jobFlott(j *view.Job) *jobFlott {
	v := s.health.job(j)
	f := &jobFlott{
		Health: v.Status, Reason: v.Reason, Waiting: j.Waiting, Restarts: j.Restarts, RecordsIn: double(digits(s.history.produced(j))),
		Since: j.Entered[j.State], LagTrend: s.history.recorder.lagTrend(j.ID),
	}
	if mark := watermarkAtEnd(j); !j.State.Terminal() && mark != math.MinInt64 && mark != math.MaxInt64 {
		lag := behind(mark, now())
		f.Lag = &lag
	}
	if j.Restarts > 0 {
		f.Note = view.SourcesAgain
	}
	return f
}

// lastModified is when the job or one of its tasks last entered a state.
func lastModified(j *view.Job) (last int64) {
	for _, at := range j.Entered {
		last = max(last, at)
	}
	for v := range j.Vertices {
		for _, a := range current(&j.Vertices[v]) {
			for _, at := range a.Entered {
				last = max(last, at)
			}
		}
	}
	return last
}

type jobDetails struct {
	JID           string `json:"jid"`
	ApplicationID string `json:"application-id"`
	Name          string `json:"name"`
	IsStoppable   bool   `json:"isStoppable"`
	State         string `json:"state"`
	Type          string `json:"job-type"`
	Scheduler     string `json:"schedulerType"`
	span
	MaxParallelism int              `json:"maxParallelism"`
	Now            int64            `json:"now"`
	Timestamps     map[string]int64 `json:"timestamps"`
	Vertices       []vertexRow      `json:"vertices"`
	StatusCounts   map[string]int   `json:"status-counts"`
	Plan           json.RawMessage  `json:"plan"`
	Pending        int              `json:"pending-operators"`
	Flott          *jobFlott        `json:"flott"`
}

type vertexRow struct {
	ID               string `json:"id"`
	SlotSharingGroup string `json:"slotSharingGroupId"`
	Name             string `json:"name"`
	MaxParallelism   int    `json:"maxParallelism"`
	Parallelism      int    `json:"parallelism"`
	Status           string `json:"status"`
	span
	Tasks   map[string]int `json:"tasks"`
	Metrics traffic        `json:"metrics"`
}

func (c *call) jobDetails() (d jobDetails, err error) {
	j, err := c.job()
	if err != nil {
		return d, err
	}
	at := now()
	d = jobDetails{
		JID: j.ID.String(), ApplicationID: j.ID.String(), Name: j.Graph.Name, State: string(j.State), Type: string(j.Graph.Type),
		Scheduler: scheduler, span: spanOf(j.Start(), j.End(), at), MaxParallelism: -1, Now: at,
		Timestamps: map[string]int64{}, Vertices: []vertexRow{}, Plan: planOf(j), Flott: c.server.jobFlottWithSeries(j),
	}
	for _, s := range view.JobStates {
		d.Timestamps[string(s)] = j.Entered[s]
	}
	counts := census{}
	for i := range j.Vertices {
		row, state := vertexRowOf(j, i, at)
		d.Vertices = append(d.Vertices, row)
		counts[state]++
		d.MaxParallelism = max(d.MaxParallelism, row.MaxParallelism)
	}
	d.StatusCounts = counts.named()
	return d, nil
}

func vertexRowOf(j *view.Job, i int, at int64) (vertexRow, execgraph.State) {
	v, g := &j.Vertices[i], &j.Graph.Vertices[i]
	tasks := censusOf(v)
	state := tasks.overall()
	return vertexRow{
		ID: g.ID.String(), SlotSharingGroup: groupID(j, g.SlotSharingGroup), Name: g.Name,
		MaxParallelism: v.MaxParallelism, Parallelism: v.Parallelism, Status: state.String(),
		span: attemptsSpan(current(v), at), Tasks: tasks.named(), Metrics: trafficOf(g, current(v)...),
	}, state
}

// groupID is an id for a slot sharing group. Flink's is random; this one stays the same for as long as the job.
func groupID(j *view.Job, group int) string {
	h := sha256.Sum256(fmt.Appendf(nil, "%s/%d", j.ID, group))
	return hex.EncodeToString(h[:16])
}

// planOf is the job's plan, as Flink prints it, without the object around.
func planOf(j *view.Job) json.RawMessage {
	g := *j.Graph
	g.ID = j.ID
	return json.RawMessage(strings.TrimSuffix(strings.TrimPrefix(g.JSON(), `{"plan":`), "}"))
}

type planBody struct {
	Plan json.RawMessage `json:"plan"`
}

func (c *call) plan() (planBody, error) {
	j, err := c.job()
	if err != nil {
		return planBody{}, err
	}
	return planBody{planOf(j)}, nil
}

type statusBody struct {
	Status view.JobState `json:"status"`
}

// status answers 500 for an unknown job, where others say 404.
func (c *call) status() (statusBody, error) {
	want, err := c.jobID()
	if err != nil {
		return statusBody{}, err
	}
	j, err := c.job()
	if err != nil {
		return statusBody{}, internal("%s", couldNotFindJob(want.String()))
	}
	return statusBody{j.State}, nil
}

type jobConfig struct {
	JID             string          `json:"jid"`
	Name            string          `json:"name"`
	ExecutionConfig executionConfig `json:"execution-config"`
}

type executionConfig struct {
	RestartStrategy string            `json:"restart-strategy"`
	Parallelism     int               `json:"job-parallelism"`
	ObjectReuse     bool              `json:"object-reuse-mode"`
	UserConfig      map[string]string `json:"user-config"`
}

// jobConfig is how the program wants to be run. Objects are always reused: nothing is copied between chained operators.
func (c *call) jobConfig() (jobConfig, error) {
	j, err := c.job()
	if err != nil {
		return jobConfig{}, err
	}
	e := executionConfig{j.Settings.RestartStrategy, j.Settings.Parallelism, true, j.Settings.Parameters}
	if e.RestartStrategy == "" {
		e.RestartStrategy = "Cluster level default restart strategy"
	}
	if e.UserConfig == nil {
		e.UserConfig = map[string]string{}
	}
	return jobConfig{j.ID.String(), j.Graph.Name, e}, nil
}
