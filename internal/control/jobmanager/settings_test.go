package jobmanager

import (
	"fmt"
	"testing"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
)

func TestSettingsOfASubmission(t *testing.T) {
	for _, c := range []struct {
		args, env []string
		want      string
	}{
		{nil, nil, "1 map[]"},
		{[]string{"--name", "a job", "-n=3", "file", "--dry", "-x=", "--last"}, []string{"FLOTT_PARALLELISM_DEFAULT=4", "X=1"}, "4 map[dry:__NO_VALUE_KEY last:__NO_VALUE_KEY n:3 name:a job x:]"},
		{[]string{"--db-Password", "hush", "-", "--"}, []string{"FLOTT_PARALLELISM_DEFAULT=many"}, "1 map[db-Password:******]"},
	} {
		s := settingsOf(view.Submission{Args: c.args, Env: c.env, Detached: true})
		if got := fmt.Sprint(s.Parallelism, s.Parameters); got != c.want || !s.Detached {
			t.Errorf("%q %q: %s, want %s", c.args, c.env, got, c.want)
		}
	}
}

// A job does not say what the parallelism of its operators is that choose none, but they show it.
func TestParallelismOfAJob(t *testing.T) {
	for want, vertices := range map[int][]jobgraph.Vertex{
		0: {{Parallelism: 3, ParallelismConfigured: true}},
		2: {{Parallelism: 3, ParallelismConfigured: true}, {Parallelism: 2}, {Parallelism: program.Unset}},
	} {
		if got := parallelismOf(&jobgraph.Graph{Vertices: vertices}); got != want {
			t.Errorf("it is %d, want %d", got, want)
		}
	}
}
