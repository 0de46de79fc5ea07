package cluster

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/rpc"
)

// WorkerMemory is what all workers of a TaskManager may use together if nothing else is set: three quarters of the machine's memory.
func WorkerMemory() int64 { return machine().Memory / 4 * 3 }

// machine is the hardware that this process may use.
func machine() rpc.Hardware {
	h := rpc.Hardware{Cores: runtime.NumCPU()}
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return h
	}
	for line := range strings.Lines(string(text)) {
		switch name, kilobytes, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), " kB"), ":"); name {
		case "MemTotal":
			h.Memory = number(kilobytes) << 10
		case "MemAvailable":
			h.Free = number(kilobytes) << 10
		}
	}
	if limit, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil && number(string(limit)) > 0 {
		h.Memory = min(h.Memory, number(string(limit)))
	}
	return h
}

// number is a number in a text; 0 when there is none.
func number(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
