package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/flott-dev/flott/internal/control/client"
)

const logsUsage = `flott logs [options] JOB|TASKMANAGER|jobmanager

Prints the log of the JobManager, of a TaskManager, or of all workers of a job, which TaskManagers keep for a while after its end. A job is
named by its id, the beginning of that, or its name; a TaskManager by its id or the beginning of that.`

// logs prints log files.
func logs(ctx context.Context, args []string, stdout, _ io.Writer) error {
	var from clusterFlags
	var follow, printed bool
	arguments, help, err := parseLine("logs", logsUsage, args, stdout, func(f *flag.FlagSet) {
		from.add(f)
		f.BoolVar(&follow, "f", false, "go on with what comes, until a signal or the end of the job")
		f.BoolVar(&printed, "stdout", false, "what was printed, in place of the log")
	})
	if help || err != nil {
		return err
	}
	if len(arguments) != 1 {
		return fmt.Errorf("%w: flott logs takes one name: of a job, of a TaskManager, or jobmanager", errUsage)
	}
	c, err := from.client()
	if err != nil {
		return err
	}
	l := &logbook{Client: c, to: stdout, end: ".log", read: map[logFile]int64{}}
	if printed {
		l.end = ".out"
	}
	if err := l.find(ctx, arguments[0]); err != nil {
		return err
	}
	if follow {
		return l.follow(ctx)
	}
	return l.print(ctx)
}

// A logbook is some log files of some processes, and how much of them was printed.
type logbook struct {
	*client.Client
	to         io.Writer
	start, end string      // of the names of the files
	processes  []string    // nil: all TaskManagers, also those that come
	job        *client.Job // nil: the logs are not of a job
	read       map[logFile]int64
	last       logFile // from which was printed last
}

// A logFile is one of them.
type logFile struct{ process, name string }

// find looks what a text names.
func (l *logbook) find(ctx context.Context, text string) error {
	if text == "jobmanager" {
		l.start, l.processes = text, []string{client.JobManager}
		return nil
	}
	managers, err := l.TaskManagers(ctx)
	if err != nil {
		return err
	}
	meant := slices.DeleteFunc(slices.Clone(managers), func(m string) bool { return !strings.HasPrefix(m, text) })
	if len(meant) == 1 {
		l.processes = []string{client.TaskManager(meant[0])}
		if l.end == ".log" {
			l.start = "taskmanager" // and not its workers'
		}
		return nil
	}
	jobs, err := l.Jobs(ctx)
	if err != nil {
		return err
	}
	candidates := called(jobs, text)
	switch {
	case len(candidates) == 0 && len(meant) == 0:
		return unknown("job or TaskManager", text, append(namesOf(jobs), append(managers, "jobmanager")...))
	case len(candidates) == 0:
		return several("TaskManagers", text, meant)
	}
	job, err := theOne(candidates, text)
	l.start, l.job = "worker-"+job.ID.String(), &job
	return err
}

// print prints all that there is.
func (l *logbook) print(ctx context.Context) error {
	if err := l.more(ctx); err != nil || l.last != (logFile{}) {
		return err
	}
	return fmt.Errorf("there is nothing: no file %s*%s has a byte; the processes of a cluster keep what workers have written for a while only", l.start, l.end)
}

// pause is how long it may take until something new is printed.
const pause = 300 * time.Millisecond

// follow goes on until the end of the job, or that of ctx.
func (l *logbook) follow(ctx context.Context) error {
	for {
		over, err := l.over(ctx)
		if err == nil {
			err = l.more(ctx)
		}
		switch {
		case ctx.Err() != nil: // a signal may come in the midst of it
			return nil
		case err != nil || over:
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// over says that nothing more will come: the job is over, and TaskManagers have read the last words of its workers.
func (l *logbook) over(ctx context.Context) (bool, error) {
	if l.job == nil {
		return false, nil
	}
	job, err := findJob(ctx, l.Client, l.job.ID.String(), whatever)
	if err != nil || !job.State.Terminal() {
		return false, err
	}
	return true, l.Silence(ctx, job.ID)
}

// more prints what is new.
func (l *logbook) more(ctx context.Context) error {
	processes := l.processes
	if processes == nil {
		managers, err := l.TaskManagers(ctx)
		if err != nil {
			return err
		}
		for _, m := range managers {
			processes = append(processes, client.TaskManager(m))
		}
	}
	for _, p := range processes {
		if err := l.moreOf(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// oldFile is the end of the name of a file that has grown large, and was followed by another one.
const oldFile = ".1"

func (l *logbook) moreOf(ctx context.Context, process string) error {
	all, err := l.Logs(ctx, process)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(f client.LogFile) bool {
		return !strings.HasPrefix(f.Name, l.start) || !strings.HasSuffix(strings.TrimSuffix(f.Name, oldFile), l.end)
	})
	for _, f := range all {
		// One that is shorter than it was is a new one: what was printed is the beginning of the old one.
		if key := (logFile{process, f.Name}); l.read[key] > f.Size {
			l.read[logFile{process, f.Name + oldFile}], l.read[key] = l.read[key], 0
		}
	}
	slices.SortFunc(all, func(a, b client.LogFile) int { // x.1 comes before x
		return cmp.Or(cmp.Compare(strings.TrimSuffix(a.Name, oldFile), strings.TrimSuffix(b.Name, oldFile)), cmp.Compare(b.Name, a.Name))
	})
	for _, f := range all {
		if err := l.copy(ctx, logFile{process, f.Name}, f.Size); err != nil {
			return err
		}
	}
	return nil
}

// copy prints what is new in a file, below its name if that is another one than before.
func (l *logbook) copy(ctx context.Context, f logFile, size int64) error {
	if l.read[f] >= size {
		return nil
	}
	if l.last != f && (l.last != (logFile{}) || l.job != nil) {
		fmt.Fprintf(l.to, "==> %s of %s <==\n", f.name, strings.TrimPrefix(f.process, "/taskmanagers/"))
	}
	l.last = f
	n, err := l.Log(ctx, f.process, f.name, l.read[f], l.to)
	l.read[f] += n
	return err
}
