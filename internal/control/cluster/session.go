package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/blob"
	"github.com/flott-dev/flott/internal/control/jobmanager"
	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/transport"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// A session is a JobManager that is a process, as REST and clients see it.
type session struct {
	*jobmanager.Dispatcher
	*blob.Store
	self     *process.Self
	others   *transport.Server // has the processes of TaskManagers and workers
	settings *config.Settings
	shutdown chan<- struct{}
	log      *slog.Logger
}

var (
	_ view.Source = (*session)(nil)
	_ view.Client = (*session)(nil)
)

// Submit starts a job whose executable is here. It stays here until the job is over: a TaskManager that joins late may ask for it.
func (s *session) Submit(ctx context.Context, v view.Submission) (id.Job, error) {
	_, release, err := s.Use(v.Blob)
	if errors.Is(err, blob.ErrMissing) {
		return id.Job{}, &view.Refusal{Reason: fmt.Sprintf("the executable %v must be uploaded first", v.Blob)}
	}
	if err != nil {
		return id.Job{}, err
	}
	_, unknown := s.Job(ctx, v.Job)
	job, err := s.Accept(v)
	if err != nil || unknown == nil { // it is followed already, and keeps its executable
		release()
		return job, err
	}
	s.log.Info("a client has submitted a job", "job_id", job, "flott", v.Version)
	go func() { // ends with the job
		defer release()
		if r, err := s.Result(context.WithoutCancel(ctx), job); err == nil {
			s.log.Info("the job is over", "job_id", job, "job", r.Name, "state", r.State, "error", r.Error)
		}
	}()
	return job, nil
}

// TaskManagers is those that are connected.
func (s *session) TaskManagers(context.Context) ([]*view.TaskManager, error) {
	return s.Resources().TaskManagers(), nil
}

// JobManager is this process.
func (s *session) JobManager() view.Process { return s.self }

// TaskManager is the process of a TaskManager.
func (s *session) TaskManager(name string) (view.Process, error) {
	if p, ok := s.others.Process(name); ok {
		return p, nil
	}
	return nil, view.ErrUnknownTaskManager
}

// Workers is the processes that run tasks of a job.
func (s *session) Workers(_ context.Context, job id.Job) ([]view.Process, error) {
	return s.others.Workers(job), nil
}

// Config is the settings of the cluster.
func (s *session) Config() []view.Setting {
	var all []view.Setting
	for _, k := range config.Keys {
		if k.Scope&config.Cluster != 0 {
			shown := s.settings.Shown(k)
			all = append(all, view.Setting{Key: shown.Key, Value: shown.Value, Origin: shown.Origin})
		}
	}
	return all
}

// Shutdown asks for the end.
func (s *session) Shutdown() {
	select {
	case s.shutdown <- struct{}{}:
	default: // it was asked for already
	}
}
