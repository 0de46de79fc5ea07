package task

import (
	"time"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/decide/pace"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// What waits for the end of a step should not wait long: a flush no longer than a tenth of its buffer timeout more than that, and
// timers, mails, watermarks and who watches the task no longer than longestStep.
const (
	timeoutShare = 10
	longestStep  = 10 * time.Millisecond
	shortestStep = time.Millisecond // even if the timeout is 0: then each step is a flush
)

// stepBound is how long a step of a task with these outputs should take at most.
func stepBound(outputs []taskplan.Partition) time.Duration {
	bound := longestStep
	for i := range outputs {
		if ms := outputs[i].BufferTimeoutMs; ms >= 0 {
			bound = min(bound, time.Duration(ms)*time.Millisecond/timeoutShare)
		}
	}
	return max(bound, shortestStep)
}

// newPace is a pace for work of one kind.
func (t *Task) newPace() *pace.Pace {
	return pace.New(t.clock.nanos, int64(stepBound(t.plan.Partitions)), record.Size)
}
