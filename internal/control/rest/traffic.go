package rest

import (
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// traffic is what went in and out between tasks: nothing counts as read by a source, or as written by a sink. What is not complete
// will be when metrics have come from all subtasks.
type traffic struct {
	ReadBytes            int64  `json:"read-bytes"`
	ReadBytesComplete    bool   `json:"read-bytes-complete"`
	WriteBytes           int64  `json:"write-bytes"`
	WriteBytesComplete   bool   `json:"write-bytes-complete"`
	ReadRecords          int64  `json:"read-records"`
	ReadRecordsComplete  bool   `json:"read-records-complete"`
	WriteRecords         int64  `json:"write-records"`
	WriteRecordsComplete bool   `json:"write-records-complete"`
	BackPressured        int64  `json:"accumulated-backpressured-time"`
	Idle                 int64  `json:"accumulated-idle-time"`
	Busy                 double `json:"accumulated-busy-time"`
}

func complete() traffic {
	return traffic{ReadBytesComplete: true, WriteBytesComplete: true, ReadRecordsComplete: true, WriteRecordsComplete: true}
}

// trafficOf sums up attempts of one vertex.
func trafficOf(v *jobgraph.Vertex, attempts ...*view.Attempt) traffic {
	t := complete()
	for _, a := range attempts {
		t.add(v, a)
	}
	return t
}

func (t *traffic) add(v *jobgraph.Vertex, a *view.Attempt) {
	m := a.Metrics
	if m == nil {
		t.ReadBytesComplete, t.WriteBytesComplete, t.ReadRecordsComplete, t.WriteRecordsComplete = false, false, false, false
		return
	}
	t.ReadBytes += m.BytesIn
	t.WriteBytes += m.BytesOut
	t.ReadRecords += recordsIn(v, m)
	t.WriteRecords += recordsOut(v, m)
	t.BackPressured += m.BackPressured.Milliseconds()
	t.Idle += m.Idle.Milliseconds()
	t.Busy += double(m.Busy.Milliseconds())
}

// recordsIn is what a task has read from others.
func recordsIn(v *jobgraph.Vertex, m *view.TaskMetrics) int64 {
	head := v.Head()
	if len(v.Inputs) == 0 || head >= len(m.Operators) {
		return 0
	}
	return m.Operators[head].RecordsIn
}

// recordsOut is what a task has written for others: once for each data set, however many read it.
func recordsOut(v *jobgraph.Vertex, m *view.TaskMetrics) (n int64) {
	for i := range v.Produces {
		if o := v.Produces[i].Operator; o < len(m.Operators) {
			n += m.Operators[o].RecordsOut
		}
	}
	return n
}

// spread notes the numbers of one subtask.
func (t *traffic) spread(s spread) {
	s.add("read-bytes", t.ReadBytes)
	s.add("write-bytes", t.WriteBytes)
	s.add("read-records", t.ReadRecords)
	s.add("write-records", t.WriteRecords)
	s.add("accumulated-backpressured-time", t.BackPressured)
	s.add("accumulated-idle-time", t.Idle)
	s.add("accumulated-busy-time", int64(t.Busy))
}
