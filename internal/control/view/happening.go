package view

import "github.com/flott-dev/flott/internal/id"

// A Happening is something that has happened to the cluster or to one of its jobs, and that people ask for afterwards.
type Happening struct {
	Seq         int64 // of all that has happened; counts up
	At          int64
	Kind        HappeningKind
	Job         id.Job // zero: it was to no job
	Name        string // of the job
	TaskManager string // id; "": it was to none
	Text        string // the rest of it, as a sentence
}

// HappeningKind is what sort of thing has happened.
type HappeningKind string

// The kinds.
const (
	JobSubmitted HappeningKind = "submitted"
	JobStarted   HappeningKind = "started" // all its tasks run, for the first time or again
	JobRestarted HappeningKind = "restarted"
	JobFailed    HappeningKind = "failed"
	JobFinished  HappeningKind = "finished"
	JobCancelled HappeningKind = "cancelled"

	TaskManagerJoined HappeningKind = "joined"
	TaskManagerLeft   HappeningKind = "left"
	TaskManagerLost   HappeningKind = "lost"
)
