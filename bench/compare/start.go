package main

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// A coming is how a cluster and its jobs come up.
type coming struct {
	ready     time.Duration // from the start of the processes until all slots are there
	managers  float64       // MB that JobManager and TaskManager take then
	running   time.Duration // from the start of the client until all tasks run, with an executable that the cluster has already
	worker    float64       // MB that the process takes which runs the tasks, if it is one of its own
	thousand  time.Duration // as running, for 1,000 subtasks
	deploying time.Duration // of that, from the job's first state to the last subtask's RUNNING
}

var comings = []struct {
	requirement
	of func(coming) float64
}{
	{requirement{"ready", "ms", 300}, func(c coming) float64 { return milliseconds(c.ready) }},
	{requirement{"memory of both", "MB", 60}, func(c coming) float64 { return c.managers }},
	{requirement{"client's start to all tasks RUNNING", "ms", 500}, func(c coming) float64 { return milliseconds(c.running) }},
	{requirement{"memory of a worker", "MB", 40}, func(c coming) float64 { return c.worker }},
	{requirement{"1,000 subtasks, from CREATED to RUNNING", "ms", 1000}, func(c coming) float64 { return milliseconds(c.deploying) }},
	{requirement{"1,000 subtasks, from the client's start", "ms", 0}, func(c coming) float64 { return milliseconds(c.thousand) }},
}

// A requirement is what is wanted of flott's cluster.
type requirement struct {
	what string
	unit string
	want float64 // at most; 0: nothing asked
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

func printStart(clusters []cluster, runs int) error {
	fmt.Printf("\n%-42s %8s %12s (want)\n", "JobManager and one TaskManager", "flott", "flink")
	all := make([][]coming, len(clusters))
	for range runs {
		for i, k := range clusters {
			c, err := comeUp(k)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name(), err)
			}
			all[i] = append(all[i], c)
		}
	}
	for _, row := range comings {
		own := median(all[0], row.of)
		line := fmt.Sprintf("%-42s %8s ", row.what+", "+row.unit, figure(own))
		if len(all) > 1 {
			line += fmt.Sprintf("%12s", figure(median(all[1], row.of)))
		} else {
			line += fmt.Sprintf("%12s", "-")
		}
		fmt.Println(line + " " + row.verdict(own))
	}
	return nil
}

func (r requirement) verdict(got float64) string {
	switch {
	case r.want == 0:
		return "(-)"
	case got <= r.want*(1+tolerance):
		return fmt.Sprintf("(%g) met", r.want)
	}
	return fmt.Sprintf("(%g) MISSED", r.want)
}

// comeUp starts a cluster and jobs on it. One that cannot deploy a thousand subtasks has no figures for that.
func comeUp(k cluster) (c coming, err error) {
	if err := c.small(k); err != nil {
		return c, err
	}
	if err := c.large(k); errors.Is(err, errFailed) {
		c.thousand, c.deploying = failure, failure
	} else if err != nil {
		return c, err
	}
	return c, nil
}

// failure stands for a time that there was not.
const failure = time.Duration(math.MaxInt64)

// figure is a time or a size for people; nothing is 0 but what a cluster does not have, as Flink no workers.
func figure(v float64) string {
	switch {
	case v >= milliseconds(failure):
		return "failed"
	case v == 0:
		return "-"
	}
	return fmt.Sprintf("%.0f", v)
}

// small has one TaskManager with four slots.
func (c *coming) small(k cluster) (err error) {
	defer func() { err = errors.Join(err, k.stop()) }()
	begin := time.Now()
	if err := started(k, 1, 4); err != nil {
		return err
	}
	c.ready = time.Since(begin)
	pids, err := k.managers()
	if err != nil {
		return err
	}
	if c.managers, err = memoryOf(pids); err != nil {
		return err
	}
	for range 2 { // the second time the executable is there
		if c.running, _, err = untilRunning(k, "keyed-count", 4, func() error {
			workers, err := childrenOf(pids)
			if err == nil {
				c.worker, err = memoryOf(workers)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// large has 125 slots, for eight tasks each.
func (c *coming) large(k cluster) (err error) {
	defer func() { err = errors.Join(err, k.stop()) }()
	if err := started(k, 1, 125); err != nil {
		return err
	}
	for range 2 {
		if c.thousand, c.deploying, err = untilRunning(k, "tasks", 125, func() error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// untilRunning submits a workload, looks at it once all of it runs, and cancels it.
func untilRunning(k cluster, name string, parallelism int, look func() error) (whole, deploying time.Duration, err error) {
	begin := time.Now()
	if err := k.submit(name, parallelism); err != nil {
		return 0, 0, err
	}
	j, err := running(k)
	if err != nil {
		return 0, 0, err
	}
	whole = time.Since(begin)
	if deploying, err = deployed(k, j); err != nil {
		return 0, 0, err
	}
	if err := look(); err != nil {
		return 0, 0, err
	}
	return whole, deploying, cancel(k, j)
}
