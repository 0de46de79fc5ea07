package flott

import (
	"fmt"
	"strings"

	"github.com/flott-dev/flott/internal/graph/text"
)

// A Plan is a compiled program, in four graphs.
type Plan struct{ graphs *graphs }

// Plan compiles the program without running it. The environment keeps it.
func (e *Environment) Plan(job string) (*Plan, error) {
	g, err := e.compile(job)
	if err != nil {
		return nil, err
	}
	if err := g.spread(); err != nil {
		return nil, &ProgramError{Job: job, Mistakes: refusals(err)}
	}
	return &Plan{g}, nil
}

// A Graph names one of the four.
type Graph int

const (
	StreamGraph    Graph = iota // operators and the edges between them
	JobGraph                    // chains of operators, and the data sets between them
	ExecutionGraph              // the subtasks of each chain, and what they exchange
	Tasks                       // what each task is told to run
)

// String is the graph's name.
func (g Graph) String() string {
	if g < StreamGraph || g > Tasks {
		return fmt.Sprintf("Graph(%d)", int(g))
	}
	return [...]string{"StreamGraph", "JobGraph", "ExecutionGraph", "Tasks"}[g]
}

// Text is a graph for people. It is the same for the same program, so that a diff of two plans reads well.
func (p *Plan) Text(g Graph) string {
	switch g {
	case StreamGraph:
		return text.Stream(p.graphs.stream)
	case JobGraph:
		return text.Job(p.graphs.job)
	case ExecutionGraph:
		return text.Execution(p.graphs.execution)
	default:
		return text.Tasks(p.graphs.tasks)
	}
}

// JSON is a graph for programs: Flink's streaming plan and Flink's REST plan for the first two, our own schema (docs/formats) for
// the others.
func (p *Plan) JSON(g Graph) []byte {
	switch g {
	case StreamGraph:
		return []byte(p.graphs.stream.JSON())
	case JobGraph:
		return []byte(p.graphs.job.JSON())
	case ExecutionGraph:
		return text.ExecutionJSON(p.graphs.execution)
	default:
		return text.TasksJSON(p.graphs.tasks)
	}
}

// Dot is a graph for Graphviz.
func (p *Plan) Dot(g Graph) string {
	switch g {
	case StreamGraph:
		return text.StreamDot(p.graphs.stream)
	case JobGraph:
		return text.JobDot(p.graphs.job)
	case ExecutionGraph:
		return text.ExecutionDot(p.graphs.execution)
	default:
		return text.TasksDot(p.graphs.tasks)
	}
}

// Explain says which edges are not chained and why, what each chain saves, what looks like a mistake, and what keeps the job from
// running in more than one process.
func (p *Plan) Explain() string {
	explained := text.Explain(p.graphs.stream, p.graphs.job)
	bound := p.graphs.uncrossable()
	if len(bound) == 0 {
		return explained
	}
	var b strings.Builder
	b.WriteString(explained + "\nBetween processes these cannot go; the job can run embedded only\n")
	for _, m := range bound {
		b.WriteString("  " + m.Error() + "\n")
	}
	return b.String()
}
