package flott_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/memory"
	"github.com/flott-dev/flott/flotttest"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/watermark"
)

func TestTwoJobsInARow(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	s := sequence(env).Map(double)
	same(t, flotttest.Collect(t, s), mapped(double, upTo(all)))
	// The environment is empty now; a stream of the first job can be read again, and brings its operators with it.
	same(t, flotttest.Collect(t, s.Filter(func(n int64) bool { return n == 2 })), []int64{2})
	if _, err := env.Execute(t.Context(), "empty"); err == nil || !strings.Contains(err.Error(), "the program is empty") {
		t.Errorf("error is %v, want that the program is empty", err)
	}
}

// A job keeps the program that it was started with. What is changed later is for the next job.
func TestWatermarksWhileAJobIsBeingMade(t *testing.T) {
	env := flott.New(flott.Parallelism(1))
	var opened int
	opening, changed := make(chan bool), make(chan bool)
	s := sequence(env)
	timed := s.Process(func(*flott.Runtime) (isTimed, error) {
		if opened++; opened == 2 { // the first time it is compiled
			close(opening)
			<-changed // the chain is made from its end: the source is still to come
		}
		return isTimed{}, nil
	})
	got := new(memory.Collector[bool])
	timed.To(got)
	job, err := env.Start(t.Context(), "first")
	if err != nil {
		t.Fatal(err)
	}
	<-opening
	s.Watermarks(watermark.Monotonic(time.UnixMilli))
	close(changed)
	if _, err := job.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if first := got.Values(); len(first) == 0 || slices.Contains(first, true) {
		t.Errorf("the job has the watermarks that were set later: %v", first)
	}
	if next := flotttest.Collect(t, timed); len(next) == 0 || slices.Contains(next, false) {
		t.Errorf("the next job does not have the watermarks: %v", next)
	}
}

// A sequence without end in user code ends when the job is cancelled.
func TestCancelEndlessSequence(t *testing.T) {
	env := flott.New(flott.Parallelism(1))
	ctx, cancel := context.WithCancel(t.Context())
	env.From(flott.Of(1)).
		FlatMap(func(n int) iter.Seq[int] {
			return func(yield func(int) bool) {
				for yield(n) {
				}
			}
		}).
		To(flott.ForEach(func(int) error {
			cancel()
			return nil
		}))
	_, err := env.Execute(ctx, "endless")
	var stuck *watch.Stuck
	if !errors.Is(err, context.Canceled) || errors.As(err, &stuck) {
		t.Errorf("the job ended with %v", err)
	}
}

// isTimed emits whether records have timestamps.
type isTimed struct{}

func (isTimed) Process(c *flott.Context[bool], _ int64) error {
	_, timed := c.Timestamp()
	c.Emit(timed)
	return nil
}

func TestJobsSideBySide(t *testing.T) {
	var jobs sync.WaitGroup
	for i := range int64(4) {
		jobs.Go(func() { // ends with its job
			env := flott.New(flott.Parallelism(2))
			got := flotttest.Collect(t, sequence(env).KeyBy(flott.Identity).Map(func(n int64) int64 { return n * i }))
			same(t, got, mapped(func(n int64) int64 { return n * i }, upTo(all)))
		})
	}
	jobs.Wait()
}

