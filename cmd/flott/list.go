package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
)

const listUsage = `flott list [options]

Lists the jobs that run or wait, newest first.`

// list prints a table of jobs.
func list(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var from clusterFlags
	var all, asJSON bool
	help, err := parseFlags("list", listUsage, args, stdout, func(f *flag.FlagSet) {
		from.add(f)
		f.BoolVar(&all, "a", false, "also those that are over")
		f.BoolVar(&asJSON, "json", false, "as JSON")
	})
	if help || err != nil {
		return err
	}
	c, err := from.client()
	if err != nil {
		return err
	}
	jobs, err := c.Jobs(ctx)
	if err != nil {
		return err
	}
	if !all {
		jobs = filter(jobs, func(j client.Job) bool { return !j.State.Terminal() })
	}
	if asJSON {
		return printJSON(stdout, append([]client.Job{}, jobs...))
	}
	if len(jobs) == 0 && !all {
		fmt.Fprintln(stderr, "flott: no job runs or waits; with -a those that are over are listed, too")
	}
	return printJobs(stdout, jobs)
}

func printJobs(to io.Writer, jobs []client.Job) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tSTATE\tSTART\tDURATION\tTASKS RUNNING")
	for _, j := range jobs {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d of %d\n", j.ID, shown(j.Name), stateNow(j.State, j.Flott.Waiting), moment(j.Start), lasting(j.Duration), j.Tasks["running"], j.Tasks["total"])
	}
	return w.Flush()
}

// stateNow is the word for how far a job has got, the page's, too. To the API one that waits is created or runs.
func stateNow(s view.JobState, waiting string) string {
	if waiting != "" && !s.Terminal() {
		return "WAITING"
	}
	return string(s)
}

func printJSON(to io.Writer, value any) error {
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// moment is a time as people read it. 0 and less: it has not come.
func moment(milliseconds int64) string {
	if milliseconds <= 0 {
		return "-"
	}
	return time.UnixMilli(milliseconds).Format(time.DateTime)
}

// lasting is a duration without what does not matter in one so long.
func lasting(milliseconds int64) string {
	d := time.Duration(milliseconds) * time.Millisecond
	switch {
	case d < 0:
		return "-"
	case d > time.Minute:
		return d.Round(time.Second).String()
	}
	return d.Round(10 * time.Millisecond).String()
}
