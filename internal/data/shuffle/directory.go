package shuffle

import (
	"sync"

	"github.com/flott-dev/flott/internal/id"
)

// A Directory finds the mailboxes of the tasks of one attempt to run a job in this process. Who asks first makes the mailbox, so
// that tasks may be deployed in any order.
type Directory struct {
	mu struct {
		sync.Mutex
		boxes map[address]*Mailbox
	}
}

type address struct {
	vertex  id.Vertex
	subtask int
}

// NewDirectory makes an empty directory.
func NewDirectory() *Directory {
	d := &Directory{}
	d.mu.boxes = map[address]*Mailbox{}
	return d
}

// Mailbox is the mailbox of a task.
func (d *Directory) Mailbox(v id.Vertex, subtask int) *Mailbox {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := address{v, subtask}
	b := d.mu.boxes[at]
	if b == nil {
		b = NewMailbox()
		d.mu.boxes[at] = b
	}
	return b
}
