package rpc

import "github.com/flott-dev/flott/internal/control/view"

// A TaskManager starts workers on its machine, and ends them.
type TaskManager interface {
	// StartWorker is done once for each worker; for one that runs already it changes how much it may use.
	StartWorker(WorkerStart)
	// StopWorker is answered with WorkerExited, also for a worker that is not known, which then will never start.
	StopWorker(WorkerStop)
	// Dismiss: the ResourceManager has given the TaskManager up, or its connection has closed. It ends its workers, and may register
	// anew, as another. Across processes this is no message: the connection is closed.
	Dismiss(cause error)
}

// A ResourceManager knows the TaskManagers and who uses their slots.
type ResourceManager interface {
	// Register: a TaskManager is there, and can be told to start workers by m.
	Register(r Registration, m TaskManager)
	Heartbeat(Heartbeat)
	WorkerExited(WorkerExit)
	// Printed is what a worker has printed, for clients that wait for the job.
	Printed(Output)
	// Unregister: a TaskManager leaves, or its connection has closed. All that ran there is lost.
	Unregister(Leave)
}

// A Registration is a TaskManager that joins. One that comes back after it was lost has a new ID.
type Registration struct {
	ID       string
	Host     string // for people
	DataHost string // where its workers take data connections
	DataPort int    // 0: they have ports of their own
	Address  string // of its control connection
	Slots    int
	Memory   int64 // what all its workers may use together, in bytes
	Version  string
	Hardware Hardware
}

// Hardware is the machine of a TaskManager.
type Hardware = view.Hardware

// A Heartbeat says that a TaskManager is there. It is sent every second; one of whom none was heard for 5 seconds is lost.
type Heartbeat struct {
	ID      string
	Number  int             // of the TaskManager's heartbeats, from 1: one that comes after a later one is void
	Workers []WorkerFigures // that have not exited
	Figures Figures         // of the TaskManager itself
}

// WorkerFigures is what a worker uses.
type WorkerFigures struct {
	Worker WorkerID
	Figures
}

// Figures is what a process uses.
type Figures = view.Figures

// A WorkerStart is a worker to start.
type WorkerStart struct {
	Header
	Worker      WorkerID
	Blob        [32]byte // SHA-256 of the executable
	Args, Env   []string
	Memory      int64  // what it may use, in bytes: its slots' share
	Slots       int    // of the TaskManager that are its job's
	Graph       []byte // as package jobdoc writes it
	Fingerprint string // of the graph
	Earlier     []byte // what jobs of the program before this one gave it, as JSON; nil: there are none
	Secret      string // that the workers of a job know each other by
}

// A WorkerStop is a worker to end, at once: its tasks have ended or are of no interest any more.
type WorkerStop struct {
	Header
	Worker WorkerID
}

// A WorkerExit says that nothing is left of a worker: no process, file or socket.
type WorkerExit struct {
	Header
	Worker WorkerID
	Cause  error // how it ended; nil: it was told to
}

// Output is lines that a worker has printed.
type Output struct {
	Header
	Worker WorkerID
	Lines  []byte
}

// A Leave is a TaskManager that is gone.
type Leave struct {
	ID    string
	Cause error // nil: it was told to end
}
