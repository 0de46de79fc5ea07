// Command jobs is the program of tests with real processes. Its first argument says which.
package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/cluster"
)

var programs = map[string]func(args []string){
	"jobmanager": jobManager, "taskmanager": taskManager,
	"count": count, "two": two, "start": start, "differs": differs, "uncrossable": uncrossable, "endless": endless, "panics": panics, "main": ends, "tells": tells,
}

func main() { programs[os.Args[1]](os.Args[2:]) }

// jobManager is a process of a session.
func jobManager([]string) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	check(cluster.RunJobManager(ctx, config.Read("", os.Environ()), func(rest, rpc net.Addr) { fmt.Println("ready", rest, rpc) }))
}

// taskManager is one, too.
func taskManager([]string) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	check(cluster.RunTaskManager(ctx, config.Read("", os.Environ()), func() { fmt.Println("ready") }))
}

func check(err error) {
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

// numbers is a job that prints numbers up to one.
func numbers(env *flott.Environment, n int64) {
	env.From(flott.Sequence(1, n)).Map(func(i int64) int64 { return i }).Print()
}

// count prints numbers: with more than one subtask, in any order.
func count(args []string) {
	n, err := strconv.ParseInt(args[0], 10, 64)
	check(err)
	fmt.Println("before")
	env := flott.New()
	numbers(env, n)
	report(env.Execute(context.Background(), "count"))
}

// two has a job that depends on the result of the one before, and on the error of one that cannot be run.
func two([]string) {
	env := flott.New()
	numbers(env, 3)
	r, err := env.Execute(context.Background(), "first")
	check(err)
	_, empty := env.Execute(context.Background(), "empty")
	numbers(env, 10*r.Operators[0].RecordsOut+int64(len(empty.Error())%2))
	report(env.Execute(context.Background(), "second"))
}

// start has two jobs at once.
func start([]string) {
	env := flott.New()
	numbers(env, 1000000000000)
	first, err := env.Start(context.Background(), "first")
	check(err)
	numbers(env, 3)
	second, err := env.Start(context.Background(), "second")
	check(err)
	report(second.Wait(context.Background()))
	check(first.Cancel(context.Background()))
	_, err = first.Wait(context.Background())
	fmt.Println("cancelled:", errors.Is(err, context.Canceled), err)
}

// differs makes a graph out of what does not travel to the workers.
func differs([]string) {
	env := flott.New()
	env.From(flott.Sequence(1, 10)).Map(func(i int64) int64 { return i }).Name("map " + os.Getenv("TEST_NAME")).Print()
	report(env.Execute(context.Background(), "differs"))
}

// uncrossable has records between tasks that cannot leave their process.
func uncrossable([]string) {
	env := flott.New()
	env.From(flott.Sequence(1, 10)).Map(func(int64) chan int { return nil }).Name("channels").Rebalance().Discard()
	_, err := env.Execute(context.Background(), "uncrossable")
	var p *flott.ProgramError
	fmt.Println(errors.As(err, &p), err)
}

// endless says when it runs, and what ended it.
func endless([]string) {
	env := flott.New()
	env.From(flott.Sequence(1, 1<<60)).Filter(func(i int64) bool { return i == 1 }).Print()
	report(env.Execute(context.Background(), "endless"))
}

// panics has user code that does.
func panics([]string) {
	env := flott.New()
	env.From(flott.Sequence(1, 10)).Map(func(i int64) int64 { return 10 / (i - 5) }).Name("divide").Discard()
	_, err := env.Execute(context.Background(), "panics")
	var t *flott.TaskError
	if errors.As(err, &t) {
		fmt.Printf("%s %s %v\n%s\n", t.Operator, t.Subtask, t.Cause, t.Stack)
	}
	fmt.Println(err)
}

// ends has a main that does not come to its job on a worker.
func ends(args []string) {
	if os.Getenv("FLOTT_ROLE") == "worker" {
		switch args[0] {
		case "panics":
			panic("no job today")
		case "exits":
			fmt.Fprintln(os.Stderr, "no job today")
			os.Exit(7)
		}
		return
	}
	endless(nil)
}

// tells prints what a worker sees of its surroundings.
func tells([]string) {
	env := flott.New()
	env.From(flott.Of(0)).FlatMap(func(int) iter.Seq[string] {
		folder, _ := os.Getwd()
		return func(yield func(string) bool) {
			_ = yield(fmt.Sprint(os.Args[1:])) && yield(strconv.FormatBool(folder == os.Getenv("FLOTT_WORKER_FOLDER")+"/work")) &&
				yield(os.Getenv("TEST_GIVEN")+os.Getenv("TEST_NAMED")+os.Getenv("TEST_OTHER")+os.Getenv("FLOTT_EXECUTION_FLUSH_GAP")+os.Getenv("FLOTT_SECURITY_TOKEN"))
		}
	}).Print()
	_, err := env.Execute(context.Background(), "tells")
	check(err)
}
