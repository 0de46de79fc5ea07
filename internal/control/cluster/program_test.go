package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/callback"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// The test's own executable is the program of workers, and all other processes of a cluster.
func TestMain(m *testing.M) {
	if run := roles[os.Getenv("FLOTT_ROLE")]; run != nil {
		if err := run(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// A flow is a program of streams of int64, written below the typed API.
type flow struct {
	*program.Program
	last *program.Transformation
}

func newFlow() *flow {
	c := program.Defaults()
	c.JobName = "test"
	return &flow{Program: program.New(c)}
}

// sourceOperator is a source as the typed API makes it: it knows its enumerator and runs its readers.
type sourceOperator struct {
	connector.Source[int64]
	operator.Constructor
}

func (f *flow) from(src connector.Source[int64], parallelism int) *flow {
	f.last = f.Source("source", src.Bounded(), shuffle.KindOf[int64]())
	f.last.SetParallelism(parallelism)
	f.last.Operator = sourceOperator{src, operator.Source(src, nil)}
	return f
}

func (f *flow) then(name string, parallelism int, o operator.Constructor) *flow {
	f.last = f.OneInput(f.last, name, shuffle.KindOf[int64]())
	f.last.SetParallelism(parallelism)
	f.last.Operator = o
	return f
}

// do adds a map that only looks.
func (f *flow) do(name string, parallelism int, look func(int64)) *flow {
	return f.then(name, parallelism, operator.Map(func(v int64) int64 {
		look(v)
		return v
	}))
}

func (f *flow) to(parallelism int, each func(int64) error) *flow {
	f.last = f.LegacySink(f.last, "sink")
	f.last.SetParallelism(parallelism)
	f.last.Operator = operator.Sink(callback.ForEach(each))
	return f
}

func (f *flow) compile(t testing.TB) (*jobgraph.Graph, *jobgraph.Binding) {
	t.Helper()
	stream, err := streamgraph.From(f.Program)
	check(t, err)
	graph, err := jobgraph.From(stream)
	check(t, err)
	binding, err := jobgraph.Bind(stream, graph)
	check(t, err)
	return graph, binding
}

var quiet = Options{Logger: slog.New(slog.DiscardHandler)}

func (f *flow) start(ctx context.Context, t testing.TB) *Job {
	t.Helper()
	graph, binding := f.compile(t)
	job, err := Start(ctx, graph, binding, quiet)
	check(t, err)
	return job
}

func (f *flow) run(ctx context.Context, t testing.TB) (*Result, error) {
	t.Helper()
	return f.start(ctx, t).Wait(context.Background())
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
