// Package connector holds the contracts of sources and sinks, for everyone to implement, and ready pieces that make most of one.
//
// A source is made of splits: a file range, a partition, a range of numbers. One Enumerator per source knows the splits and hands
// them to readers on request; one Reader per subtask reads the splits it was given into batches, and knows how far it has come in
// each. Where an enumerator or reader is in its work is a value (Snapshot), from which another one goes on.
//
//	             Next(subtask)                  Read(batch)
//	Enumerator -----------------> Reader[T] -----------------> the job -----------------> Writer[T]
//	one a source     splits       one a subtask     records                   Write       one a subtask
//
// Nobody here starts a job or knows one: the engine calls, and says in the comments below from which goroutine. OnDemand and
// InTurn are ready enumerators; NewFeed makes a reader of a function that blocks, such as one that reads a connection; a sink that
// keeps nothing open is one function (package callback). Package connectortest has a suite for each contract. docs/connectors.md
// builds a source and a sink from the first line to the last.
package connector

// A Describer is a source or sink that tells plans what it looks like. Others are a "Source" or "Sink" with the parallelism of the
// environment.
type Describer interface{ Describe() Description }

// A Description is what a plan shows of a source or sink.
type Description struct {
	Name        string // the operator's default name, as Flink's counterpart has it
	Parallelism int    // the default; 0: the environment's
	Fixed       bool   // Parallelism cannot be changed
	Legacy      bool   // Flink's counterpart is a legacy source or sink: it heads its chain, and is one operator
}

// A Checker is a source or sink that can find mistakes before the job starts: a file that is missing, a field that cannot be
// read. Check is called once while the program is compiled; errors.Join reports several mistakes together.
type Checker interface{ Check() error }
