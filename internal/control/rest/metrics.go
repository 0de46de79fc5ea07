package rest

import (
	"math"
	"regexp"
	"strconv"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// # Metrics
//
// Names are Flink's where the meaning is. Values are text: a count is "42", a rate or ratio "42.0". What flott does not have
// (mailboxes' latencies, Netty's buffers, class loaders) is not listed, so that nobody draws a picture of zeros.

// A metric is a name, its value as text and as number. A value that is no number is NaN.
type metric struct {
	id, text string
	number   float64
}

func count(id string, n int64) metric { return metric{id, strconv.FormatInt(n, 10), float64(n)} }

func measure(id string, v float64) metric { return metric{id, double(v).String(), v} }

func word(id, text string) metric { return metric{id, text, math.NaN()} }

// wordless is what is not a letter of a metric's name: operator names go into ids without it.
var wordless = regexp.MustCompile(`\W`)

// subtaskMetrics is the metrics of a subtask's current attempt.
func (s *Server) subtaskMetrics(p place, subtask int) []metric {
	a := p.now.Subtasks[subtask].Current()
	r, ok := s.history.rates(p, subtask, a)
	if !ok {
		return nil
	}
	all := taskMetrics(p, a, r)
	for i := range a.Metrics.Operators {
		if i < len(p.graph.Chain) {
			all = append(all, operatorMetrics(p, i, &a.Metrics.Operators[i], r.operators[i])...)
		}
	}
	return all
}

func taskMetrics(p place, a *view.Attempt, r rates) []metric {
	m := a.Metrics
	all := []metric{
		count("numRecordsIn", recordsIn(p.graph, m)), count("numRecordsOut", recordsOut(p.graph, m)),
		measure("numRecordsInPerSecond", r.recordsIn), measure("numRecordsOutPerSecond", r.recordsOut),
		count("numBytesIn", m.BytesIn), count("numBytesOut", m.BytesOut),
		measure("numBytesInPerSecond", r.bytesIn), measure("numBytesOutPerSecond", r.bytesOut),
		measure("busyTimeMsPerSecond", math.Round(r.busy)), count("idleTimeMsPerSecond", int64(r.idle)),
		count("backPressuredTimeMsPerSecond", int64(r.backPressured)), count("hardBackPressuredTimeMsPerSecond", int64(r.backPressured)),
		count("softBackPressuredTimeMsPerSecond", 0),
		measure("accumulateBusyTimeMs", float64(m.Busy.Milliseconds())), count("accumulateIdleTimeMs", m.Idle.Milliseconds()),
		count("accumulateBackPressuredTimeMs", m.BackPressured.Milliseconds()),
		word("isBackPressured", strconv.FormatBool(r.backPressured > 500)),
		count("initializationTime", initialization(a)),
	}
	if len(p.graph.Inputs) > 0 {
		all = append(all, count("currentInputWatermark", watermarkOf(p, m)))
	}
	return all
}

// initialization is how long the attempt took from its deployment to its first record.
func initialization(a *view.Attempt) int64 {
	from, to := a.Entered[execgraph.Initializing], a.Entered[execgraph.Running]
	if from == 0 || to == 0 {
		return 0
	}
	return to - from
}

func operatorMetrics(p place, i int, c *view.OperatorCounters, r operatorRates) []metric {
	o := &p.graph.Chain[i]
	name := wordless.ReplaceAllString(o.Name, "_") + "."
	all := []metric{
		count(name+"numRecordsIn", c.RecordsIn), count(name+"numRecordsOut", c.RecordsOut),
		measure(name+"numRecordsInPerSecond", r.recordsIn), measure(name+"numRecordsOutPerSecond", r.recordsOut),
		count(name+"currentInputWatermark", c.Watermark), count(name+"currentOutputWatermark", c.Watermark),
		count(name+"numLateRecordsDropped", c.LateRecords),
	}
	if len(o.Chained)+len(o.Outputs) == 0 {
		all = append(all, count(name+"numRecordsSend", c.RecordsIn))
	}
	return all
}

// jobMetrics is the metrics of a job.
func jobMetrics(j *view.Job, at int64) []metric {
	all := []metric{
		count("numRestarts", int64(j.Restarts)), count("fullRestarts", int64(j.Restarts)),
		count("uptime", inState(j, view.Running, at)), count("downtime", downtime(j, at)),
		count("numberOfInProgressCheckpoints", 0), count("numberOfCompletedCheckpoints", 0),
		count("numberOfFailedCheckpoints", 0), count("totalNumberOfCheckpoints", 0),
		count("lastCheckpointSize", -1), count("lastCheckpointDuration", -1), count("lastCheckpointFullSize", -1),
		count("lastCheckpointProcessedData", -1), count("lastCheckpointPersistedData", -1), count("lastCheckpointMetadataSize", -1),
		count("lastCheckpointRestoreTimestamp", -1), count("lastCheckpointCompletedTimestamp", -1), count("lastCompletedCheckpointId", -1),
		word("lastCheckpointExternalPath", "n/a"), count("numRescales", 0),
	}
	for name, state := range map[string]view.JobState{
		"createdTime": view.Created, "initializingTime": view.Initializing, "runningTime": view.Running,
		"restartingTime": view.Restarting, "failingTime": view.Failing, "cancellingTime": view.Cancelling,
	} {
		all = append(all, count(name, inState(j, state, at)))
	}
	return all
}

// inState is for how long the job has been in a state; 0: it is in another.
func inState(j *view.Job, s view.JobState, at int64) int64 {
	if j.State != s {
		return 0
	}
	return at - j.Entered[s]
}

// downtime is for how long a job that is to run has not.
func downtime(j *view.Job, at int64) int64 {
	switch j.State {
	case view.Restarting, view.Failing:
		return inState(j, j.State, at)
	}
	return 0
}

// processMetrics is the metrics of a process. Those of the garbage collector, which Java has several of, are under All. A heap without a
// limit, which Java's never is, has no maximum to draw a bar of.
func processMetrics(f view.Figures) []metric {
	all := workerMetrics(f)
	if f.HeapMax > 0 {
		all = append(all, count(ofJVM+"Memory.Heap.Max", f.HeapMax))
	}
	return append(all,
		count(ofJVM+"Memory.Heap.Used", f.HeapUsed), count(ofJVM+"Memory.Heap.Committed", f.HeapCommitted),
		count(ofJVM+"Threads.Count", int64(f.Goroutines)),
		count(ofJVM+"GarbageCollector.All.Count", f.Collections), count(ofJVM+"GarbageCollector.All.Time", f.CollectionTime.Milliseconds()),
	)
}

// ofJVM is how the names of what Java measures of itself begin.
const ofJVM = "Status.JVM."

// workerMetrics is what a TaskManager sees of its workers.
func workerMetrics(f view.Figures) []metric {
	return []metric{
		measure(ofJVM+"CPU.Load", f.Load), count(ofJVM+"CPU.Time", f.CPU.Nanoseconds()),
		count("Status.Flott.Memory.Resident", f.Resident), count("Status.Flott.Memory.Limit", f.Limit),
	}
}

// clusterMetrics is what the JobManager counts.
func clusterMetrics(managers []*view.TaskManager, jobs []*view.Job) []metric {
	var total, free, running int
	for _, t := range managers {
		total += len(t.Slots)
		free += t.Free()
	}
	for _, j := range jobs {
		if !j.State.Terminal() {
			running++
		}
	}
	return []metric{
		count("taskSlotsTotal", int64(total)), count("taskSlotsAvailable", int64(free)),
		count("numRegisteredTaskManagers", int64(len(managers))), count("numRunningJobs", int64(running)),
	}
}
