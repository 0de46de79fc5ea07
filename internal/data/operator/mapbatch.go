package operator

import "github.com/flott-dev/flott/internal/halt"

// MapBatch makes one record of each by f, which sets out[i] from in[i] for a whole batch.
func MapBatch[T, R any](f func(in []T, out []R)) Constructor {
	return oneToOne(func(_ *halt.Flag, in []T, out []R) error {
		f(in, out)
		return nil
	})
}
