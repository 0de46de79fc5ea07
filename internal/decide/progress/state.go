package progress

// State is what an input is in, seen from its place in a Merger.
//
//	          Add                Idle(true)
//	Vacant ---------> Active <--------------> Idle
//	  ^                 |  |    Idle(false)    |  |
//	  |     Remove      |  |                   |  |
//	  +-----------------+--)-------------------+  |
//	  |                    |      Finish          |
//	  |     Remove         +----> Finished <------+
//	  +-----------------------------+
//
// The largest watermark finishes an input too: nothing can follow it.
type State uint8

const (
	Vacant   State = iota // nobody's place
	Active                // holds the watermark back until its own moves on
	Idle                  // sends nothing for a while, and is not waited for
	Finished              // sends nothing any more
)
