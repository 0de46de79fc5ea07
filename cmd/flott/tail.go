package main

// A tail is the end of what is written to it.
type tail []byte

const mostTail = 64 << 10

// Write keeps p, and drops the start of what there is too much of.
func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	if over := len(*t) - mostTail; over > 0 {
		*t = append((*t)[:0], (*t)[over:]...)
	}
	return len(p), nil
}
