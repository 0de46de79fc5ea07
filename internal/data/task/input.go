package task

import (
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/decide/pace"
	"github.com/flott-dev/flott/internal/decide/progress"
)

// An input is one input of the head: a gate, whose channels may come from many tasks and many edges, and what their progress
// comes to.
type input struct {
	gate     shuffle.Gate
	merger   *progress.Merger
	channels int
	open     int          // channels that have not ended
	time     *inputTime   // where others can see how far they are
	pace     *pace.Pace   // of records
	end      func() error // tells the chain that all have
}

func newInput(gate shuffle.Gate, channels int, time *inputTime, p *pace.Pace, end func() error) *input {
	return &input{gate, progress.New(channels), channels, channels, time, p, end}
}

// step does a part of what a message asks for, no more than one batch, and of that what the pace allows: its records first, then how
// far the channel has got, then its end. done says that nothing is left.
func (in *input) step(m *shuffle.Message) (done bool, err error) {
	switch {
	case m.Records():
		err = in.receive(m)
	case m.Progress:
		m.Progress = false
		err = in.progress(m)
		in.time.publish(in.merger)
	case m.End:
		m.End = false
		if in.open--; in.open == 0 {
			err = in.end()
		}
	}
	return !m.Records() && !m.Progress && !m.End, err
}

func (in *input) receive(m *shuffle.Message) error {
	from := m.From
	err := in.gate.Receive(m, in.pace.Begin())
	in.pace.End(int(m.From - from))
	return err
}

// progress merges what a channel says. Several things may have been said at once: it has come back and advanced, or advanced and
// fallen idle.
func (in *input) progress(m *shuffle.Message) error {
	channel := int(m.Channel)
	if !m.Idle {
		if err := in.merger.SetIdle(channel, false).Send(in.gate); err != nil {
			return err
		}
	}
	if err := in.merger.Advance(channel, m.Watermark).Send(in.gate); err != nil {
		return err
	}
	switch {
	case m.End:
		return in.merger.Finish(channel).Send(in.gate)
	case m.Idle:
		return in.merger.SetIdle(channel, true).Send(in.gate)
	}
	return nil
}
