package jobgraph

import "github.com/flott-dev/flott/internal/graph/program"

// A StateMapper says which subtasks of a new parallelism get the records that an unaligned checkpoint found on their way.
type StateMapper string

// The state mappers.
const (
	Arbitrary   StateMapper = "ARBITRARY"   // anyone
	RoundRobin  StateMapper = "ROUND_ROBIN" // dealt out in turn
	ByRange     StateMapper = "RANGE"       // those whose key groups overlap
	First       StateMapper = "FIRST"       // subtask 0
	Full        StateMapper = "FULL"        // everyone, who keep what is theirs
	Unsupported StateMapper = "UNSUPPORTED" // nobody can say
)

// StateMappers is who gets the records of this input, and who those that its producers have not sent yet.
func (i *Input) StateMappers() (downstream, upstream StateMapper) {
	switch i.Partitioner {
	case program.Rebalance, program.Shuffle:
		return RoundRobin, Arbitrary
	case program.Hash:
		return ByRange, Arbitrary
	case program.Global:
		return First, Arbitrary
	case program.Custom:
		return Full, Arbitrary
	default:
		return Unsupported, Unsupported
	}
}
