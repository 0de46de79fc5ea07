//go:build external

package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// A span is a piece of work of chromium's trace, or something that happened, in microseconds.
type span struct {
	Name, Ph string
	Pid, Tid int
	Ts, Dur  int64
	Tdur     int64 // of the processor, without waiting for it; 0: that is not known
	Args     struct {
		Data struct{ Message, RequestID string }
	}
}

// A thread is where a page does its work.
type thread struct{ pid, tid int }

// work is what the thread of one page did, in order.
type work []span

// worked is what costs count: script and layout, without painting.
var worked = []string{"FunctionCall", "RunMicrotasks", "EvaluateScript", "TimerFire", "FireAnimationFrame", "Layout", "UpdateLayoutTree", "HitTest", "MinorGC", "MajorGC"}

// received is a part of an answer that came. Parts of one event come together, and the next event a second later.
const (
	received  = "ResourceReceivedData"
	asked     = "ResourceSendRequest"
	nextEvent = 300_000 // microseconds
)

// costs is how long the page worked for each event of its stream: until the next one came, or the answer to a question. A timer that
// asks a question, as some do every few seconds, is not there for the event.
func (w work) costs() (costs []time.Duration) {
	var heard, end int64
	var timer time.Duration // what the last span has cost, if it is of a timer
	stream, event := w.stream(), false
	for _, s := range w {
		switch {
		case s.Name == asked && s.Ts < end:
			costs[len(costs)-1] -= timer
			timer = 0
		case s.Name == received:
			if event = s.Args.Data.RequestID == stream; event && s.Ts-heard > nextEvent {
				costs = append(costs, 0)
				heard = s.Ts
			}
		case event && slices.Contains(worked, s.Name) && s.Ts >= end: // otherwise it is a part of what was counted
			cost := time.Duration(cmp.Or(s.Tdur, s.Dur)) * time.Microsecond
			costs[len(costs)-1] += cost
			end, timer = s.Ts+s.Dur, 0
			if s.Name == "TimerFire" {
				timer = cost
			}
		}
	}
	return costs
}

// stream is the request whose answer has the most parts: it never ends.
func (w work) stream() (most string) {
	parts := map[string]int{}
	for _, s := range w {
		if s.Name != received {
			continue
		}
		id := s.Args.Data.RequestID
		if parts[id]++; parts[id] > parts[most] {
			most = id
		}
	}
	return most
}

// trace is what each of some pages did in a time.
func trace(tabs []*tab, over time.Duration) []work {
	tb := tabs[0]
	tb.t.Helper()
	var mu sync.Mutex
	var spans []span
	done := make(chan struct{})
	listening, end := context.WithCancel(tb.ctx)
	defer end()
	tb.must(chromedp.Listen(listening, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, v := range e.Value {
				var s span
				if json.Unmarshal([]byte(v), &s) == nil {
					spans = append(spans, s)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	}))
	_, err := chromedp.Call(tb.ctx, tracing.Start, tracing.StartParams{
		TransferMode: tracing.StartTransferModeReportEvents,
		TraceConfig:  &tracing.TraceConfig{IncludedCategories: []string{"devtools.timeline", "v8", "v8.execute"}},
	})
	tb.must(err)
	for i, tb := range tabs {
		eval[chromedp.Void](tb, fmt.Sprintf("console.timeStamp(%q)", signOf(i)))
	}
	time.Sleep(over)
	_, err = chromedp.Call(tb.ctx, tracing.End, struct{}{})
	tb.must(err)
	<-done
	mu.Lock()
	defer mu.Unlock()
	return divide(spans, len(tabs))
}

// signOf is what the i-th page says, so that it is known which thread is its own.
func signOf(i int) string { return fmt.Sprintf("page %d", i) }

// divide gives each page what its thread did.
func divide(spans []span, pages int) []work {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.Ts, b.Ts), cmp.Compare(b.Dur, a.Dur)) })
	of := map[string]thread{}
	by := map[thread]work{}
	for _, s := range spans {
		at := thread{s.Pid, s.Tid}
		if s.Name == "TimeStamp" {
			of[s.Args.Data.Message] = at
		}
		by[at] = append(by[at], s)
	}
	works := make([]work, pages)
	for i := range works {
		works[i] = by[of[signOf(i)]]
	}
	return works
}