// One environment can start a job while another one of its jobs runs.
func TestStartTwice(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	arrived := endless(env)
	first, err := env.Start(t.Context(), "endless")
	if err != nil {
		t.Fatal(err)
	}
	<-arrived
	same(t, flotttest.Collect(t, sequence(env)), upTo(all))
	if err := first.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestResult(t *testing.T) {
	env := flott.New(flott.Parallelism(3))
	sequence(env).Filter(even).KeyBy(flott.Identity).Reduce(add).FlatMap(func(n int64) iter.Seq[int64] {
		return slices.Values([]int64{n, n})
	}).Discard().Name("nowhere")
	result, err := env.Execute(t.Context(), "count")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range result.Operators {
		got = append(got, fmt.Sprint(o.Name, " ", o.RecordsIn, " ", o.RecordsOut))
		if len(o.ID) != 32 {
			t.Errorf("operator %s has id %q", o.Name, o.ID)
		}
	}
	want := []string{"Source: Sequence Source 0 3000", "Filter 3000 1500", "Keyed Reduce 1500 1500", "Flat Map 1500 3000", "nowhere: Writer 3000 0"}
	if !slices.Equal(got, want) || len(result.JobID) != 32 || result.RunTime <= 0 {
		t.Errorf("result is %+v\nin short %q\nwant     %q", result, got, want)
	}
}

// Plan leaves the environment as it is, and sees what Execute will run.
func TestPlanKeepsTheProgram(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	s := sequence(env).Map(double)
	s.Discard()
	first, err := env.Plan("p")
	if err != nil {
		t.Fatal(err)
	}
	second, err := env.Plan("p")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []flott.Graph{flott.StreamGraph, flott.JobGraph, flott.ExecutionGraph, flott.Tasks} {
		if first.Text(g) != second.Text(g) || first.Text(g) == "" {
			t.Errorf("the second %v is\n%s\nthe first\n%s", g, second.Text(g), first.Text(g))
		}
		if !bytes.Equal(first.JSON(g), second.JSON(g)) || len(first.JSON(g)) == 0 || first.Dot(g) != second.Dot(g) {
			t.Errorf("two plans of one program differ in %v", g)
		}
	}
	same(t, flotttest.Collect(t, s), mapped(double, upTo(all)))
}

func TestPrintWholeLines(t *testing.T) {
	var out bytes.Buffer
	env := flott.New(flott.Parallelism(4), flott.Stdout(&out))
	sequence(env).Print()
	sequence(env).Print().Parallelism(1)
	if _, err := env.Execute(t.Context(), "print"); err != nil {
		t.Fatal(err)
	}
	var want []string
	for n := int64(1); n <= many; n++ {
		want = append(want, fmt.Sprintf("%d> %d\n", (n-1)%4+1, n), fmt.Sprintf("%d\n", n))
	}
	same(t, slices.Collect(strings.Lines(out.String())), want)
}

// Logs of user code say where they come from.
func TestLogger(t *testing.T) {
	var out bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of(1)).Process(func(rt *flott.Runtime) (logging, error) { return logging{rt.Logger()}, nil }).Discard()
	if _, err := env.Execute(t.Context(), "talk"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"msg=hello", "job=talk", "task=", "subtask=", "attempt=0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %q", want, out.String())
		}
	}
}

type logging struct{ log *slog.Logger }

func (l logging) Process(c *flott.Context[int], n int) error {
	l.log.Info("hello")
	return nil
}

// What follows runs this test's binary as a program of its own.

func TestMain(m *testing.M) {
	if run := programs[os.Getenv("TEST_PROGRAM")]; run != nil {
		run()
		return
	}
	verify(m)
}

func program(t *testing.T, name string, env ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "TEST_PROGRAM="+name)...)
	return cmd
}

func programEndless() {
	if os.Getenv("TEST_IGNORES") == "SIGINT" {
		signal.Ignore(os.Interrupt)
	}
	env := flott.New(flott.Parallelism(2))
	s := env.From(flott.Generate(-1, 1000, func(i int64) int64 { return i }))
	s.Filter(func(n int64) bool { return n == 0 }).To(flott.ForEach(func(int64) error {
		_, err := fmt.Println("running")
		return err
	}))
	_, err := env.Execute(context.Background(), "endless")
	fmt.Println(err)
}

// A signal ends the job, and with it the program in its own way.
func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			p := startEndless(t)
			p.signal(t, s)
			p.cancelledBy(t, s)
		})
	}
}

// Who signals twice at once, as timeout(1) does, means it once.
func TestSignalAndItsEcho(t *testing.T) {
	p := startEndless(t)
	p.signal(t, syscall.SIGINT)
	p.signal(t, syscall.SIGTERM)
	p.cancelledBy(t, syscall.SIGINT)
}

// A program in the background of a shell ignores SIGINT, and goes on to.
func TestIgnoredSignal(t *testing.T) {
	p := startEndless(t, "TEST_IGNORES=SIGINT")
	p.signal(t, syscall.SIGINT)
	p.signal(t, syscall.SIGTERM)
	p.cancelledBy(t, syscall.SIGTERM)
}

// An endlessProgram is the program that runs an endless job, while it does.
type endlessProgram struct {
	*exec.Cmd
	lines *bufio.Scanner
}

