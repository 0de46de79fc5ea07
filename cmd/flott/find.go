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
func findJob(ctx context.Context, c *client.Client, text string) (client.Job, error) {
	jobs, err := c.Jobs(ctx)
	if err != nil {
		return client.Job{}, err
	}
	return chooseJob(jobs, text)
}

func chooseJob(jobs []client.Job, text string) (client.Job, error) {
	meant := filter(jobs, func(j client.Job) bool { return strings.HasPrefix(j.ID.String(), text) || j.Name == text })
	if alive := filter(meant, func(j client.Job) bool { return !j.State.Terminal() }); len(alive) == 1 {
		meant = alive
	}
	switch {
	case len(meant) == 1:
		return meant[0], nil
	case len(meant) > 1:
		var ids []string
		for _, j := range meant {
			ids = append(ids, fmt.Sprintf("%s (%s, %s)", j.ID, j.Name, j.State))
		}
		return client.Job{}, fmt.Errorf("%q is several jobs; name one by its id: %s", text, strings.Join(ids, ", "))
	}
	return client.Job{}, unknown("job", text, namesOf(jobs))
}

// namesOf is all by which jobs can be called.
func namesOf(jobs []client.Job) (names []string) {
	for _, j := range jobs {
		names = append(names, j.Name, j.ID.String())
	}
	return names
}

// unknown is the error about something that is not there, with the name of what is that comes nearest.
func unknown(what, text string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("there is no %s %q: the cluster has none", what, text)
	}
	return fmt.Errorf("there is no %s %q; the nearest is %q", what, text, config.Nearest(text, names))
}

func filter(jobs []client.Job, keep func(client.Job) bool) []client.Job {
	return slices.DeleteFunc(slices.Clone(jobs), func(j client.Job) bool { return !keep(j) })
}
