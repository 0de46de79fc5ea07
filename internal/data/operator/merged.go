package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/decide/progress"
)

// Merged makes the events of an operator with several inputs out of theirs.
type Merged struct {
	merger *progress.Merger
	to     record.Events
	at     *atomic.Int64
}

// NewMerged merges n inputs: to gets the events, and the operator's metrics the watermark.
func NewMerged(env *Env, n int, to record.Events) *Merged {
	return &Merged{progress.New(n), to, &env.Metrics.Watermark}
}

// Input takes the events of input i.
func (m *Merged) Input(i int) record.Events { return mergedInput{m, i} }

func (m *Merged) say(e progress.Effect) error {
	if e.Advanced {
		m.at.Store(e.Watermark)
	}
	return e.Send(m.to)
}

type mergedInput struct {
	*Merged
	i int
}

func (m mergedInput) Watermark(t int64) error { return m.say(m.merger.Advance(m.i, t)) }
func (m mergedInput) Idle(idle bool) error    { return m.say(m.merger.SetIdle(m.i, idle)) }
