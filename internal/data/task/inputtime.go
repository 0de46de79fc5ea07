package task

import (
	"sync/atomic"

	"github.com/flott-dev/flott/internal/decide/progress"
	"github.com/flott-dev/flott/internal/graph/taskplan"
)

// An InputTime is how far event time has come at one gate of a task, and the producer that holds it back there.
type InputTime struct {
	Watermark int64 // progress.None: none yet
	Held      bool  // false: nobody holds it, as all channels are idle or over
	Vertex    int   // in the job, if it is held
	Subtask   int
}

// inputTime is what an input publishes of its merger, which is the task's own.
type inputTime struct {
	holder    atomic.Int64 // channel
	watermark atomic.Int64
}

// newInputTimes is that of n inputs, each of which waits for all of its channels, as for the first.
func newInputTimes(n int) []inputTime {
	all := make([]inputTime, n)
	for i := range all {
		all[i].watermark.Store(progress.None)
	}
	return all
}

func (t *inputTime) publish(m *progress.Merger) {
	t.holder.Store(int64(m.Holder()))
	t.watermark.Store(m.Merged())
}

func (t *inputTime) read(g *taskplan.Gate, subtask int) InputTime {
	is := InputTime{Watermark: t.watermark.Load()}
	channel := int(t.holder.Load())
	if channel == progress.Nobody || g.Channels(subtask) == 0 {
		return is
	}
	edge, producer := g.Feeder(subtask, channel)
	is.Held, is.Vertex, is.Subtask = true, edge.ProducerIndex, producer
	return is
}
