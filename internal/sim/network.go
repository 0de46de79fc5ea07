package sim

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A network carries messages. Each is a call at its receiver, made by the world's goroutine.
type network struct {
	world  *world
	calmly bool // nothing is lost or delayed, whatever the time
	mu     struct {
		sync.Mutex
		under []message
		seen  map[string]int // how often a message was sent
	}
}

type message struct {
	at   time.Time
	what string
	do   func()
}

// send may be called from any goroutine. What happens to the message follows from what it is, and how often that was sent.
func (n *network) send(do func(), format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.mu.seen == nil {
		n.mu.seen = map[string]int{}
	}
	what := fmt.Sprintf(format, args...)
	n.mu.seen[what]++
	what = fmt.Sprintf("%s #%d", what, n.mu.seen[what])
	if n.calmly || n.world.calm() {
		n.put(what, 10*time.Millisecond, do)
		return
	}
	switch n.world.chance("fate of "+what, 20) {
	case 0, 1: // lost
		return
	case 2, 3:
		n.put(what+" again", n.delay(what+" again"), do)
	}
	n.put(what, n.delay(what), do)
}

// delay is short for most messages.
func (n *network) delay(what string) time.Duration {
	longest := 100
	if n.world.chance("late "+what, 10) == 0 {
		longest = 4000
	}
	return time.Duration(n.world.chance("delay of "+what, longest)) * time.Millisecond
}

func (n *network) put(what string, in time.Duration, do func()) {
	n.mu.under = append(n.mu.under, message{time.Now().Add(in), what, do})
}

// deliver delivers what is due, one message at a time.
func (n *network) deliver() {
	for {
		m, ok := n.next()
		if !ok {
			return
		}
		n.world.note("%s", m.what)
		m.do()
		n.world.idle()
	}
}

// next is the message that is due first.
func (n *network) next() (message, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.mu.under) == 0 {
		return message{}, false
	}
	slices.SortFunc(n.mu.under, func(a, b message) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.what, b.what))
	})
	if n.mu.under[0].at.After(time.Now()) {
		return message{}, false
	}
	m := n.mu.under[0]
	n.mu.under = slices.Delete(n.mu.under, 0, 1)
	return m, true
}
