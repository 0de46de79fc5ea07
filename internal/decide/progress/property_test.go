package progress

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A history is a naive merger: it keeps for every input what became of it, and works out everything anew.
type history struct {
	inputs map[int]*input
	ever   bool
	said   int64
	idle   bool
}

type input struct {
	watermark      int64
	idle, finished bool
}

func (h *history) where(want func(*input) bool) (watermarks []int64) {
	for _, in := range h.inputs {
		if want(in) {
			watermarks = append(watermarks, in.watermark)
		}
	}
	return watermarks
}

// answer is what a merger has to say now.
func (h *history) answer() (words []string) {
	active := h.where(func(in *input) bool { return !in.idle && !in.finished })
	idle := h.where(func(in *input) bool { return in.idle && !in.finished })
	now, isIdle := h.said, false
	switch {
	case len(active) > 0:
		now = slices.Min(active)
	case len(idle) > 0:
		now, isIdle = slices.Max(idle), true
	case len(h.inputs) > 0:
		now = End
	default:
		isIdle = h.ever
	}
	if h.idle && !isIdle {
		words = append(words, "active")
	}
	if now > h.said && (!h.idle || !isIdle) {
		words = append(words, written(now))
		h.said = now
	}
	if isIdle && !h.idle {
		words = append(words, "idle")
	}
	h.idle = isIdle
	return words
}

// holder is the place that holds the watermark.
func (h *history) holder() int {
	holder := Nobody
	for i, in := range h.inputs {
		if in.idle || in.finished {
			continue
		}
		if holder == Nobody || in.watermark < h.inputs[holder].watermark || in.watermark == h.inputs[holder].watermark && i < holder {
			holder = i
		}
	}
	return holder
}

func TestMergerAgainstHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 5).Draw(t, "inputs")
		m, h := New(n), &history{inputs: map[int]*input{}, said: None}
		for i := range n {
			h.inputs[i], h.ever = &input{watermark: None}, true
		}
		check := func(event string, e Effect) {
			var out speaker
			_ = e.Send(&out)
			if want := h.answer(); !slices.Equal(out.words, want) {
				t.Fatalf("%s: said %q, want %q", event, out.words, want)
			}
			if m.said != h.said || m.idle != h.idle {
				t.Fatalf("%s: at %s, idle %v; want %s, %v", event, written(m.said), m.idle, written(h.said), h.idle)
			}
			if want := h.holder(); m.Holder() != want || want != Nobody && m.Merged() != h.inputs[want].watermark {
				t.Fatalf("%s: held at %s by %d, want %d", event, written(m.Merged()), m.Holder(), want)
			}
		}
		place := func(t *rapid.T) (int, *input) {
			if len(h.inputs) == 0 {
				t.Skip("nobody there")
			}
			places := make([]int, 0, len(h.inputs))
			for i := range h.inputs {
				places = append(places, i)
			}
			slices.Sort(places)
			i := rapid.SampledFrom(places).Draw(t, "place")
			return i, h.inputs[i]
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				i, e := m.Add()
				if h.inputs[i] != nil {
					t.Fatalf("place %d is taken", i)
				}
				h.inputs[i], h.ever = &input{watermark: None}, true
				check("add", e)
			},
			"advance": func(t *rapid.T) {
				i, in := place(t)
				at := rapid.Int64Range(-20, 20).Draw(t, "t")
				in.watermark = max(in.watermark, at)
				check(fmt.Sprintf("%d %d", i, at), m.Advance(i, at))
			},
			"idle": func(t *rapid.T) {
				i, in := place(t)
				in.idle = rapid.Bool().Draw(t, "idle")
				check(fmt.Sprintf("%d idle %v", i, in.idle), m.SetIdle(i, in.idle))
			},
			"finish": func(t *rapid.T) {
				i, in := place(t)
				in.finished = true
				if rapid.Bool().Draw(t, "by watermark") {
					check(fmt.Sprintf("%d end", i), m.Advance(i, End))
				} else {
					check(fmt.Sprintf("%d finish", i), m.Finish(i))
				}
			},
			"remove": func(t *rapid.T) {
				i, _ := place(t)
				delete(h.inputs, i)
				check(fmt.Sprintf("%d remove", i), m.Remove(i))
			},
		})
		for _, in := range h.inputs {
			in.finished = true
		}
		h.inputs[-1] = &input{finished: true}
		check("finish all", m.FinishAll())
	})
}

// Whatever happens, those downstream hear a watermark that rises, silence while idle, and the end last.
func TestMergerOutputIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "inputs")
		m, l := New(n), listener{t: t, last: None}
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			i := rapid.IntRange(0, n-1).Draw(t, "place")
			var e Effect
			switch rapid.IntRange(0, 3).Draw(t, "event") {
			case 0, 1:
				e = m.Advance(i, rapid.Int64Range(0, 50).Draw(t, "t"))
			case 2:
				e = m.SetIdle(i, rapid.Bool().Draw(t, "idle"))
			case 3:
				e = m.Finish(i)
			}
			_ = e.Send(&l)
		}
		for i := range n {
			_ = m.Finish(i).Send(&l)
		}
		if l.last != End || l.idle {
			t.Fatalf("ended at %s, idle %v", written(l.last), l.idle)
		}
	})
}

type listener struct {
	t    *rapid.T
	last int64
	idle bool
}

func (l *listener) Watermark(t int64) error {
	if t <= l.last || l.idle {
		l.t.Fatalf("watermark %s after %s, idle %v", written(t), written(l.last), l.idle)
	}
	l.last = t
	return nil
}

func (l *listener) Idle(idle bool) error {
	if idle == l.idle {
		l.t.Fatalf("idle %v said twice", idle)
	}
	l.idle = idle
	return nil
}

// The order in which all inputs fall idle does not change where event time stands.
func TestMergerIdleOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SliceOfN(rapid.Int64Range(0, 50), 1, 5).Draw(t, "watermarks")
		m := New(len(at))
		for i, w := range at {
			m.Advance(i, w)
		}
		order := make([]int, len(at))
		for i := range order {
			order[i] = i
		}
		for _, i := range rapid.Permutation(order).Draw(t, "order") {
			m.SetIdle(i, true)
		}
		if m.said != slices.Max(at) || !m.idle {
			t.Fatalf("at %d, idle %v", m.said, m.idle)
		}
	})
}

// One round of watermarks from 200 inputs, each of them the slowest in turn: the worst order.
func BenchmarkMergerRound(b *testing.B) {
	m := New(200)
	b.ReportAllocs()
	for t := int64(0); b.Loop(); t++ {
		for i := range 200 {
			m.Advance(i, t)
		}
	}
}
