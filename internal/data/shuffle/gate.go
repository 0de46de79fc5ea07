package shuffle

import "github.com/flott-dev/flott/internal/data/record"

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
	size            int32
	batch           record.Batch[T]
}

func (g *gate[T]) Receive(m *Message) error {
	b := m.block.(*block[T])
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
