package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/client"
)

// findJob is the job that a text names: by its id or the beginning of that, or by its name. Of several it is the one that is not over.
// If there is none, one that is likely is named.
func findJob(ctx context.Context, c *client.Client, text string, likely func(client.Job) bool) (client.Job, error) {
	jobs, err := c.Jobs(ctx)
	if err != nil {
		return client.Job{}, err
	}
	return chooseJob(jobs, text, likely)
}

func chooseJob(jobs []client.Job, text string, likely func(client.Job) bool) (client.Job, error) {
	if meant := called(jobs, text); len(meant) > 0 {
		return theOne(meant, text)
	}
	if len(jobs) == 0 {
		return client.Job{}, fmt.Errorf("there is no job %q: the cluster has none", text)
	}
	return client.Job{}, unknown("job", text, namesOf(filter(jobs, likely)))
}

func alive(j client.Job) bool { return !j.State.Terminal() }

func whatever(client.Job) bool { return true }

// called is the jobs that a text names.
func called(jobs []client.Job, text string) []client.Job {
	meant := filter(jobs, func(j client.Job) bool { return strings.HasPrefix(j.ID.String(), text) || j.Name == text })
	if some := filter(meant, alive); len(some) == 1 {
		return some
	}
	return meant
}

// theOne is the only one of the jobs that a text names.
func theOne(meant []client.Job, text string) (client.Job, error) {
	if len(meant) == 1 {
		return meant[0], nil
	}
	var ids []string
	for _, j := range meant {
		ids = append(ids, fmt.Sprintf("%s (%s, %s)", j.ID, shown(j.Name), j.State))
	}
	return client.Job{}, several("jobs", text, ids)
}

// namesOf is all by which jobs can be called.
func namesOf(jobs []client.Job) (names []string) {
	for _, j := range jobs {
		names = append(names, j.Name, j.ID.String())
	}
	return names
}

// several is the error about a text that names several of something.
func several(what, text string, ids []string) error {
	return fmt.Errorf("%q is several %s; name one by its id: %s", text, what, strings.Join(ids, ", "))
}

// unknown is the error about something that is not there, with the name of what is that may have been meant.
func unknown(what, text string, names []string) error {
	err := fmt.Errorf("there is no %s %q", what, text)
	if len(names) == 0 {
		return err
	}
	if nearest := config.Nearest(text, names); config.Near(text, nearest) {
		return fmt.Errorf("%w; the nearest is %q", err, nearest)
	}
	return err
}

func filter(jobs []client.Job, keep func(client.Job) bool) []client.Job {
	return slices.DeleteFunc(slices.Clone(jobs), func(j client.Job) bool { return !keep(j) })
}
