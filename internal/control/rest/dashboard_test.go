package rest

import (
	"strings"
	"testing"
)

// What Flink's dashboard would show wrongly, if it had not the answers that it has from Flink.

// TestEndedJobsHaveNoMetrics: Flink's dashboard would paint the last busy second of a job as if it were now.
func TestEndedJobsHaveNoMetrics(t *testing.T) {
	b := newBench(t, nil, Options{})
	for _, end := range []string{
		"/metrics", "/vertices/" + vertexForProfile + "/metrics", "/vertices/" + vertexForProfile + "/subtasks/metrics",
		"/vertices/" + vertexForProfile + "/subtasks/0/metrics", "/vertices/" + vertexForProfile + "/subtasks/metrics?get=busyTimeMsPerSecond",
		"/vertices/" + vertexForProfile + "/watermarks",
	} {
		var now, ended []metricValue
		b.into("/jobs/"+running+end, &now)
		b.into("/jobs/"+finished+end, &ended)
		if len(now) == 0 || len(ended) != 0 {
			t.Errorf("%s: %d while the job runs, %v when it is over", end, len(now), ended)
		}
	}
}

// TestApplicationFailsForItsJob: the page of a failed application says why, and of which job.
func TestApplicationFailsForItsJob(t *testing.T) {
	b := newBench(t, nil, Options{})
	failed := b.cluster.list[2]
	for job, want := range map[string]int{running: 0, finished: 0, failed.ID.String(): 1} {
		var got exceptionsApplication
		b.into("/applications/"+job+"/exceptions", &got)
		if len(got.History.Entries) != want {
			t.Errorf("%s: %+v", job, got)
			continue
		}
		newest := failed.Failures.Newest[0]
		for _, e := range got.History.Entries {
			if e != (applicationException{newest.Name, newest.Text, newest.At, job}) {
				t.Errorf("%+v is not %+v", e, newest)
			}
		}
	}
}

// TestHeapsWithoutALimitHaveNoMaximum: the dashboard divides by it.
func TestHeapsWithoutALimitHaveNoMaximum(t *testing.T) {
	b := newBench(t, nil, Options{})
	process := &b.cluster.managers[0].Process
	for _, limit := range []int64{1 << 30, -1} {
		process.HeapMax = limit
		var got []metricValue
		b.into("/taskmanagers/tm-1/metrics?get=Status.JVM.Memory.Heap.Used,Status.JVM.Memory.Heap.Max", &got)
		listed := false
		for _, m := range got {
			listed = listed || strings.HasSuffix(m.ID, ".Max")
		}
		if listed != (limit > 0) {
			t.Errorf("with the limit %d: %v", limit, got)
		}
	}
}
