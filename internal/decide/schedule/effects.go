package schedule

// An Effect is something that has to be done for a job.
type Effect interface{ effect() }

// Deploy starts attempts, together: none may send before all that it sends to can receive.
type Deploy struct{ Attempts []Attempt }

// Cancel ends attempts, and whatever else works for the job. Each of the attempts will be reported once more, as ended.
type Cancel struct{ Attempts []Attempt }

// A Failure is what went wrong, and whose task it was.
type Failure struct {
	Attempt *Attempt // nil: it was the enumerator of a source
	Cause   error
}

// Suppress is a failure that came after the job's end was decided: worth a line in the log, but not what ended the job.
type Suppress struct{ Failure }

// End says that the job is over and no attempt is left. It comes once, as the last effect.
type End struct {
	State   State // Finished, Failed or Canceled
	Failure       // the first one: of Failed always, of Canceled when the job was failing already; else zero
}

func (Deploy) effect()   {}
func (Cancel) effect()   {}
func (Suppress) effect() {}
func (End) effect()      {}
