package shuffle

import (
	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/data/record"
)

// A Gate is the consumer's side of an exchange, whatever the type of its records: it turns the messages of one input into batches.
// It belongs to the consumer's goroutine.
type Gate interface {
	// Receive hands the next batch of m's records to the input. It leaves m ready for the next call; m.Records says whether one is
	// due. The block goes home with its last record.
	Receive(m *Message) error
	Watermark(t int64) error
	Idle(idle bool) error
}

type gate[T any] struct {
	record.Input[T] // Watermark, Idle
	codecs          *codec.Set
	size            int32
	batch           record.Batch[T]
	decoder         *decoder[T] // nil: nothing has come from another process yet
}

func (g *gate[T]) Receive(m *Message) error {
	b, here := m.block.(*block[T])
	if !here {
		return g.receiveFrame(m)
	}
	from := m.From
	m.From = min(from+g.size, m.To)
	b.lend(&g.batch, int(from), int(m.From), m.Shared)
	err := g.Input.Receive(&g.batch)
	if m.From == m.To {
		m.block, g.batch = nil, record.Batch[T]{}
		b.read()
	}
	return err
}

// receiveFrame is Receive for what comes from another process. Until the frame is read its channel has one credit less.
func (g *gate[T]) receiveFrame(m *Message) error {
	f := m.block.(*frame)
	if g.decoder == nil {
		d, err := newDecoder[T](g.codecs)
		if err != nil {
			return err
		}
		g.decoder = d
	}
	rest, err := g.decoder.next(f.body, m.To-m.From, &g.batch)
	if err != nil {
		return err
	}
	f.body = rest
	m.From += int32(len(g.batch.V))
	err = g.Input.Receive(&g.batch)
	if m.From == m.To {
		m.block, g.batch = nil, record.Batch[T]{}
		if err == nil && len(rest) > 0 {
			err = errFrame
		}
		f.read()
	}
	return err
}
