// Package cputime tells tests and benchmarks what work costs, whatever else the machine does meanwhile.
package cputime

import (
	"syscall"
	"testing"
	"time"
)

// Used is what this process has had of the cores so far, in user and system mode.
func Used(t testing.TB) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
