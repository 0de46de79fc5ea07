package flott

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/flott-dev/flott/internal/control/cluster"
	"github.com/flott-dev/flott/internal/control/view"
)

// A worker is the role of a process that runs tasks of one job of the program. A TaskManager has started it.
type worker struct{ earlier []view.Result }

func (s *settings) asWorker() role {
	w := worker{}
	if err := w.read(os.Getenv("FLOTT_WORKER_EARLIER")); err != nil {
		s.mistake("what earlier jobs gave the program cannot be read: %v", err)
	}
	s.captured = true
	return w
}

// read reads what earlier jobs gave the program; there may have been none.
func (w *worker) read(file string) error {
	text, err := os.ReadFile(file)
	if err != nil || len(text) == 0 {
		return err
	}
	return json.Unmarshal(text, &w.earlier)
}

// start returns from the calls before the job's. In that it runs tasks, until the TaskManager ends the process; what comes behind it in
// main is never reached.
func (w worker) start(_ context.Context, e *Environment, job string, _ attachment) (*Job, error) {
	if _, before := begin(); before < len(w.earlier) {
		return replay(&w.earlier[before])
	}
	if err := work(e, job); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
	return nil, nil
}

func work(e *Environment, job string) error {
	g, binding, err := e.compileToRun(job)
	if err != nil {
		return err
	}
	return cluster.RunWorker(context.Background(), g.job, binding, g.codecs, e.settings.flushGap)
}
