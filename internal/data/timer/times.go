package timer

// times is a heap of distinct times, the earliest first. It is container/heap without its interface, in which a time would have to
// be boxed.
type times []int64

func (t *times) push(x int64) {
	*t = append(*t, x)
	h := *t
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent] <= x {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
}

func (t *times) pop() {
	h := *t
	last := len(h) - 1
	x := h[last]
	h = h[:last]
	*t = h
	i := 0
	for child := 1; child < last; child = 2*i + 1 {
		if child+1 < last && h[child+1] < h[child] {
			child++
		}
		if x <= h[child] {
			break
		}
		h[i] = h[child]
		i = child
	}
	if last > 0 {
		h[i] = x
	}
}
