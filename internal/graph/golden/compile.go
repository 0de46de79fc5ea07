package golden

import (
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// A Result has the form of a golden file: what each stage made of a program, as far as it got.
type Result struct {
	Name              string         `json:"name"`
	TransformationIDs map[string]int `json:"transformationIds,omitzero"`
	StreamGraph       *streamSection `json:"streamGraph,omitzero"`
	JobGraph          *jobSection    `json:"jobGraph,omitzero"`
	ExecutionGraph    any            `json:"executionGraph,omitzero"`
	Error             *errorSection  `json:"error,omitzero"`
}

type errorSection struct {
	Stage   string `json:"stage"`
	Message string `json:"message"`
}

// Compile runs a spec through all stages. The error is for specs that break the format.
func Compile(s *Spec) (*Result, error) {
	p, transformations, err := s.Program()
	if err != nil {
		return nil, err
	}
	r := &Result{Name: s.Name}
	if err := p.Rejections.Err(); err != nil {
		return r.reject("build", err), nil
	}
	r.TransformationIDs = make(map[string]int, len(transformations))
	for step, t := range transformations {
		r.TransformationIDs[step] = t.ID
	}
	return r.compile(p, &s.Env), nil
}

func (r *Result) compile(p *program.Program, env *Environment) *Result {
	stream, err := streamgraph.From(p)
	if err != nil {
		return r.reject("streamGraph", err)
	}
	set(&stream.OneSlotSharingGroup, env.OneSlotSharingGroup)
	set(&stream.JobName, env.JobName) // even an empty one
	r.StreamGraph = streamSectionOf(stream)
	job, err := jobgraph.From(stream)
	if err != nil {
		return r.reject("jobGraph", err)
	}
	r.JobGraph = jobSectionOf(job)
	if job.Dynamic {
		r.ExecutionGraph = skipped{"dynamic graph: parallelism is decided at run time"}
		return r
	}
	exec, err := execgraph.From(job)
	if err != nil {
		return r.reject("executionGraph", err)
	}
	r.ExecutionGraph = execSectionOf(exec)
	return r
}

func (r *Result) reject(stage string, err error) *Result {
	r.Error = &errorSection{stage, err.Error()}
	return r
}

type skipped struct {
	Reason string `json:"skipped"`
}

// some is a value where the golden format has null for none.
func some[T any](v T, present bool) *T {
	if !present {
		return nil
	}
	return &v
}

// mapped is f of each element, never nil.
func mapped[T, R any](xs []T, f func(T) R) []R {
	out := make([]R, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}
