package schedule

// A State is how far a job has got. The names are Flink's.
//
//	CREATED ───▶ RUNNING ────────────────────────▶ FINISHED
//	   │          │    │
//	   │ cancel   │    │ a task fails, or what feeds it
//	   │          │    ▼
//	   │   cancel │  FAILING ────────────────────▶ FAILED
//	   │          ▼    │ cancel
//	   └──────▶ CANCELLING ──────────────────────▶ CANCELED
//
// FAILING and CANCELLING last until no task is left.
type State uint8

const (
	Created State = iota
	Running
	Failing
	Canceling
	Finished
	Failed
	Canceled
	states
)

// next is the ways out of each state.
var next = [states][]State{
	Created:   {Running, Canceling},
	Running:   {Finished, Failing, Canceling},
	Failing:   {Failed, Canceling},
	Canceling: {Canceled},
}

var stateNames = [states]string{"CREATED", "RUNNING", "FAILING", "CANCELLING", "FINISHED", "FAILED", "CANCELED"}

// String is the name that Flink gives the state.
func (s State) String() string { return stateNames[s] }

// Terminal says that the job is over.
func (s State) Terminal() bool { return len(next[s]) == 0 }
