package network

import (
	"fmt"
	"testing"

	"github.com/flott-dev/flott/internal/cputime"
)

// BenchmarkKeyBy is a keyBy between the tasks of two workers over a Unix socket: half of the records cross it. A record has 16 bytes
// and a timestamp. Both workers are in this process, so that its CPU time is that of both ends.
func BenchmarkKeyBy(b *testing.B) {
	const records = 1 << 22
	for _, tasks := range []int{2, 4, 32} {
		b.Run(fmt.Sprintf("%d tasks", tasks), func(b *testing.B) {
			b.ReportAllocs()
			j := newJob(tasks, listen(b, unix(b, "a")), listen(b, unix(b, "b")))
			cpu, rounds := cputime.Used(b), 0
			for b.Loop() {
				j.succeeds(b, records/tasks)
				j.attempt++
				rounds++
			}
			b.ReportMetric(float64(cputime.Used(b)-cpu)/float64(rounds)/records, "ns-CPU/rec")
		})
	}
}
