package text

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/golden"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// compiled is one program in its four graphs.
type compiled struct {
	stream *streamgraph.Graph
	job    *jobgraph.Graph
	exec   *execgraph.Graph
	tasks  []*taskplan.Plan
}

func compile(p *program.Program) (c compiled, err error) {
	if c.stream, err = streamgraph.From(p); err != nil {
		return c, err
	}
	if c.job, err = jobgraph.From(c.stream); err != nil {
		return c, err
	}
	if c.exec, err = execgraph.From(c.job); err != nil {
		return c, err
	}
	c.tasks = taskplan.From(c.exec)
	return c, nil
}

func compileSpec(spec string) (compiled, error) {
	s, err := golden.Parse([]byte(spec))
	if err != nil {
		return compiled{}, err
	}
	p, _, err := s.Program()
	if err != nil {
		return compiled{}, err
	}
	return compile(p)
}

// TestText compiles the program of each file (a "program" directive with a spec) and compares what is said of it.
func TestText(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var c compiled
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "program" {
				var err error
				if c, err = compileSpec(d.Input); err != nil {
					return err.Error() + "\n"
				}
				return ""
			}
			return c.show(t, d.Cmd, len(d.CmdArgs) > 0 && d.CmdArgs[0].Key == "dot", len(d.CmdArgs) > 0 && d.CmdArgs[0].Key == "json")
		})
	})
}

func (c compiled) show(t *testing.T, what string, dot, asJSON bool) string {
	switch {
	case what == "explain":
		return Explain(c.stream, c.job)
	case what == "stream" && dot:
		return StreamDot(c.stream)
	case what == "stream" && asJSON:
		return valid(t, StreamDocumentJSON(c.stream, c.job))
	case what == "stream":
		return Stream(c.stream)
	case what == "job" && dot:
		return JobDot(c.job)
	case what == "job":
		return Job(c.job)
	case what == "execution" && dot:
		return ExecutionDot(c.exec)
	case what == "execution" && asJSON:
		return valid(t, ExecutionJSON(c.exec))
	case what == "execution":
		return Execution(c.exec)
	case what == "tasks" && dot:
		return TasksDot(c.tasks)
	case what == "tasks" && asJSON:
		return valid(t, TasksJSON(c.tasks))
	case what == "tasks":
		return Tasks(c.tasks)
	}
	return fmt.Sprintf("unknown command %s\n", what)
}

func valid(t *testing.T, doc []byte) string {
	if !json.Valid(doc) {
		t.Errorf("no JSON: %s", doc)
	}
	return string(doc)
}
