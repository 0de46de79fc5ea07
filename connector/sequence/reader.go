package sequence

import (
	"context"
	"math"
	"time"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/halt"
)

// minWait is the shortest wait: above 2000 records a second they come in bunches, since waking costs more than a record does.
const minWait = 500 * time.Microsecond

// A reader has its lanes take turns, a batch each.
type reader[T any] struct {
	source source[T]
	halted *halt.Flag
	lanes  []*lane
	turn   int         // index of the lane that is next
	timer  *time.Timer // wakes the task when a record is due
}

func newReader[T any](ctx context.Context, s source[T], wake func()) *reader[T] {
	r := &reader[T]{source: s, halted: halt.Of(ctx), timer: time.AfterFunc(math.MaxInt64, wake)}
	r.timer.Stop()
	return r
}

func (r *reader[T]) Assign(splits []connector.Split) error {
	for _, s := range splits {
		l, err := parseLane(s)
		if err != nil {
			return err
		}
		if rate := r.source.perSecond; rate > 0 {
			l.pace = pace{rate: rate / float64(l.stride), first: seconds(float64(l.start) / rate)}
		}
		r.lanes = append(r.lanes, l)
	}
	return nil
}

func (r *reader[T]) Read(b *connector.Batch[T]) (connector.Status, error) {
	switch {
	case len(r.lanes) == 0:
		return connector.Done, nil
	case r.source.perSecond == 0:
		_, err := r.fill(b, int64(cap(b.V)))
		return connector.More, err
	}
	return r.readDue(b, time.Now())
}

// readDue reads what is due from the first lane where something is, or sets the timer.
func (r *reader[T]) readDue(b *connector.Batch[T], now time.Time) (connector.Status, error) {
	wait := time.Duration(math.MaxInt64)
	for range r.lanes {
		p := &r.lanes[r.turn].pace
		due, w := p.due(now)
		if due > 0 {
			n, err := r.fill(b, due)
			p.take(n)
			return connector.More, err
		}
		wait = min(wait, w)
		r.turn = (r.turn + 1) % len(r.lanes)
	}
	r.timer.Reset(max(wait, minWait))
	return connector.Wait, nil
}

// fill makes up to most records of the lane whose turn it is, and gives the turn to the next one.
func (r *reader[T]) fill(b *connector.Batch[T], most int64) (int64, error) {
	l, left := r.lanes[r.turn], r.lanes[r.turn].left(r.source.n)
	n := min(most, left, int64(cap(b.V)))
	b.Split, b.V = l.id, b.V[:n]
	if err := r.source.fill(r.halted, b.V, l.next, l.stride); err != nil {
		return 0, err
	}
	l.next += n * l.stride
	r.turn++
	if n == left {
		b.End = true
		r.turn--
		r.lanes = append(r.lanes[:r.turn], r.lanes[r.turn+1:]...)
	}
	if r.turn == len(r.lanes) {
		r.turn = 0
	}
	return n, nil
}

func (r *reader[T]) Snapshot() ([]connector.Split, error) {
	var splits []connector.Split
	for _, l := range r.lanes {
		splits = append(splits, connector.Split{ID: l.id, Position: connector.Offset(l.next)})
	}
	return splits, nil
}

func (r *reader[T]) Close() error {
	r.timer.Stop()
	return nil
}
