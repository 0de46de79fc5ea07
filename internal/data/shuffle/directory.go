package shuffle

import (
	"sync"

	"github.com/flott-dev/flott/internal/id"
)

// A Directory finds the mailboxes of the tasks of a job in this process. Who asks first makes the mailbox, so that tasks may be
// deployed in any order, here and elsewhere. It knows the newest attempt of each subtask; a newer one takes its place.
type Directory struct {
	mu struct {
		sync.Mutex
		newest map[subtaskOf]attempt
	}
}

// A subtaskOf is a task, whatever its attempt.
type subtaskOf struct {
	vertex  id.Vertex
	subtask int
}

// An address is that of an attempt to run a subtask.
type address struct {
	subtaskOf
	attempt int
}

type attempt struct {
	number int
	box    *Mailbox
}

// NewDirectory makes an empty directory.
func NewDirectory() *Directory {
	d := &Directory{}
	d.mu.newest = map[subtaskOf]attempt{}
	return d
}

// Mailbox is the mailbox of an attempt to run a subtask. That of an attempt that was replaced is in nobody's way.
func (d *Directory) Mailbox(v id.Vertex, subtask, attempt int) *Mailbox {
	if b := d.current(address{subtaskOf{v, subtask}, attempt}); b != nil {
		return b
	}
	return NewMailbox()
}

// current is the mailbox of an attempt; nil: a newer one has taken its place.
func (d *Directory) current(at address) *Mailbox {
	d.mu.Lock()
	defer d.mu.Unlock()
	newest, known := d.mu.newest[at.subtaskOf]
	switch {
	case !known || newest.number < at.attempt:
		newest = attempt{at.attempt, NewMailbox()}
		d.mu.newest[at.subtaskOf] = newest
	case newest.number > at.attempt:
		return nil
	}
	return newest.box
}

// A Place is where a subtask runs, and as which attempt.
type Place struct {
	Attempt int
	Link    *Link // nil: in this process
}
