package worker

import (
	"slices"
	"sync/atomic"

	"github.com/flott-dev/flott/internal/control/watch"
)

// A life is that of a goroutine that runs user code. Its end is reported once: by itself, or, when it does not come to its end after
// it was cancelled, by who gives it up.
type life struct {
	who       string
	goroutine *watch.Goroutine
	over      atomic.Bool // the end was reported
	giveUp    func(*watch.Stuck)
}

func (l *life) once(report func()) {
	if !l.over.Swap(true) {
		report()
	}
}

// giveUp gives up those that have not ended.
func giveUp(cancelled []*life) {
	hang := slices.DeleteFunc(cancelled, func(l *life) bool { return l.over.Load() })
	if len(hang) == 0 {
		return
	}
	stacks := watch.Take()
	for _, l := range hang {
		l.once(func() { l.giveUp(&watch.Stuck{Who: l.who, Stack: stacks.Of(l.goroutine)}) })
	}
}