func startEndless(t *testing.T, env ...string) endlessProgram {
	t.Helper()
	return runEndless(t, program(t, "endless", env...))
}

func runEndless(t *testing.T, cmd *exec.Cmd) endlessProgram {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := endlessProgram{cmd, bufio.NewScanner(out)}
	if !p.lines.Scan() || p.lines.Text() != "running" {
		t.Fatalf("the program says %q", p.lines.Text())
	}
	return p
}

func (p endlessProgram) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// cancelledBy wants Execute to return, and the program to end by itself.
func (p endlessProgram) cancelledBy(t *testing.T, s os.Signal) {
	t.Helper()
	if !p.lines.Scan() || !strings.Contains(p.lines.Text(), fmt.Sprintf("was cancelled: context canceled: signal %q", s)) {
		t.Errorf("Execute's error is %q", p.lines.Text())
	}
	if err := p.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

func programTwoJobs() {
	env := flott.New()
	sequence(env).Discard()
	result, err := env.Execute(context.Background(), "first")
	fmt.Println("program:", result.Operators, err)
	sequence(env).Map(double).Discard()
	job, err := env.Start(context.Background(), "second")
	if err == nil {
		_, err = job.Wait(context.Background())
	}
	fmt.Println("program:", err, job.Cancel(context.Background()))
}

// In the role plan a program prints its jobs, one after the other.
func TestRolePlan(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	cmd := program(t, "two jobs", "FLOTT_ROLE=plan", "FLOTT_PLAN_GRAPH=job", "FLOTT_PLAN_OUT="+out, "FLOTT_PARALLELISM_DEFAULT=3")
	printed, err := cmd.CombinedOutput()
	if err != nil || string(printed) != "program: [] <nil>\nprogram: <nil> <nil>\n" {
		t.Fatalf("the program printed %q and ended with %v", printed, err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := `JobGraph "first": streaming, 1 vertex

cbc357cc Source: Sequence Source -> Sink: Writer ×3
    Source: Sequence Source
    +- Sink: Writer

JobGraph "second": streaming, 1 vertex

cbc357cc Source: Sequence Source -> Map -> Sink: Writer ×3
    Source: Sequence Source
    +- Map
       +- Sink: Writer

`
	if string(got) != want {
		t.Errorf("the plan is\n%s\nwant\n%s", got, want)
	}
}

// What is printed can be chosen.
func TestRolePlanForms(t *testing.T) {
	for _, c := range []struct {
		variables []string
		want      string
	}{
		{nil, `StreamGraph "first"`},
		{nil, `Tasks "second"`},
		{[]string{"FLOTT_PLAN_GRAPH=stream", "FLOTT_PLAN_FORMAT=json"}, `"nodes" : [ {`},
		{[]string{"FLOTT_PLAN_GRAPH=execution", "FLOTT_PLAN_FORMAT=dot"}, "digraph"},
		{[]string{"FLOTT_PLAN_EXPLAIN=1"}, "Edges that are not chained"},
	} {
		printed, err := program(t, "two jobs", append(c.variables, "FLOTT_ROLE=plan")...).CombinedOutput()
		if err != nil || !strings.Contains(string(printed), c.want) {
			t.Errorf("with %v, %q is not in\n%s (%v)", c.variables, c.want, printed, err)
		}
	}
}

func programWrong() {
	env := flott.New()
	sequence(env).Filter(nil).Name("bad").Discard()
	sequence(env).Map(double)
	_, _ = env.Execute(context.Background(), "wrong")
	fmt.Println("the program goes on")
}

// In the role plan a wrong program prints all that is wrong with it, and ends with status 1.
func TestRolePlanOfAWrongProgram(t *testing.T) {
	printed, err := program(t, "wrong", "FLOTT_ROLE=plan").CombinedOutput()
	if err == nil || err.Error() != "exit status 1" {
		t.Errorf("the program ended with %v", err)
	}
	for _, want := range []string{`job "wrong" has 2 mistakes`, `operator "Filter": its function is nil`, `operator "Map": nobody reads`} {
		if !strings.Contains(string(printed), want) {
			t.Errorf("%q is not in\n%s", want, printed)
		}
	}
}
