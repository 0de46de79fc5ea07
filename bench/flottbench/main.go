// Command flottbench runs one benchmark workload and prints one RESULT line, with the keys that the Java programs of the same
// names print, in the same order.
//
//	flottbench NAME PARALLELISM RECORDS [-keys K] [-per-ms K] [-hand] [-buffer-timeout D] [-cpuprofile FILE] [-tally]
//
// -hand runs the handwritten loop of the workload instead of the flott job: the other end of the comparison. -tally is for jobs on a
// cluster, where the sinks are in other processes: their TALLY lines, added up, are out and sum.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"strconv"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/bench/hand"
	"github.com/flott-dev/flott/bench/jobs"
	"github.com/flott-dev/flott/bench/workload"
)

func main() {
	r, err := parse(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "flottbench:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := r.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "flottbench:", err)
		os.Exit(1)
	}
}

// A request is the command line.
type request struct {
	name          string
	parallelism   int
	records       int64
	options       workload.Options
	hand          bool
	bufferTimeout time.Duration
	cpuProfile    string
	tally         bool
}

const usage = "usage: flottbench NAME PARALLELISM RECORDS [options]"

func parse(args []string) (r request, err error) {
	if len(args) < 3 {
		return r, errors.New(usage)
	}
	r.name = args[0]
	if r.parallelism, err = strconv.Atoi(args[1]); err != nil || r.parallelism < 1 {
		return r, fmt.Errorf("PARALLELISM %q is not a positive number; %s", args[1], usage)
	}
	if r.records, err = strconv.ParseInt(args[2], 10, 64); err != nil || r.records < 1 {
		return r, fmt.Errorf("RECORDS %q is not a positive number; %s", args[2], usage)
	}
	if jobs.Jobs[r.name] == nil {
		return r, fmt.Errorf("unknown workload %q", r.name)
	}
	return r, r.flags(args[3:])
}

func (r *request) flags(args []string) error {
	f := flag.NewFlagSet("flottbench", flag.ContinueOnError)
	f.Int64Var(&r.options.Keys, "keys", 0, "number of keys (0: the workload's own)")
	f.Int64Var(&r.options.PerMs, "per-ms", 0, "records per millisecond of event time (0: the workload's own)")
	f.BoolVar(&r.hand, "hand", false, "run the handwritten loop")
	f.DurationVar(&r.bufferTimeout, "buffer-timeout", 100*time.Millisecond, "flott.BufferTimeout")
	f.BoolVar(&r.tally, "tally", false, "each subtask of the sink prints what it has counted")
	f.StringVar(&r.cpuProfile, "cpuprofile", "", "write a CPU profile to this file")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected %q; %s", f.Arg(0), usage)
	}
	return nil
}

func (r request) run(ctx context.Context) (err error) {
	if r.cpuProfile != "" {
		stop, failed := profile(r.cpuProfile)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	measured, err := r.measure(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Println(measured.line(r))
	return err
}

// profile writes a CPU profile to a file until it is stopped.
func profile(file string) (stop func() error, err error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

// A measurement is what one run gave.
type measurement struct {
	job        string
	wall       time.Duration // the whole of the run
	task       time.Duration // from the first task to the last
	out, sum   int64
	cpu        time.Duration // user and system time of this process
	peakRSSMiB int64
}

func (r request) measure(ctx context.Context) (m measurement, err error) {
	start := time.Now()
	if r.hand {
		m.job = "hand"
		m.out, m.sum = hand.Loops[r.name](r.records, r.options)
		m.task = time.Since(start)
	} else if err := r.execute(ctx, &m); err != nil {
		return m, err
	}
	m.wall = time.Since(start)
	m.cpu, m.peakRSSMiB = usageOfProcess()
	return m, nil
}

func (r request) execute(ctx context.Context, m *measurement) error {
	env := flott.New(flott.Parallelism(r.parallelism), flott.MaxParallelism(128), flott.BufferTimeout(r.bufferTimeout))
	tally := &workload.Tally{}
	jobs.Jobs[r.name](env, jobs.Run{Records: r.records, Options: r.options, Tally: tally, Print: r.tally})
	result, err := env.Execute(ctx, fmt.Sprintf("bench %s p%d n%d", r.name, r.parallelism, r.records))
	if err != nil {
		return err
	}
	m.job, m.task = result.JobID, result.RunTime
	m.out, m.sum = tally.Out(), tally.Sum()
	return nil
}

func (m measurement) line(r request) string {
	return fmt.Sprintf("RESULT name=%s mode=%s parallelism=%d records=%d wall_s=%.3f rec_per_s=%.0f task_s=%.3f task_rec_per_s=%.0f "+
		"peak_rss_mb=%d out=%s sum=%s checkpoints=0 reuse=true backend=heap source=%s keys=%s per_ms=%s gap_s=- cpu_s=%.2f job=%s",
		r.name, r.mode(), r.parallelism, r.records, m.wall.Seconds(), r.rate(m.wall), m.task.Seconds(), r.rate(m.task),
		m.peakRSSMiB, r.here(m.out), r.here(m.sum), "split", given(r.options.Keys), given(r.options.PerMs), m.cpu.Seconds(), m.job)
}

// here is what the sinks have counted, if they are in this process.
func (r request) here(v int64) string {
	if r.tally {
		return "-"
	}
	return strconv.FormatInt(v, 10)
}

func (r request) mode() string {
	switch {
	case r.hand:
		return "hand"
	case r.tally:
		return "cluster"
	}
	return "embedded"
}

func (r request) rate(d time.Duration) float64 { return float64(r.records) / max(d.Seconds(), 0.001) }

func given(v int64) string {
	if v == 0 {
		return "-"
	}
	return strconv.FormatInt(v, 10)
}
