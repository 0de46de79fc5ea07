package execgraph

import "fmt"

// An Execution is the current attempt to run a subtask. Times are milliseconds since the epoch, and told by the caller.
type Execution struct {
	Attempt int // from 0
	State   State
	Entered [states]int64 // when this attempt entered each state; 0: it has not
}

// Enter goes to another state.
func (e *Execution) Enter(to State, now int64) error {
	if !e.State.CanBecome(to) {
		return fmt.Errorf("attempt %d is %v and cannot become %v", e.Attempt, e.State, to)
	}
	e.State = to
	e.Entered[to] = now
	return nil
}
