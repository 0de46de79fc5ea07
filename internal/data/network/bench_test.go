package network

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// BenchmarkKeyBy is a keyBy between the tasks of two workers over a Unix socket: half of the records cross it. A record has 16 bytes
// and a timestamp. Both workers are in this process, so that its CPU time is that of both ends.
func BenchmarkKeyBy(b *testing.B) {
	const records = 1 << 22
	for _, tasks := range []int{2, 4, 32} {
		b.Run(fmt.Sprintf("%d tasks", tasks), func(b *testing.B) {
			b.ReportAllocs()
			j := newJob(tasks, listen(b, unix(b, "a")), listen(b, unix(b, "b")))
			cpu, rounds := cpuTime(b), 0
			for b.Loop() {
				j.succeeds(b, records/tasks)
				j.attempt++
				rounds++
			}
			b.ReportMetric(float64(cpuTime(b)-cpu)/float64(rounds)/records, "ns-CPU/rec")
		})
	}
}

func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	var r syscall.Rusage
	check(t, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
