package execgraph

// A State is how far one attempt to run a subtask has got.
type State uint8

const (
	Created State = iota
	Scheduled
	Deploying
	Initializing
	Running
	Finished
	Canceling
	Canceled
	Failed
	states
)

// An Execution is the current attempt to run a subtask.
type Execution struct {
	Attempt int // from 0
	State   State
	Entered [states]int64 // when each state was entered, in milliseconds since the epoch; 0: not yet
}
