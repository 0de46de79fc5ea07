package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/graphtest"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// A shape is a program, in which SOURCE is with or without an end, and P a parallelism.
type shape struct{ name, text string }

// shapes are what jobs may be. None needs more slots than mostParallel, which is more than a TaskManager has.
var shapes = []shape{
	{"one region", "parallelism P\n s = SOURCE\n r = rebalance s\n o = print r"},
	{"a region for each subtask", "parallelism P\n s = SOURCE\n r = rescale s\n o = print r"},
	{"two flows", "parallelism P\n a = SOURCE\n x = rescale a\n o = print x\n b = SOURCE p=1\n y = rebalance b\n q = print y p=2"},
	{"all to all in two groups", "parallelism 2\n s = SOURCE\n k = keyby s\n c = reduce k slot=counts\n r = rebalance c\n o = print r slot=counts"},
	{"co-location", "parallelism P\n s = SOURCE beside=it\n r = rescale s\n m = map r beside=it\n q = rebalance m\n o = print q p=1"},
	{"two sources", "parallelism P\n a = SOURCE\n b = SOURCE\n u = union a b\n k = keyby u\n c = reduce k\n o = print c"},
}

const (
	mostParallel = 4
	mostSlots    = mostParallel // of a job
)

// graphOf is the graph of job i, as it is submitted to each JobManager.
func (w *world) graphOf(i int) *execgraph.Graph {
	source := "endless"
	if bounded(jobID(i)) {
		source = "source"
	}
	p := 1 + w.chance(fmt.Sprint("parallelism ", i), mostParallel)
	s := shapes[w.chance(fmt.Sprint("shape ", i), len(shapes))]
	job, err := graphtest.Job(strings.NewReplacer("SOURCE", source, "parallelism P", fmt.Sprint("parallelism ", p)).Replace(s.text))
	if err != nil {
		panic(err)
	}
	job.ID = jobID(i)
	delay := time.Second + time.Duration(i+1)*time.Millisecond // no two timers are due at the same time
	job.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: 1 << 30, Delay: delay}}
	g, err := execgraph.From(job)
	if err != nil {
		panic(err)
	}
	if n := len(g.Slots()); n > mostSlots {
		panic(fmt.Sprintf("%s needs %d slots", s.name, n))
	}
	w.note("job %d is %s with parallelism %d", i, s.name, p)
	return g
}

func jobID(i int) id.Job { return id.Job{byte(i + 1)} }

// bounded says that the tasks of a job come to their end. Those of the first have none, unless they are cancelled.
func bounded(job id.Job) bool { return job[0] != 1 }
