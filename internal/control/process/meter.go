package process

import (
	"math"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
)

// A Load is how much of a core a process uses: since the time before that it was asked for, if that is not too new.
type Load struct {
	mu struct {
		sync.Mutex
		at   time.Time
		cpu  time.Duration
		load float64
	}
}

// loadOver is the least time that a load is taken over.
const loadOver = time.Second

// Now is the load, when the process has used so much since its start.
func (l *Load) Now(cpu time.Duration) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if wall := now.Sub(l.mu.at); l.mu.at.IsZero() || wall >= loadOver {
		if !l.mu.at.IsZero() {
			l.mu.load = float64(cpu-l.mu.cpu) / float64(wall)
		}
		l.mu.at, l.mu.cpu = now, cpu
	}
	return l.mu.load
}

// The metrics of Go's runtime, in the order in which they are read.
var names = []string{
	"/memory/classes/heap/objects:bytes", "/memory/classes/total:bytes", "/gc/gomemlimit:bytes",
	"/sched/goroutines:goroutines", "/gc/cycles/total:gc-cycles", "/cpu/classes/gc/pause:cpu-seconds",
}

// figures reads what this process uses.
func figures(l *Load) view.Figures {
	samples := make([]metrics.Sample, len(names))
	for i := range samples {
		samples[i].Name = names[i]
	}
	metrics.Read(samples)
	count := func(i int) int64 {
		if n := samples[i].Value.Uint64(); n <= math.MaxInt64 {
			return int64(n)
		}
		return -1
	}
	f := view.Figures{
		Pid: os.Getpid(), Resident: resident(),
		HeapUsed: count(0), HeapCommitted: count(1), HeapMax: heapMax(count(2)),
		Goroutines: int(count(3)), Collections: count(4),
		CollectionTime: time.Duration(samples[5].Value.Float64() * float64(time.Second)),
		CPU:            cpuTime(),
	}
	f.Load = l.Now(f.CPU)
	return f
}

// heapMax is the limit of the heap; -1: there is none, which the runtime says with the largest number.
func heapMax(limit int64) int64 {
	if limit == math.MaxInt64 {
		return -1
	}
	return limit
}

// cpuTime is what the process has used, in user and system mode.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident is the memory that the process has; 0 where nobody says.
func resident() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
