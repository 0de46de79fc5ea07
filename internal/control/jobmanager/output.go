package jobmanager

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/flott-dev/flott/internal/control/view"
)

// mostOutput is how much is kept, at least, of what a job prints; at most twice that.
const mostOutput = 16 << 20

// An output is what a job has printed. Readers may come at any time, and follow it to its end.
type output struct {
	mu struct {
		sync.Mutex
		text  []byte
		from  int64         // how much was dropped before
		over  bool          // no more will come
		grown chan struct{} // closed when something changes
	}
}

func newOutput() *output {
	o := &output{}
	o.mu.grown = make(chan struct{})
	return o
}

// add adds whole lines.
func (o *output) add(lines []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mu.text = append(o.mu.text, lines...)
	if len(o.mu.text) > 2*mostOutput {
		more := len(o.mu.text) - mostOutput
		more += bytes.IndexByte(o.mu.text[more:], '\n') + 1 // what is kept begins with a whole line
		o.mu.from += int64(more)
		o.mu.text = append([]byte(nil), o.mu.text[more:]...)
	}
	o.change()
}

// end says that no more will come.
func (o *output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.mu.over {
		o.mu.over = true
		o.change()
	}
}

func (o *output) size() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.mu.text)
}

// drop keeps nothing of what there is.
func (o *output) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mu.from += int64(len(o.mu.text))
	o.mu.text = nil
}

func (o *output) change() {
	close(o.mu.grown)
	o.mu.grown = make(chan struct{})
}

// after is what there is from a position on, the position after it, and what to wait for; nil: nothing will come.
func (o *output) after(at int64) (text []byte, next int64, grown <-chan struct{}, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if at < o.mu.from {
		return nil, at, nil, &view.NotKept{From: o.mu.from}
	}
	end := o.mu.from + int64(len(o.mu.text))
	text = append(text, o.mu.text[min(at, end)-o.mu.from:]...)
	if o.mu.over {
		return text, end, nil, nil
	}
	return text, max(at, end), o.mu.grown, nil
}

// copy writes all of it from a position on, until its end or that of ctx.
func (o *output) copy(ctx context.Context, at int64, to io.Writer) error {
	for {
		text, next, grown, err := o.after(at)
		if err != nil {
			return err
		}
		at = next
		if _, err := to.Write(text); err != nil {
			return err
		}
		if grown == nil {
			return nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
