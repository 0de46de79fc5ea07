package jobmanager

import (
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// settingsOf is what can be told of how a client wants a job to be run. Programs of Flink make their arguments known as parameters of
// the job; those of flott need not.
func settingsOf(v view.Submission) view.JobSettings {
	s := view.JobSettings{Detached: v.Detached, Parallelism: 1, Parameters: parametersOf(v.Args)}
	for _, variable := range v.Env {
		if text, ok := strings.CutPrefix(variable, "FLOTT_PARALLELISM_DEFAULT="); ok {
			if n, err := strconv.Atoi(text); err == nil {
				s.Parallelism = n
			}
		}
	}
	return s
}

// parallelismOf is the parallelism of operators that have chosen none; 0: each has.
func parallelismOf(g *jobgraph.Graph) (n int) {
	for i := range g.Vertices {
		if v := &g.Vertices[i]; !v.ParallelismConfigured {
			n = max(n, v.Parallelism)
		}
	}
	return n
}

// parametersOf is the flags among arguments, as the package flag and Flink's ParameterTool read them: --name value, -name=value. A flag
// without a value has Flink's word for that.
func parametersOf(args []string) map[string]string {
	all := map[string]string{}
	for i := 0; i < len(args); i++ {
		name, value, found := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(args[i], "-"), "-"), "=")
		switch {
		case !strings.HasPrefix(args[i], "-") || name == "":
			continue
		case found:
		case i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++
			value = args[i]
		default:
			value = "__NO_VALUE_KEY"
		}
		all[name] = masked(name, value)
	}
	return all
}

// secretWords is Flink's words in names of what nobody may see.
var secretWords = []string{"password", "secret", "token", "api-key", "apikey", "private-key", "credential"}

func masked(name, value string) string {
	for _, word := range secretWords {
		if strings.Contains(strings.ToLower(name), word) {
			return "******"
		}
	}
	return value
}
