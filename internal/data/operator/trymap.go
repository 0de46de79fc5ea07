package operator

import (
	"sync/atomic"

	"github.com/flott-dev/flott/internal/halt"
)

// TryMap makes one record of each by f, whose error fails the task.
func TryMap[T, R any](f func(T) (R, error)) Constructor {
	return oneToOne(func(halted *halt.Flag, in []T, out []R) (err error) {
		out = out[:len(in)]
		for i := range in {
			if atomic.LoadUint32(&halted.Up) != 0 {
				return halted.Err()
			}
			if out[i], err = f(in[i]); err != nil {
				return err
			}
		}
		return nil
	})
}
