package cluster

import (
	"context"
	"runtime"

	"github.com/flott-dev/flott/internal/control/jobmanager"
	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// View is the embedded JobManager, as REST and metrics see one.
func (j *Job) View() view.Source { return newEmbedded(j.dispatcher) }

// embedded is the view.Source of a JobManager that is part of the user's program: this process is JobManager, TaskManager and worker
// in one.
type embedded struct {
	*jobmanager.Dispatcher
	self *process.Self
}

func newEmbedded(d *jobmanager.Dispatcher) *embedded {
	return &embedded{d, process.New(string(rpc.Local), process.Options{})}
}

// TaskManagers is this process, with as many slots as its jobs have.
func (e *embedded) TaskManagers(ctx context.Context) ([]*view.TaskManager, error) {
	jobs, err := e.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	figures, err := e.self.Figures(ctx)
	if err != nil {
		return nil, err
	}
	t := &view.TaskManager{
		ID: string(rpc.Local), Address: string(rpc.Local), Host: "localhost",
		Hardware: view.Hardware{Cores: runtime.NumCPU()}, Process: figures,
	}
	for _, j := range jobs {
		if !j.State.Terminal() {
			t.Slots = append(t.Slots, slotsOf(j, figures)...)
		}
	}
	return []*view.TaskManager{t}, nil
}

// slotsOf is the slots that tasks of a job run in.
func slotsOf(j *view.Job, worker view.Figures) (all []view.Slot) {
	for v := range j.Vertices {
		for s := range j.Vertices[v].Subtasks {
			a := j.Vertices[v].Subtasks[s].Current()
			if a.TaskManager == "" || a.State.Terminal() {
				continue
			}
			for len(all) <= a.Slot {
				all = append(all, view.Slot{Job: j.ID, Worker: worker})
			}
		}
	}
	return all
}

// JobManager is this process.
func (e *embedded) JobManager() view.Process { return e.self }

// TaskManager is this process, too.
func (e *embedded) TaskManager(name string) (view.Process, error) {
	if name != string(rpc.Local) {
		return nil, view.ErrUnknownTaskManager
	}
	return e.self, nil
}

// Workers is this process once more, for any job that there is.
func (e *embedded) Workers(ctx context.Context, job id.Job) ([]view.Process, error) {
	if _, err := e.Job(ctx, job); err != nil {
		return nil, err
	}
	return []view.Process{e.self}, nil
}

// Config is empty: an embedded JobManager has no configuration.
func (e *embedded) Config() []view.Setting { return nil }

// Shutdown cancels all jobs.
func (e *embedded) Shutdown() {
	jobs, err := e.Jobs(context.Background())
	if err != nil {
		return
	}
	for _, j := range jobs {
		_ = e.Cancel(context.Background(), j.ID) // or it is over
	}
}
