package task

import (
	"errors"

	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/shuffle"
)

// # The loop
//
// A task is one goroutine. Everything that its operators do happens on it, one thing after the other, so that operators and user
// code need no locks, and everything that others want of it waits in its mailbox. A step is at most one batch of records, one event,
// one Pull of a source or one part of longer work: some microseconds. Where user code takes its time, it is fewer records, so that
// a step takes no longer than about 10 ms, or a tenth of the buffer timeout (bound.go, package pace), but at least one with all that
// comes of it. Between any two steps, also in the middle of a large view, the loop asks, in this order:
//
//  1. Is something urgent: a mail, a timer, cancellation? It is served at once, whatever else there is.
//  2. Has every output a free block? If not, the task is back-pressured: it serves what is urgent, and nothing else.
//  3. Is there work? An operator with longer work goes on first; then the next step of the message at hand, the next message, the
//     source.
//  4. Nothing? Then it flushes what is staged, and parks.
//
//	          a step             a block came back
//	         +-----+             +--------------+
//	         v     |             v              |
//	      +-----------+  no free block  +----------------+
//	      |  working  |---------------->| back-pressured |<-+
//	      +-----------+                 +----------------+  | something urgent: served
//	         |     ^                            +-----------+
//	 no work |     | a message, a wake, something urgent
//	 (flush) v     |
//	      +-----------+
//	      |   idle    |
//	      +-----------+
//
// What holds:
//
//   - An operator is never entered while it is in a call: mails and timers run between steps only. In the middle of a step a writer
//     without a block can therefore do nothing but wait for one. The question before every step and one block of overdraft make that
//     rare: it takes a step that fills more than one block, such as a window that fires for many keys.
//   - No cycle of waiting: a task waits for those who read its blocks only, these for those who read theirs, and the graph of tasks has
//     no cycle. A task takes messages in the order in which they came, from whatever channel, so that the two ways of a diamond
//     cannot wait for each other.
//   - Nothing is lost between "nothing to do" and parking: signals are taken down before everything is looked at, so that
//     one that comes later makes Wait return at once.
//   - The clock is read when the task parks or sets a timer, and twice for a step, if that is not one of many short ones. It is never
//     read per record.

// loop runs until all inputs and sources are at their end.
func (t *Task) loop() error {
	for {
		if err := t.settle(); err != nil {
			return err
		}
		worked, err := t.step()
		if err == nil && !worked {
			if t.ended() {
				return nil
			}
			err = t.idle()
		}
		if err != nil {
			return err
		}
	}
}

// settle serves what is urgent and waits for room.
func (t *Task) settle() error {
	if t.box.Urgent() {
		if err := t.attend(); err != nil {
			return err
		}
	}
	for !t.room() {
		t.box.Wait(shuffle.Urgent | shuffle.Returns)
		if err := t.attend(); err != nil {
			return err
		}
	}
	return nil
}

// room says whether all outputs can be flushed at once.
func (t *Task) room() bool {
	room := true
	for _, o := range t.outputs {
		room = o.Ready() && room // all are asked, so that all will wake the task
	}
	return room
}

// attend serves what is urgent.
func (t *Task) attend() error {
	mails := t.box.Attend()
	if err := t.box.Cancelled(); err != nil {
		return err
	}
	t.dormant = false
	for _, mail := range mails {
		if err := mail(); err != nil {
			return err
		}
	}
	return t.clock.run()
}

// step does the next piece of work, if there is any.
func (t *Task) step() (worked bool, err error) {
	next := t.next()
	if next == nil {
		return false, nil
	}
	if err := t.each((*output).working); err != nil {
		return true, err
	}
	return true, next(t)
}

// next is the next piece of work; nil: there is none. If there are messages and a source can be pulled, they take turns.
func (t *Task) next() func(*Task) error {
	if t.chain.Busy() {
		return (*Task).resume
	}
	if t.message == nil {
		t.message = t.box.Next()
	}
	pull := t.pulling && !t.dormant
	switch {
	case t.message != nil && !(pull && t.received):
		return (*Task).receive
	case pull:
		return (*Task).pull
	}
	return nil
}

// errChannel is what becomes of a worker that has another plan, or of one that lies.
var errChannel = errors.New("another process sends on a channel that the task does not have")

func (t *Task) resume() error { return t.chain.Resume() }

func (t *Task) receive() error {
	t.received = true
	if int(t.message.Gate) >= len(t.inputs) || int(t.message.Channel) >= t.inputs[t.message.Gate].channels {
		return errChannel
	}
	done, err := t.inputs[t.message.Gate].step(t.message)
	if done {
		t.message = nil
	}
	return err
}

func (t *Task) pull() error {
	t.received = false
	found, err := t.chain.Pull()
	t.dormant = found == operator.Waiting
	t.pulling = found != operator.Ended
	return err
}

func (t *Task) ended() bool { return t.open == 0 && !t.pulling }

// idle flushes and parks.
func (t *Task) idle() error {
	err := t.each((*output).idle)
	if err == nil {
		t.box.Wait(shuffle.Messages | shuffle.Urgent)
	}
	return err
}

func (t *Task) each(f func(*output) error) error {
	for _, o := range t.outputs {
		if err := f(o); err != nil {
			return err
		}
	}
	return nil
}
