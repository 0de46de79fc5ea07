// Package id is the bottom vocabulary of flott: the ids of jobs, operators, vertices and data sets, the key groups, and the hashes
// behind them. It imports nothing of flott, and everything else may import it.
//
// All of it reaches stored data or Flink's plans, so none of it may change: Flink's own formulas are checked against tables that
// Flink made, and the hash of keys against docs/formats/key-hash.md.
package id

import "encoding/hex"

// A Job is the id of one submission of a program.
type Job [16]byte

// String is the id as 32 lower-case hexadecimal digits.
func (j Job) String() string { return hex.EncodeToString(j[:]) }

// ParseJob reads an id from its 32 hexadecimal digits, in either case.
func ParseJob(s string) (Job, error) {
	var j Job
	err := parse(j[:], s)
	return j, err
}
