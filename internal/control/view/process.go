package view

import (
	"context"
	"io"
	"time"

	"github.com/flott-dev/flott/internal/id"
)

// A TaskManager is one that is connected.
type TaskManager struct {
	ID        string
	Address   string // of its control connection
	Host      string
	DataPort  int
	Heartbeat int64 // when it was heard last
	Slots     []Slot
	Hardware  Hardware
	Memory    int64 // what all its workers may use together, in bytes
	Process   Figures
}

// Free is how many slots nobody uses.
func (t *TaskManager) Free() int {
	n := 0
	for i := range t.Slots {
		if t.Slots[i].Job == (id.Job{}) {
			n++
		}
	}
	return n
}

// A Slot is one slot of a TaskManager.
type Slot struct {
	Job    id.Job // who has it; zero: nobody
	Worker Figures
}

// Hardware is the machine of a process.
type Hardware struct {
	Cores        int
	Memory, Free int64 // bytes
}

// Figures is what a process uses.
type Figures struct {
	Pid                              int
	Resident, Limit                  int64 // bytes; limit 0: none
	HeapUsed, HeapCommitted, HeapMax int64 // bytes
	Goroutines                       int
	Collections                      int64
	CollectionTime                   time.Duration
	CPU                              time.Duration // used since its start
	Load                             float64       // of one core, lately
}

// A Process can be asked about itself. What it does not keep is ErrUnavailable; of another process there may be ErrNoAnswer.
type Process interface {
	// Name says which process it is: "JobManager", or the id of a TaskManager or worker.
	Name() string
	Figures(ctx context.Context) (Figures, error)
	// Logs is its log files.
	Logs(ctx context.Context) ([]LogFile, error)
	// Log is one of them, from a byte on; with name "" the main one: ErrUnknownFile. After its end nothing comes.
	Log(ctx context.Context, name string, from int64) (io.ReadCloser, error)
	// Stdout is what user code has printed.
	Stdout(ctx context.Context) (io.ReadCloser, error)
	// Goroutines is the stacks of all goroutines as runtime/pprof writes the profile "goroutine" with debug=2.
	Goroutines(ctx context.Context) ([]byte, error)
	// Profile is a profile in the format of pprof, gzipped: "cpu" over a time, or "goroutine", "heap", "allocs", "mutex", "block".
	// Samples of tasks carry the labels of package label.
	Profile(ctx context.Context, kind string, over time.Duration) ([]byte, error)
	// Environment is what it runs in.
	Environment(ctx context.Context) (Environment, error)
}

// A LogFile is a log file.
type LogFile struct {
	Name     string
	Size     int64
	Modified int64
}

// An Environment is how a process was built and started.
type Environment struct {
	GoVersion, Platform, Version string
	Args                         []string
	Modules                      []string // "path version"
	Variables                    []Setting

	Pid            int
	Started        int64
	CPUs, MaxProcs int   // of the machine, and those that Go uses
	MemoryLimit    int64 // GOMEMLIMIT, in bytes; 0: none
}
