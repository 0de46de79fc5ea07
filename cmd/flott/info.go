package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
)

const infoUsage = `flott info [options] JOB

Prints how a job is, named by its id, the beginning of that, or its name: its state, what it waits for, what is wrong and what can be done
(docs/diagnosis.md), its vertices with what they have read from and written to others and where their subtasks run, and its latest failures.`

// info prints how a job is.
func info(ctx context.Context, args []string, stdout, _ io.Writer) error {
	var asJSON bool
	define := func(f *flag.FlagSet) { f.BoolVar(&asJSON, "json", false, "as JSON") }
	return aboutJob(ctx, "info", infoUsage, args, stdout, whatever, define, func(c *client.Client, job client.Job) error {
		d, err := c.Details(ctx, job.ID)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(stdout, d)
		}
		return printDetails(stdout, d, c.Address())
	})
}

// restarts is how many there were, and what that means.
func restarts(j *client.Overview) string {
	if j.Flott.Note == "" {
		return strconv.Itoa(j.Flott.Restarts)
	}
	return fmt.Sprintf("%d: %s", j.Flott.Restarts, j.Flott.Note)
}

// printDetails prints how a job is, and where the page of the cluster at an address shows it.
func printDetails(to io.Writer, d *client.Details, address string) error {
	j := &d.Job
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "job\t%s\nid\t%s\nstate\t%s\n", shown(j.Name), j.ID, stateNow(j.State, j.Flott.Waiting))
	fmt.Fprintf(w, "start\t%s\nduration\t%s\nstates\t%s\n", moment(j.Start), lasting(j.Duration), history(j))
	if j.Flott.Waiting != "" {
		fmt.Fprintf(w, "waits\t%s\n", j.Flott.Waiting)
	}
	fmt.Fprintf(w, "health\t%s\n", j.Flott.Health)
	fmt.Fprintf(w, "restarts\t%s\n", restarts(j))
	if err := w.Flush(); err != nil {
		return err
	}
	for i := range d.Diagnosis.Findings {
		printFinding(to, &d.Diagnosis.Findings[i])
	}
	fmt.Fprintf(to, "\nlook at it: %s/#/job/%s/graph\n", address, j.ID)
	fmt.Fprintln(w, "\nVERTEX\tPARALLELISM\tSTATE\tREAD\tWRITTEN\tSUBTASKS")
	for i := range j.Vertices {
		v := &j.Vertices[i]
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d\t%s\n", shown(v.Name), v.Parallelism, v.Status, v.Metrics.Read, v.Metrics.Written, placement(d.Vertices, v.ID))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, e := range d.Exceptions {
		printException(to, e)
	}
	return nil
}

// printFinding prints one thing that is wrong, or not known.
func printFinding(to io.Writer, f *client.Finding) {
	fmt.Fprintf(to, "\n%s: %s\n  %s\n", f.Level, shown(f.Head), shown(f.Detail))
	if f.Advice != "" {
		fmt.Fprintf(to, "  %s\n", f.Advice)
	}
}

// history is the states that a job has been in, with when it entered each.
func history(j *client.Overview) string {
	var states []view.JobState
	for s, at := range j.Timestamps {
		if at > 0 {
			states = append(states, s)
		}
	}
	slices.SortFunc(states, func(a, b view.JobState) int {
		return cmp.Or(cmp.Compare(j.Timestamps[a], j.Timestamps[b]), cmp.Compare(slices.Index(view.JobStates[:], a), slices.Index(view.JobStates[:], b)))
	})
	var all []string
	for _, s := range states {
		all = append(all, fmt.Sprintf("%s after %s", s, lasting(j.Timestamps[s]-j.Start)))
	}
	return strings.Join(all, ", ")
}

// placement is where the subtasks of a vertex run: "0-3 on tm-1, 4 on tm-2".
func placement(all []client.Placement, vertex string) string {
	i := slices.IndexFunc(all, func(p client.Placement) bool { return p.ID == vertex })
	if i < 0 {
		return "-"
	}
	var parts []string
	for rest := all[i].Subtasks; len(rest) > 0; {
		where := rest[0].TaskManager
		n := slices.IndexFunc(rest, func(s client.Subtask) bool { return s.TaskManager != where })
		if n < 0 {
			n = len(rest)
		}
		parts = append(parts, subtasks(rest[:n], where))
		rest = rest[n:]
	}
	return strings.Join(parts, ", ")
}

// subtasks is some neighbours that are at one place; "": nowhere yet.
func subtasks(some []client.Subtask, where string) string {
	name := fmt.Sprint(some[0].Index)
	if len(some) > 1 {
		name += fmt.Sprintf("-%d", some[len(some)-1].Index)
	}
	if where == "" {
		return name + " without a slot"
	}
	return name + " on " + where
}

// mostLines is how much of an exception is printed: the error, and the top of the stack.
const mostLines = 12

func printException(to io.Writer, e client.Exception) {
	fmt.Fprintf(to, "\n%s  %s", moment(e.At), e.Name)
	if e.Task != "" {
		fmt.Fprintf(to, " in %s on %s", shown(e.Task), e.TaskManager)
	}
	fmt.Fprintln(to)
	lines := strings.Split(strings.TrimRight(e.Text, "\n"), "\n")
	for _, line := range lines[:min(mostLines, len(lines))] {
		fmt.Fprintln(to, "  "+shown(line))
	}
	if more := len(lines) - mostLines; more > 0 {
		fmt.Fprintf(to, "  ... %d more lines: flott info --json\n", more)
	}
}
