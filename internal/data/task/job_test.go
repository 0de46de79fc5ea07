package task

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// A job is a program that is compiled, and run by a host of the simplest kind: all tasks at once, each on its goroutine; the first
// that fails takes the others with it.
type job struct {
	plans   []*taskplan.Plan
	program *jobgraph.Binding
	host    Host
	tasks   []*Task
}

func compile(t testing.TB, p *program.Program) *job {
	t.Helper()
	stream, err := streamgraph.From(p)
	check(t, err)
	graph, err := jobgraph.From(stream)
	check(t, err)
	exec, err := execgraph.From(graph)
	check(t, err)
	binding, err := jobgraph.Bind(stream, graph)
	check(t, err)
	return &job{
		plans:   taskplan.From(exec),
		program: binding,
		host:    Host{Directory: shuffle.NewDirectory(), Logger: slog.New(slog.DiscardHandler)},
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// deploy makes the tasks, consumers last, so that all mailboxes are asked for before their tasks are there.
func (j *job) deploy() {
	for _, p := range j.plans {
		j.tasks = append(j.tasks, New(p, j.program, j.host))
	}
}

// run runs the tasks and returns the first error.
func (j *job) run(ctx context.Context, t testing.TB) error {
	t.Helper()
	if j.tasks == nil {
		j.deploy()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { j.cancel(context.Cause(ctx)) })()
	var all sync.WaitGroup
	for _, task := range j.tasks {
		all.Go(func() {
			if err := task.Run(); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

func (j *job) cancel(cause error) {
	for _, task := range j.tasks {
		task.Cancel(cause)
	}
}

// task is a task by an operator in it and its subtask.
func (j *job) task(name string, subtask int) *Task {
	for _, t := range j.tasks {
		if strings.Contains(t.plan.Name, name) && t.plan.Subtask == subtask {
			return t
		}
	}
	panic("no task " + name)
}

// A builder of programs whose operators are given as functions.
type flow struct{ *program.Program }

func newFlow(parallelism int) flow {
	c := program.Defaults()
	c.JobName, c.Parallelism = "test", parallelism
	return flow{program.New(c)}
}

func source[T any](f flow, name string, parallelism int, pull operator.Constructor) *program.Transformation {
	t := f.LegacySource(name, true, true, shuffle.KindOf[T]())
	t.SetParallelism(parallelism)
	t.Operator = pull
	return t
}

func then[O any](f flow, in *program.Transformation, name string, o operator.Constructor) *program.Transformation {
	t := f.OneInput(in, name, shuffle.KindOf[O]())
	t.Operator = o
	return t
}

// apart is an operator in a task of its own.
func apart(t *program.Transformation) *program.Transformation {
	t.SetChaining(program.ChainHead)
	return t
}

// A script is a source that says what it is told to. Its steps are records (T), at (a record with a timestamp), watermark, idle
// (true or false), and functions: false makes the source wait for a wake.
func script[T any](steps func(subtask int) []any) operator.Constructor {
	return operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &scripted[T]{Through: operator.NewThrough[T](env), env: env, steps: steps(env.Subtask)}, nil
	})
}

type (
	at[T any] struct {
		v T
		t int64
	}
	watermark int64
	idle      bool
)

type scripted[T any] struct {
	operator.Through[T]
	env   *operator.Env
	steps []any
	b     record.Batch[T]
}

func (s *scripted[T]) Input(int) any { return nil }

func (s *scripted[T]) Pull() (operator.Pulled, error) {
	if len(s.steps) == 0 {
		return operator.Ended, s.Out.Watermark(math.MaxInt64)
	}
	step := s.steps[0]
	if wait, ok := step.(func(*operator.Env) bool); ok && !wait(s.env) {
		return operator.Waiting, nil
	}
	s.steps = s.steps[1:]
	return operator.More, s.say(step)
}

func (s *scripted[T]) say(step any) error {
	switch x := step.(type) {
	case T:
		s.b = record.Batch[T]{V: append(s.b.V[:0], x)}
		return s.Out.Receive(&s.b)
	case at[T]:
		s.b = record.Batch[T]{V: append(s.b.V[:0], x.v), TS: append(s.b.TS[:0], x.t)}
		return s.Out.Receive(&s.b)
	case watermark:
		return s.Out.Watermark(int64(x))
	case idle:
		return s.Out.Idle(bool(x))
	}
	return nil
}

// A recorder is what arrived at sinks.
type recorder struct {
	mu struct {
		sync.Mutex
		lines []string
	}
	arrived func(line string) // called with every line
}

func (r *recorder) add(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	r.mu.Lock()
	r.mu.lines = append(r.mu.lines, line)
	r.mu.Unlock()
	if r.arrived != nil {
		r.arrived(line)
	}
}

func (r *recorder) lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.mu.lines...)
}

// sink writes down what it receives, and the calls that it gets.
func sink[T any](r *recorder) operator.Constructor {
	return operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &recording[T]{operator.NewThrough[struct{}](env), r}, nil
	})
}

type recording[T any] struct {
	operator.Through[struct{}]
	r *recorder
}

func (s *recording[T]) Input(int) any { return record.Input[T](s) }

func (s *recording[T]) Receive(b *record.Batch[T]) error {
	for i, v := range b.V {
		if b.TS != nil {
			s.r.add("%v@%d", v, b.TS[i])
		} else {
			s.r.add("%v", v)
		}
	}
	return nil
}

func (s *recording[T]) Watermark(t int64) error {
	if t == math.MaxInt64 {
		s.r.add("end")
	} else {
		s.r.add("w%d", t)
	}
	return nil
}

func (s *recording[T]) Idle(idle bool) error {
	s.r.add("idle=%t", idle)
	return nil
}

func (s *recording[T]) EndInput(i int) error { s.r.add("ended %d", i); return nil }
func (s *recording[T]) Finish() error        { s.r.add("finish"); return nil }
func (s *recording[T]) Close() error         { s.r.add("close"); return nil }

// within runs f and fails the test if it takes too long.
func within(t *testing.T, d time.Duration, what string, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took > d {
		t.Errorf("%s took %v, want at most %v", what, took, d)
	}
}

var errUser = errors.New("user error")
