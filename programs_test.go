package flott_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/cluster"
)

// programs are those that this test's executable is when TEST_PROGRAM names one.
var programs = map[string]func(){
	"endless": programEndless, "two jobs": programTwoJobs, "wrong": programWrong,
	"session jobmanager": sessionJobManager, "session taskmanager": sessionTaskManager,
	"count": programCount, "chain": programChain, "start": programStart, "differs": programDiffers, "uncrossable": programUncrossable,
	"panics": programPanics, "ends": programEnds, "tells": programTells, "late": programLate, "forever": programForever, "words": programWords, "captured": programCaptured,
}

// sessionJobManager is a process of a session.
func sessionJobManager() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	must(cluster.RunJobManager(ctx, config.Read("", os.Environ()), func(rest, rpc net.Addr) { fmt.Println("session ready", rest, rpc) }))
}

// sessionTaskManager is one, too.
func sessionTaskManager() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	must(cluster.RunTaskManager(ctx, config.Read("", os.Environ()), func() { fmt.Println("session ready") }))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// report says what became of a job.
func report(r *flott.Result, err error) {
	if r != nil {
		for _, o := range r.Operators {
			fmt.Println(o.Name, o.RecordsIn, o.RecordsOut, o.Busy > 0, r.RunTime > 0)
		}
	}
	fmt.Println("error:", err)
}

// printed is a job that prints numbers up to one.
func printed(env *flott.Environment, n int64) {
	env.From(flott.Sequence(1, n)).Map(func(i int64) int64 { return i }).Print()
}

// programCount prints numbers. With TEST_LEAVES it does not wait for that.
func programCount() {
	n, err := strconv.ParseInt(os.Args[1], 10, 64)
	must(err)
	fmt.Println("before")
	env := flott.New()
	printed(env, n)
	if os.Getenv("TEST_LEAVES") != "" {
		job, err := env.Start(context.Background(), "count")
		must(err)
		fmt.Println(job.ID())
		return
	}
	report(env.Execute(context.Background(), "count"))
}

// programChain has a job that depends on the result of the one before, and on the error of one that cannot be run.
func programChain() {
	env := flott.New()
	printed(env, 3)
	r, err := env.Execute(context.Background(), "first")
	must(err)
	more := int64(0)
	if _, err = env.Execute(context.Background(), "empty"); strings.Contains(err.Error(), "the program is empty") {
		more = 1
	}
	printed(env, 10*r.Operators[0].RecordsOut+more)
	report(env.Execute(context.Background(), "second"))
}

// programStart has two jobs at once.
func programStart() {
	env := flott.New()
	printed(env, 1000000000000)
	first, err := env.Start(context.Background(), "first")
	must(err)
	printed(env, 3)
	second, err := env.Start(context.Background(), "second")
	must(err)
	report(second.Wait(context.Background()))
	for runs := false; !runs; {
		m, err := first.Metrics(context.Background())
		must(err)
		runs = m[0].RecordsOut > 0
	}
	must(first.Cancel(context.Background()))
	_, err = first.Wait(context.Background())
	fmt.Println("cancelled:", errors.Is(err, context.Canceled), err)
}

var errLate = errors.New("too late")

// A cancelling writer cancels a context.
type cancelling context.CancelCauseFunc

func (c cancelling) Write(p []byte) (int, error) {
	c(errLate)
	return len(p), nil
}

// programLate has a job that is cancelled when it has printed something.
func programLate() {
	ctx, cancel := context.WithCancelCause(context.Background())
	env := flott.New(flott.Stdout(cancelling(cancel)))
	env.From(flott.Sequence(1, 1<<60)).Filter(func(i int64) bool { return i == 1 }).Print()
	r, err := env.Execute(ctx, "late")
	fmt.Println(errors.Is(err, context.Canceled), errors.Is(err, errLate), r.RunTime > 0, err)
}

// programForever has a job that does not end by itself, and says when it runs.
func programForever() {
	env := flott.New(flott.Stdout(os.Stderr))
	env.From(flott.Sequence(1, 1<<60)).Filter(func(i int64) bool { return i == 1 }).Map(func(int64) string { return "it runs" }).Print()
	report(env.Execute(context.Background(), "forever"))
}

// programDiffers makes a graph out of what does not travel to the workers.
func programDiffers() {
	env := flott.New()
	env.From(flott.Sequence(1, 10)).Map(func(i int64) int64 { return i }).Name("map " + os.Getenv("TEST_NAME")).Print()
	report(env.Execute(context.Background(), "differs"))
}

// programUncrossable has records between tasks that cannot leave their process, or not whole.
func programUncrossable() {
	env := flott.New()
	numbers := env.From(flott.Sequence(1, 10))
	numbers.Map(func(int64) chan int { return nil }).Name("channels").Rebalance().Discard()
	numbers.Map(func(n int64) point { return point{n: int(n)} }).Name("points").Rebalance().Discard()
	_, err := env.Execute(context.Background(), "uncrossable")
	var p *flott.ProgramError
	fmt.Println(errors.As(err, &p), err)
}

// programPanics has user code that does.
func programPanics() {
	env := flott.New()
	env.From(flott.Sequence(1, 10)).Map(func(i int64) int64 { return 10 / (i - 5) }).Name("divide").Discard()
	_, err := env.Execute(context.Background(), "panics")
	var t *flott.TaskError
	if errors.As(err, &t) {
		fmt.Printf("%s %s %v\n%s\n", t.Operator, t.Subtask, t.Cause, t.Stack)
	}
	fmt.Println(err)
}

// programEnds has a main that does not come to its job on a worker.
func programEnds() {
	if os.Getenv("FLOTT_ROLE") == "worker" {
		switch os.Args[1] {
		case "panics":
			panic("no job today")
		case "exits":
			fmt.Fprintln(os.Stderr, "no job today")
			os.Exit(7)
		}
		return
	}
	programEndless()
}

// programTells prints what a worker sees of its surroundings.
func programTells() {
	env := flott.New()
	env.From(flott.Of(0)).FlatMap(func(int) iter.Seq[string] {
		folder, _ := os.Getwd()
		return func(yield func(string) bool) {
			_ = yield(fmt.Sprint(os.Args[1:])) && yield(strconv.FormatBool(folder == os.Getenv("FLOTT_WORKER_FOLDER")+"/work")) &&
				yield(os.Getenv("TEST_GIVEN")+os.Getenv("TEST_NAMED")+os.Getenv("TEST_OTHER")+os.Getenv("FLOTT_EXECUTION_FLUSH_GAP")+os.Getenv("FLOTT_SECURITY_TOKEN"))
		}
	}).Print()
	_, err := env.Execute(context.Background(), "tells")
	must(err)
}

// programCaptured prints to a place of its own.
func programCaptured() {
	var out strings.Builder
	env := flott.New(flott.Stdout(&out))
	printed(env, 2)
	_, err := env.Execute(context.Background(), "captured")
	fmt.Printf("%q %v\n", out.String(), err)
}

// programWords counts in two subtasks of each operator.
func programWords() {
	env := flott.New()
	env.From(flott.Sequence(1, 10_000)).Rebalance().KeyBy(func(i int64) int64 { return i % 100 }).
		Aggregate(aggregate.Count[int64](), func(k, n int64) int64 { return 1000*k + n }).
		Filter(func(i int64) bool { return i%1000 == 100 }).Print()
	_, err := env.Execute(context.Background(), "words")
	must(err)
}
