package execgraph

import "fmt"

// A State is how far one attempt to run a subtask has got.
//
//	CREATED -> SCHEDULED -> DEPLOYING -> INITIALIZING -> RUNNING -> FINISHED
//	   |           |            |             |             |
//	   |           |            +------+------+-------------+
//	   |           |                   v
//	   |           |               CANCELING
//	   |           |                   |
//	   |           |                   v
//	   +-----------+--------------> CANCELED          any of these, unless terminal -> FAILED
//
// Nobody has the task before DEPLOYING, so that an attempt is cancelled at once; later it takes a CANCELING until the task has
// stopped. A task that ends or fails while it is being cancelled counts as CANCELED, unless it cannot be asked any more (FAILED).
// FINISHED, CANCELED and FAILED are terminal: a subtask that goes on after them does so in its next attempt.
type State uint8

// The states.
const (
	Created      State = iota
	Scheduled          // waits for a slot
	Deploying          // has a slot, and its plan is under way
	Initializing       // the task is there, and restores its state
	Running
	Finished
	Canceling
	Canceled
	Failed
	states // how many there are
)

var stateNames = [states]string{"CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING", "RUNNING", "FINISHED", "CANCELING", "CANCELED", "FAILED"}

// String is Flink's name of the state.
func (s State) String() string {
	if s < states {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// next is the states that can follow each state.
var next = [states][]State{
	Created:      {Scheduled, Canceled, Failed},
	Scheduled:    {Deploying, Canceled, Failed},
	Deploying:    {Initializing, Canceling, Failed},
	Initializing: {Running, Canceling, Failed},
	Running:      {Finished, Canceling, Failed},
	Canceling:    {Canceled, Failed},
}

// Terminal says that nothing can follow.
func (s State) Terminal() bool { return len(next[s]) == 0 }

// CanBecome says that to can follow directly.
func (s State) CanBecome(to State) bool {
	for _, n := range next[s] {
		if n == to {
			return true
		}
	}
	return false
}
