// Package taskmanager starts a process for each job that has slots on this machine, and sees to it that nothing of it is left.
//
//	                      StartWorker                     the process has started
//	(unknown) ------------> fetching -----------------------> running
//	    |                      |                                 |
//	    | StopWorker           | StopWorker, error               | it exits, or StopWorker: the group is killed
//	    v                      v                                 v
//	  ended <-------------------------------------------------------   no process, file or socket; WorkerExited was sent
//
// Each worker has a goroutine that owns it from its start to its end, so that one that is slow holds up no other. A worker that has
// ended stays known by its id, and so never starts again, however late or often a message comes.
//
// A worker is the user's program, and is trusted with nothing: it has a folder of its own, which is empty at first; of the environment
// only what the submission names and how it reaches the JobManager; a process group, which is killed as a whole, as is what has left
// it; and a limit of memory. It ends with the TaskManager, however that ends: the kernel sees to it. A process that user code starts,
// and that outlives a TaskManager which was itself killed, is found by the next one that has its folder.
package taskmanager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/blob"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
)

// Options are the settings of a TaskManager.
type Options struct {
	Registration rpc.Registration // what it says of itself
	Folder       string           // for the folders of its workers; what is in it is deleted
	Logs         string           // folder for log files of workers, which stay there for a while: see logs
	Blobs        *blob.Store
	Origin       blob.Origin  // from where executables come
	Env          []string     // of each worker: how it reaches the JobManager
	Self         view.Process // this one
	Log          *slog.Logger
	// ControlGroups is where workers have theirs; it was checked.
	ControlGroups ControlGroups
}

// A TaskManager is one while it is registered: when it was given up, it ends, and another takes its place.
type TaskManager struct {
	options Options
	to      rpc.ResourceManager
	logs    *logs
	ctx     context.Context // of all workers; its end is that of the TaskManager
	dismiss context.CancelCauseFunc
	all     sync.WaitGroup // the goroutines of workers
	mu      struct {
		sync.Mutex
		workers map[rpc.WorkerID]*worker
		ended   map[rpc.WorkerID]error // how each ended; a few bytes for each job that was ever here
		started int
	}
}

var _ rpc.TaskManager = (*TaskManager)(nil)

// beat is how often a heartbeat is sent.
const beat = time.Second

// Run joins a cluster, starts workers there until ctx ends or it is dismissed, and leaves. The error says why, unless ctx ended. When
// it returns, nothing of a worker is left.
func Run(ctx context.Context, to rpc.ResourceManager, o Options) error {
	if !supported {
		return errors.New("a TaskManager needs Linux, where it can end a worker with all that it has started")
	}
	if err := errors.Join(endStrays(o.Folder), os.RemoveAll(o.Folder), os.MkdirAll(o.Folder, 0o700)); err != nil {
		return fmt.Errorf("folder for workers: %w", err)
	}
	logs, err := openLogs(o.Logs)
	if err != nil {
		return err
	}
	t := &TaskManager{options: o, to: to, logs: logs}
	t.mu.workers, t.mu.ended = map[rpc.WorkerID]*worker{}, map[rpc.WorkerID]error{}
	t.ctx, t.dismiss = context.WithCancelCause(context.WithoutCancel(ctx))
	to.Register(o.Registration, t)
	err = t.beats(ctx.Done())
	t.leave(err)
	t.all.Wait()
	if errors.Is(err, errTold) {
		err = nil
	}
	return errors.Join(err, os.RemoveAll(o.Folder))
}

var errTold = errors.New("it was told to end")

// leave ends the workers. That they are lost is said before, so that their jobs lose all at once, and get no slot here again.
func (t *TaskManager) leave(cause error) {
	said := cause
	if errors.Is(cause, errTold) {
		said = nil
	}
	t.to.Unregister(rpc.Leave{ID: t.options.Registration.ID, Cause: said})
	t.mu.Lock()
	defer t.mu.Unlock() // none starts any more
	t.dismiss(cause)
}

// beats sends heartbeats until the end, and says why it comes.
func (t *TaskManager) beats(told <-chan struct{}) error {
	ticks := time.NewTicker(beat)
	defer ticks.Stop()
	for n := 1; ; n++ {
		t.to.Heartbeat(t.heartbeat(n))
		select {
		case <-ticks.C:
		case <-told:
			return errTold
		case <-t.ctx.Done():
			return context.Cause(t.ctx)
		}
	}
}

func (t *TaskManager) heartbeat(number int) rpc.Heartbeat {
	h := rpc.Heartbeat{ID: t.options.Registration.ID, Number: number}
	if f, err := t.options.Self.Figures(t.ctx); err == nil {
		h.Figures = f
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, w := range t.mu.workers {
		h.Workers = append(h.Workers, rpc.WorkerFigures{Worker: name, Figures: w.figures()})
	}
	return h
}

// Dismiss ends it, and all its workers.
func (t *TaskManager) Dismiss(cause error) { t.dismiss(cause) }

// StartWorker starts a worker, or changes the limit of one that runs.
func (t *TaskManager) StartWorker(s rpc.WorkerStart) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx.Err() != nil {
		return
	}
	if cause, ended := t.mu.ended[s.Worker]; ended {
		t.to.WorkerExited(rpc.WorkerExit{Header: s.Header, Worker: s.Worker, Cause: cause})
		return
	}
	if w := t.mu.workers[s.Worker]; w != nil {
		w.limit(s.Memory)
		return
	}
	t.mu.started++
	w := newWorker(t, s, t.mu.started)
	t.mu.workers[s.Worker] = w
	t.all.Go(func() { t.end(w, w.run()) })
}

// StopWorker ends a worker, or sees to it that it will never start.
func (t *TaskManager) StopWorker(s rpc.WorkerStop) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w := t.mu.workers[s.Worker]; w != nil {
		w.stop()
		return
	}
	cause := t.mu.ended[s.Worker]
	t.mu.ended[s.Worker] = cause
	t.to.WorkerExited(rpc.WorkerExit{Header: s.Header, Worker: s.Worker, Cause: cause})
}

func (t *TaskManager) end(w *worker, cause error) {
	if cause != nil {
		t.options.Log.Warn("worker failed", "worker", w.start.Worker, "job_id", w.start.Job, "error", cause)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.mu.workers, w.start.Worker)
	t.mu.ended[w.start.Worker] = cause
	t.to.WorkerExited(rpc.WorkerExit{Header: w.start.Header, Worker: w.start.Worker, Cause: cause})
}
