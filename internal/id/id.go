// Package id is the bottom vocabulary of flott: the ids of jobs, operators, vertices and data sets, the key groups, and the two
// stable hashes (of keys, and of operator names). It imports nothing of flott, and everything else may import it.
package id

import "encoding/hex"

// An Operator is the id of one operator: a murmur3 hash of its uid or of its place in the stream graph. The id of a job vertex
// is the id of the operator that heads its chain, so vertices have this type too.
type Operator [16]byte

// A Vertex is the id of a job vertex, equal to the Operator at the head of its chain.
type Vertex = Operator

// A DataSet is the id of an intermediate data set: what one vertex produces for one or more consumers.
type DataSet [16]byte

// A Job is the id of one submission of a program.
type Job [16]byte

// String is the id as 32 lower-case hexadecimal digits, Flink's form.
func (o Operator) String() string { return hex.EncodeToString(o[:]) }

// String is the id as 32 lower-case hexadecimal digits.
func (d DataSet) String() string { return hex.EncodeToString(d[:]) }

// String is the id as 32 lower-case hexadecimal digits.
func (j Job) String() string { return hex.EncodeToString(j[:]) }
