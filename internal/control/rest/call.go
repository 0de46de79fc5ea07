package rest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A call is a request to an endpoint.
type call struct {
	*http.Request
	server   *Server
	endpoint *endpoint
}

// mostBody bounds what a request may say in JSON.
const mostBody = 64 << 20

// read reads the body. Flink's client sends `{}` where there is nothing to say; others send nothing.
func (c *call) read(into any) error {
	if c.Method == http.MethodGet || c.Body == nil {
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, c.Body, mostBody))
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return refuse(http.StatusRequestEntityTooLarge, "%v", err)
	}
	if err != nil {
		return err
	}
	if len(strings.TrimSpace(string(body))) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, into); err != nil {
		return refuse(http.StatusBadRequest, "Request did not match expected format %s.\nCaused by: %v", nameOf(reflect.TypeOf(into).Elem()), err)
	}
	return nil
}

// nameOf is the name of a body as Flink has it.
func nameOf(t reflect.Type) string {
	return strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
}

func (c *call) badPath(name string) *failure {
	return refuse(http.StatusBadRequest, "Bad request, could not parse parameters: Cannot resolve path parameter (%s) from value %q.", name, c.PathValue(name))
}

func (c *call) badQuery(name string) *failure {
	return refuse(http.StatusBadRequest, "Bad request, could not parse parameters: Cannot resolve query parameter (%s) from value %q.", name, c.param(name))
}

// param is a parameter of the query; "": it is not there.
func (c *call) param(name string) string { return c.URL.Query().Get(name) }

// list is a parameter that is a list, in one piece or several.
func (c *call) list(name string) []string {
	var all []string
	for _, v := range c.URL.Query()[name] {
		for part := range strings.SplitSeq(v, ",") {
			if part != "" {
				all = append(all, part)
			}
		}
	}
	return all
}

// set is what is in such a list: a query may name very many.
func (c *call) set(name string) map[string]bool {
	set := map[string]bool{}
	for _, v := range c.list(name) {
		set[v] = true
	}
	return set
}

func (c *call) jobID() (id.Job, error) {
	j, err := id.ParseJob(c.PathValue("jobid"))
	if err != nil {
		return j, c.badPath("jobid")
	}
	return j, nil
}

// job is the job that the path names, as it is now.
func (c *call) job() (*view.Job, error) {
	want, err := c.jobID()
	if err != nil {
		return nil, err
	}
	j, err := c.server.look(c.Context(), want)
	if errors.Is(err, view.ErrUnknownJob) {
		return nil, unknownJob(want.String())
	}
	return j, err
}

// A place is a vertex of a job.
type place struct {
	job   *view.Job
	index int
	graph *jobgraph.Vertex
	now   *view.Vertex
}

// vertexID is the id in the path.
func (c *call) vertexID() (id.Vertex, error) {
	v, err := id.ParseOperator(c.PathValue("vertexid"))
	if err != nil {
		return v, c.badPath("vertexid")
	}
	return v, nil
}

// vertex is the vertex that the path names.
func (c *call) vertex() (place, error) {
	want, err := c.vertexID()
	if err != nil {
		return place{}, err
	}
	j, err := c.job()
	if err != nil {
		return place{}, err
	}
	if p, ok := placeOf(j, want); ok {
		return p, nil
	}
	return place{}, notFound("JobVertex %s not found", want)
}

func placeOf(j *view.Job, want id.Vertex) (place, bool) {
	for i := range j.Graph.Vertices {
		if j.Graph.Vertices[i].ID == want {
			return place{j, i, &j.Graph.Vertices[i], &j.Vertices[i]}, true
		}
	}
	return place{}, false
}

// number is a number in the path.
func (c *call) number(name string) (int, error) {
	n, err := strconv.Atoi(c.PathValue(name))
	if err != nil || n < 0 {
		return 0, c.badPath(name)
	}
	return n, nil
}

// subtask is the subtask that the path names.
func (c *call) subtask() (place, int, error) {
	n, err := c.number("subtaskindex")
	if err != nil {
		return place{}, 0, err
	}
	p, err := c.vertex()
	if err != nil {
		return p, 0, err
	}
	if n >= len(p.now.Subtasks) {
		return p, 0, refuse(http.StatusNotFound, "Invalid subtask index for vertex %s", p.graph.ID)
	}
	return p, n, nil
}

// attempt is the attempt that the path names.
func (c *call) attempt() (p place, subtask int, a *view.Attempt, err error) {
	number, err := c.number("attempt")
	if err != nil {
		return p, 0, nil, err
	}
	if p, subtask, err = c.subtask(); err != nil {
		return p, 0, nil, err
	}
	if a = p.now.Subtasks[subtask].Attempt(number); a == nil {
		return p, 0, nil, refuse(http.StatusNotFound, "Invalid attempt num %d", number)
	}
	return p, subtask, a, nil
}
