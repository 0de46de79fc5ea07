package taskmanager

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/rpc"
)

// What the folder of a worker has in it, beside what user code leaves there.
const (
	workFolder  = "work" // where it runs: empty at first
	tempFolder  = "temp" // where it has its temporary files
	graphFile   = "graph.json"
	earlierFile = "earlier.json"
)

// A worker is a process that runs tasks of one job.
type worker struct {
	of     *TaskManager
	start  rpc.WorkerStart
	number int // of the TaskManager's
	folder string
	load   process.Load
	log    string // of its log files: the name without end
	mark   string // that it prints when it comes to the job
	cage   cage
	ctx    context.Context
	stop   context.CancelFunc // it was told to end
	mu     struct {
		sync.Mutex
		memory int64       // the newest limit
		alive  *os.Process // nil: not started yet, or over, and its number may be somebody else's
	}
}

func newWorker(t *TaskManager, s rpc.WorkerStart, number int) *worker {
	w := &worker{of: t, start: s, number: number, folder: filepath.Join(t.options.Folder, strconv.Itoa(number)), mark: rand.Text()}
	w.mu.memory = s.Memory
	w.ctx, w.stop = context.WithCancel(t.ctx)
	return w
}

// run starts the process, waits for its end, and clears up behind it. The error says how it ended, and where, unless it was told to.
func (w *worker) run() error {
	defer w.stop()
	err := w.fetchAndRun()
	switch {
	case w.ctx.Err() != nil:
		err = nil
	case err != nil:
		err = kindOf(err).Errorf("on TaskManager %s (flott logs %s shows more): %w", w.of.options.Registration.ID, w.start.Job, err)
	}
	return errors.Join(err, os.RemoveAll(w.folder))
}

func (w *worker) fetchAndRun() error {
	o := &w.of.options
	if err := o.Blobs.Fetch(w.ctx, w.start.Blob, o.Origin); err != nil {
		return err
	}
	program, release, err := o.Blobs.Use(w.start.Blob)
	if err != nil {
		return err
	}
	defer release()
	for _, sub := range []string{workFolder, tempFolder} {
		if err := os.MkdirAll(filepath.Join(w.folder, sub), 0o700); err != nil {
			return fmt.Errorf("folder of the worker: %w", err)
		}
	}
	for name, text := range map[string][]byte{graphFile: w.start.Graph, earlierFile: w.start.Earlier} {
		if err := os.WriteFile(filepath.Join(w.folder, name), text, 0o600); err != nil {
			return fmt.Errorf("folder of the worker: %w", err)
		}
	}
	return w.execute(program)
}

// lastRead is how long it may take to read what a worker has printed, from its end on: longer a process holds up nobody that has left the
// group, is not known, and keeps the pipes open.
const lastRead = 10 * time.Second

// execute runs the program until it ends or is stopped.
func (w *worker) execute(program string) (err error) {
	name, log, out, err := w.of.logs.begin(w.start.Job)
	if err != nil {
		return err
	}
	defer w.of.logs.end(name)
	defer func() { _, _ = out.Close(), log.Close() }() // what was not written is lost
	w.log = name
	if w.cage, err = w.of.options.ControlGroups.cage(w.number); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.cage.open()) }() // also when nothing was started
	printed, said := &lines{to: w.printed}, &tail{}
	stdout := &curtain{mark: []byte(w.mark + "\n"), before: out, after: both{out, printed}}
	// The kernel ends a worker together with the thread that has started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := w.begin(func() *exec.Cmd {
		return &exec.Cmd{
			Path: program, Args: append([]string{program}, w.start.Args...), Env: w.environment(), Dir: filepath.Join(w.folder, workFolder),
			Stdout: stdout, Stderr: both{log, said},
			SysProcAttr: ownGroup(),
			WaitDelay:   lastRead,
		}
	})
	if err != nil {
		return fmt.Errorf("the worker cannot be started: %w", err)
	}
	defer context.AfterFunc(w.ctx, w.kill)()
	awaitExit(c.Process)
	ranOut := w.cage.ranOut()
	err = w.reap(c)
	stdout.flush()
	printed.flush()
	return exitError(c.ProcessState, err, w.memory(), ranOut, said.String())
}

// begin starts the process. A file that was just written may be held open by a process that another goroutine is about to start, and
// cannot be run until that has come to its exec: soon.
func (w *worker) begin(command func() *exec.Cmd) (*exec.Cmd, error) {
	c := command()
	err := c.Start()
	for try := 0; errors.Is(err, syscall.ETXTBSY) && try < 100 && w.ctx.Err() == nil; try++ {
		time.Sleep(10 * time.Millisecond)
		c = command()
		err = c.Start()
	}
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.cage.hold(c.Process, w.mu.memory); err != nil {
		killGroup(c.Process)
		return nil, errors.Join(err, c.Wait())
	}
	w.mu.alive = c.Process
	return c, nil
}

// reap ends what is left of the process's group, whose number belongs to nobody else as long as the process was not waited for, and of
// its cage; also what has left the group.
func (w *worker) reap(c *exec.Cmd) error {
	w.mu.Lock()
	killGroup(w.mu.alive)
	w.mu.alive = nil
	w.mu.Unlock()
	return errors.Join(w.cage.open(), endStrays(w.folder), c.Wait())
}

// kill ends the process, at once.
func (w *worker) kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mu.alive != nil {
		killGroup(w.mu.alive)
	}
}

// limit changes how much memory it may use.
func (w *worker) limit(bytes int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mu.memory = bytes
	if w.mu.alive == nil {
		return
	}
	if err := w.cage.hold(w.mu.alive, bytes); err != nil {
		w.of.options.Log.Warn("the limit of a worker cannot be changed", "job_id", w.start.Job.String(), "error", err)
	}
}

func (w *worker) memory() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mu.memory
}

func (w *worker) figures() rpc.Figures {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := rpc.Figures{Limit: w.mu.memory}
	if w.mu.alive != nil {
		f.Pid = w.mu.alive.Pid
		f.Resident, f.CPU = uses(f.Pid)
		f.Load = w.load.Now(f.CPU)
	}
	return f
}

func (w *worker) printed(text []byte) {
	w.of.to.Printed(rpc.Output{Header: w.start.Header, Worker: w.start.Worker, Lines: text})
}

// environment is all that the process has. What the TaskManager says stands last, and so counts.
func (w *worker) environment() []string {
	env := append([]string{}, w.start.Env...)
	env = append(env, w.of.options.Env...)
	env = append(env,
		"TMPDIR="+filepath.Join(w.folder, tempFolder),
		"FLOTT_ROLE=worker",
		"FLOTT_JOB_ID="+w.start.Job.String(),
		"FLOTT_WORKER_ID="+string(w.start.Worker),
		"FLOTT_WORKER_TOKEN="+strconv.FormatInt(int64(w.start.Token), 10),
		"FLOTT_WORKER_FINGERPRINT="+w.start.Fingerprint,
		"FLOTT_WORKER_SECRET="+w.start.Secret,
		"FLOTT_WORKER_FOLDER="+w.folder,
		"FLOTT_WORKER_MARK="+w.mark,
		"FLOTT_WORKER_GRAPH="+filepath.Join(w.folder, graphFile),
		"FLOTT_WORKER_EARLIER="+filepath.Join(w.folder, earlierFile),
		"FLOTT_WORKER_LOG="+filepath.Join(w.of.options.Logs, w.log+logEnd),
	)
	if m := w.memory(); m > 0 {
		env = append(env, "GOMEMLIMIT="+strconv.FormatInt(m/10*9, 10)) // below the hard one, so that it collects before it fails
	}
	return env
}
