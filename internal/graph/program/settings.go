package program

import "regexp"

// SetParallelism sets the number of subtasks; Unset leaves it to the program.
func (t *Transformation) SetParallelism(n int) {
	switch {
	case t.oneSubtask && n != 1:
		t.reject("parallelism is set to %d, but this operator cannot be parallel", n)
	case n < 1 && n != Unset:
		t.reject("parallelism is set to %d; it must be at least 1", n)
	default:
		t.fixParallelism(n)
	}
}

func (t *Transformation) fixParallelism(n int) {
	t.Parallelism = n
	t.ParallelismConfigured = n != Unset
}

// SetMaxParallelism sets the number of key groups, and with it the most subtasks that the operator can ever have.
func (t *Transformation) SetMaxParallelism(n int) {
	switch {
	case n < 1 || n > MaxParallelismLimit:
		t.reject("max parallelism is set to %d; it must be between 1 and %d", n, MaxParallelismLimit)
	case t.oneKeyGroup && n != 1:
		t.reject("max parallelism is set to %d, but this operator cannot be parallel", n)
	default:
		t.MaxParallelism = n
	}
}

// ForceNonParallel gives the operator one subtask for good.
func (t *Transformation) ForceNonParallel() {
	t.fixParallelism(1)
	t.MaxParallelism = 1
	t.oneSubtask, t.oneKeyGroup = true, true
}

// SetName names the operator.
func (t *Transformation) SetName(name string) { t.Name = name }

// SetDescription sets what plans print in place of the name.
func (t *Transformation) SetDescription(d string) { t.Description = Set(d) }

// SetUID sets the word from which the operator's id is made, so that its state is found again after the program changed.
func (t *Transformation) SetUID(uid string) { t.UID = Set(uid) }

var hexHash = regexp.MustCompile(`^[0-9A-Fa-f]{32}$`)

// SetUserHash adds an operator id under which older state is found.
func (t *Transformation) SetUserHash(hash string) {
	switch {
	case t.Kind == KindSink:
		t.reject("a uid hash cannot be set on a sink that expands into several operators")
	case !hexHash.MatchString(hash):
		t.reject("uid hash %q is not 32 hexadecimal digits", hash)
	default:
		t.UserHash = Set(hash)
	}
}

// SetSlotSharingGroup names the group of operators whose subtasks may share a slot.
func (t *Transformation) SetSlotSharingGroup(name string) { t.SlotSharingGroup = Set(name) }

// SetCoLocation makes equal subtasks of all operators with this key run in the same slot.
func (t *Transformation) SetCoLocation(key string) { t.CoLocation = Set(key) }

// SetBufferTimeout sets how long a record may wait for its buffer to fill; Unset leaves it to the program.
func (t *Transformation) SetBufferTimeout(ms int64) {
	if ms < Unset {
		t.reject("buffer timeout is set to %d ms; it must not be negative, or be -1 for the default", ms)
		return
	}
	t.BufferTimeoutMs = ms
}

// SetChaining sets whom the operator may be chained to. An operator with broadcast state does not listen, as in Flink.
func (t *Transformation) SetChaining(c Chaining) {
	if t.Kind != KindBroadcastState {
		t.Chaining = Set(c)
	}
}

func (t *Transformation) reject(format string, args ...any) { t.program.Reject(t, format, args...) }
