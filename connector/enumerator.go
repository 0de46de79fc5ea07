package connector

import "context"

// OnDemand hands out splits one at a time, in their order, to whoever asks: for splits of different size. A restored one goes on
// with what was left, and takes no notice of splits.
func OnDemand(s Setup, splits []Split) (Enumerator, error) {
	left, err := remaining(s, splits)
	return &onDemand{left}, err
}

// InTurn gives split i to subtask i mod parallelism, each subtask its splits at once: for equal shares, or an order that must not
// depend on who asks first. A restored one deals what was left, perhaps among other subtasks, and takes no notice of splits.
func InTurn(s Setup, splits []Split) (Enumerator, error) {
	left, err := remaining(s, splits)
	e := &inTurn{make([][]Split, s.Parallelism)}
	for i, split := range left {
		subtask := i % s.Parallelism
		e.hands[subtask] = append(e.hands[subtask], split)
	}
	return e, err
}

func remaining(s Setup, splits []Split) ([]Split, error) {
	if s.Restored == nil {
		return splits, nil
	}
	return DecodeSplits(s.Restored)
}

type onDemand struct{ left []Split }

func (e *onDemand) Next(context.Context, int) (splits []Split, done bool, err error) {
	if len(e.left) == 0 {
		return nil, true, nil
	}
	splits, e.left = e.left[:1:1], e.left[1:]
	return splits, false, nil
}

func (e *onDemand) Snapshot() ([]byte, error) { return EncodeSplits(e.left), nil }
func (e *onDemand) Close() error              { return nil }

type inTurn struct{ hands [][]Split }

func (e *inTurn) Next(_ context.Context, subtask int) (splits []Split, done bool, err error) {
	splits, e.hands[subtask] = e.hands[subtask], nil
	return splits, true, nil
}

func (e *inTurn) Snapshot() ([]byte, error) {
	var left []Split
	for _, hand := range e.hands {
		left = append(left, hand...)
	}
	return EncodeSplits(left), nil
}

func (e *inTurn) Close() error { return nil }
