package operator

// TryMap makes one record of each by f, whose error fails the task.
func TryMap[T, R any](f func(T) (R, error)) Constructor {
	return oneToOne(func(in []T, out []R) (err error) {
		out = out[:len(in)]
		for i := range in {
			if out[i], err = f(in[i]); err != nil {
				return err
			}
		}
		return nil
	})
}
