package schedule

// A State is how far a job has got. The names are Flink's.
//
//	                    a task fails, and
//	                  the job starts again
//	               +---------------------> RESTARTING
//	               |  all is scheduled        | |
//	CREATED --> RUNNING <---------------------+ |
//	   |         | | |                          |
//	   |         | | | no task is left          |
//	   |         | | +--------------------------|---> FINISHED
//	   |         | |                            |
//	   |         | | a task fails, for good     |
//	   |         | +----------> FAILING <-------+
//	   |         |                |   |         |
//	   |         |         cancel |   +---------|---> FAILED
//	   | cancel  | cancel         v             |
//	   +---------+-----------> CANCELLING <-----+
//	                              |      cancel
//	                              +-----------------> CANCELED
//
// FAILING and CANCELLING last until no task is left. A job that waits for slots is RUNNING; its tasks are SCHEDULED.
type State uint8

const (
	Created State = iota
	Running
	Failing
	Canceling
	Restarting
	Finished
	Failed
	Canceled
	states
)

// next is the ways out of each state.
var next = [states][]State{
	Created:    {Running, Canceling},
	Running:    {Finished, Failing, Canceling, Restarting},
	Restarting: {Running, Failing, Canceling},
	Failing:    {Failed, Canceling},
	Canceling:  {Canceled},
}

var stateNames = [states]string{"CREATED", "RUNNING", "FAILING", "CANCELLING", "RESTARTING", "FINISHED", "FAILED", "CANCELED"}

// String is the name that Flink gives the state.
func (s State) String() string { return stateNames[s] }

// Terminal says that the job is over.
func (s State) Terminal() bool { return len(next[s]) == 0 }
