package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// usageOfProcess is this process's user plus system time and its peak resident set.
func usageOfProcess() (cpu time.Duration, peakRSSMiB int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err == nil {
		cpu = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return cpu, peakRSS() / 1024
}

// peakRSS is VmHWM in KiB, or 0 where the system does not tell.
func peakRSS() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb
		}
	}
	return 0
}
