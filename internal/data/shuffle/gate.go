package shuffle

import (
	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/data/record"
)

// A Gate is the consumer's side of an exchange, whatever the type of its records: it turns the messages of one input into batches.
// It belongs to the consumer's goroutine.
type Gate interface {
	// Receive hands the next batch of m's records to the input, most of them at most. It leaves m ready for the next call; m.Records
	// says whether one is due. The block goes home with its last record.
	Receive(m *Message, most int) error
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

func (g *gate[T]) Receive(m *Message, most int) error {
	b, here := m.block.(*block[T])
	if !here {
		return g.receiveFrame(m, most)
	}
	from := m.From
	m.From = min(from+min(g.size, int32(most)), m.To)
	b.lend(&g.batch, int(from), int(m.From), m.Shared)
	err := g.Input.Receive(&g.batch)
	if m.From == m.To {
		m.block, g.batch = nil, record.Batch[T]{}
		b.read()
	}
	return err
}

// receiveFrame is Receive for what comes from another process. Until the frame is read its channel has one credit less.
func (g *gate[T]) receiveFrame(m *Message, most int) error {
	f := m.block.(*frame)
	if err := g.decode(f, m.To-m.From); err != nil {
		return err
	}
	g.decoder.lend(&g.batch, most)
	m.From += int32(len(g.batch.V))
	err := g.Input.Receive(&g.batch)
	if m.From == m.To {
		m.block, g.batch = nil, record.Batch[T]{}
		if err == nil && len(f.body) > 0 {
			err = errFrame
		}
		f.read()
	}
	return err
}

// decode decodes the next batch of a frame, when the one before was lent to its end. left is how many records the frame still has.
func (g *gate[T]) decode(f *frame, left int32) (err error) {
	if g.decoder == nil {
		if g.decoder, err = newDecoder[T](g.codecs); err != nil {
			return err
		}
	}
	if g.decoder.drained() {
		f.body, err = g.decoder.next(f.body, left)
	}
	return err
}
