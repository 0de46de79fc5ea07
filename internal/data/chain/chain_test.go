package chain_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/internal/data/chain"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/id"
)

// A notebook is what happened, in order.
type notebook struct{ lines []string }

func (n *notebook) note(format string, args ...any) {
	n.lines = append(n.lines, fmt.Sprintf(format, args...))
}

// expect compares what happened since the last time, lines separated by " | ".
func (n *notebook) expect(t *testing.T, want string) {
	t.Helper()
	if got := strings.Join(n.lines, " | "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	n.lines = nil
}

// kind is the element type of all streams here.
type kind struct{}

func (kind) Fan(readers []any) any {
	var to []record.Input[int]
	for _, r := range readers {
		to = append(to, r.(record.Input[int]))
	}
	return record.Fan(to...)
}
func (kind) Link(in any, l *record.Link) any { return record.Linked(in.(record.Input[int]), l) }

// A probe is an operator that passes everything on and notes what it is told. Records go to its side output "odd", too, if they
// are.
type probe struct {
	operator.Through[int]
	name string
	book *notebook
	env  *operator.Env
	odd  any
	on   func(p *probe, v int) error // user code
}

func (p *probe) Input(i int) any { return record.Input[int](&probeInput{p, i}) }

type probeInput struct {
	*probe
	i int
}

func (p *probeInput) Receive(b *record.Batch[int]) error {
	p.book.note("%s/%d %v", p.name, p.i, b.V)
	for _, v := range b.V {
		if p.on == nil {
			continue
		}
		if err := p.on(p.probe, v); err != nil {
			return err
		}
	}
	if p.odd != nil && b.V[0]%2 != 0 {
		if err := p.odd.(record.Input[int]).Receive(b); err != nil {
			return err
		}
	}
	return p.Out.Receive(b)
}

func (p *probe) Open(context.Context) error { p.book.note("open %s", p.name); return nil }
func (p *probe) EndInput(i int) error       { p.book.note("end %s/%d", p.name, i); return nil }
func (p *probe) Finish() error              { p.book.note("finish %s", p.name); return nil }
func (p *probe) Close() error               { p.book.note("close %s", p.name); return nil }

// An exit is what takes records out of the task.
type exit struct {
	name string
	book *notebook
	err  error
}

func (e *exit) Receive(b *record.Batch[int]) error {
	shared := ""
	if b.Shared {
		shared = " shared"
	}
	e.book.note("%s %v%s", e.name, b.V, shared)
	return e.err
}
func (e *exit) Watermark(t int64) error { e.book.note("%s watermark %d", e.name, t); return e.err }
func (e *exit) Idle(idle bool) error    { e.book.note("%s idle %v", e.name, idle); return e.err }

// A desk is a chain under test. Operators are probes named as in the plan, unless made says otherwise.
type desk struct {
	notebook
	*chain.Chain
	plan   taskplan.Plan
	made   map[string]operator.Constructor
	exits  []*exit
	timers []func() error
	mails  []func() error
	asks   []func([]connector.Split, bool) error
	on     map[string]func(*probe, int) error
}

// newDesk takes a plan: a line an operator, with the index of the operators that it is chained to and of the partitions that it fills,
// "#" and a tag behind those of a side output.
//
//	a -> 1 2 out0 out1#odd
func newDesk(plan string) *desk {
	d := &desk{made: map[string]operator.Constructor{}, on: map[string]func(*probe, int) error{}}
	d.plan.Vertex = &taskplan.Vertex{Parallelism: 1, MaxParallelism: 128}
	for line := range strings.Lines(strings.TrimSpace(plan)) {
		name, to, _ := strings.Cut(strings.TrimSpace(line), "->")
		d.add(strings.TrimSpace(name), strings.Fields(to))
	}
	return d
}

func (d *desk) add(name string, to []string) {
	o := taskplan.Operator{ID: named(name), Name: name, Inputs: make([]taskplan.Input, 1)}
	for _, word := range to {
		where, tag, _ := strings.Cut(word, "#")
		if partition, out := strings.CutPrefix(where, "out"); out {
			n := number(partition)
			o.Outputs = append(o.Outputs, taskplan.Output{Partition: n, Tag: tag})
			for len(d.plan.Partitions) <= n {
				e := &exit{name: fmt.Sprintf("out%d", len(d.exits)), book: &d.notebook}
				d.exits = append(d.exits, e)
				d.plan.Partitions = append(d.plan.Partitions, taskplan.Partition{Targets: make([]taskplan.Target, 1)})
			}
			continue
		}
		o.Chained = append(o.Chained, taskplan.Chained{Target: number(where), Tag: tag})
	}
	d.plan.Chain = append(d.plan.Chain, o)
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func named(name string) (o id.Operator) {
	copy(o[:], name)
	return o
}

// gates gives the head inputs that other tasks feed.
func (d *desk) gates(inputs ...int) {
	for _, i := range inputs {
		d.plan.Gates = append(d.plan.Gates, taskplan.Gate{Input: i, Edges: make([]taskplan.GateEdge, 1)})
	}
	d.plan.Chain[d.plan.Head].Inputs = make([]taskplan.Input, max(1, len(inputs)))
}

func (d *desk) try() error {
	c := chain.Config{
		Plan:     &d.plan,
		Operator: d.constructor,
		Kind:     func(taskplan.EdgeID) (chain.Kind, error) { return kind{}, nil },
		Context:  context.Background(),
		Logger:   slog.New(slog.DiscardHandler),
		Clock:    clock{d},
		Mails:    mails{d},
		Blocked:  func() int64 { return 0 },
		Splits:   func(id.Operator) operator.Splits { return splits{d} },
	}
	var writers []any
	for _, e := range d.exits {
		writers = append(writers, record.Input[int](e))
	}
	d.Chain = chain.New(c)
	return d.Make(writers)
}

func (d *desk) make(t *testing.T) {
	t.Helper()
	if err := d.try(); err != nil {
		t.Fatal(err)
	}
}

func (d *desk) constructor(o id.Operator) any {
	name := strings.TrimRight(string(o[:]), "\x00")
	if c, ok := d.made[name]; ok {
		return c
	}
	return operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &probe{operator.NewThrough[int](env), name, &d.notebook, env, env.Side("odd"), d.on[name]}, nil
	})
}

func (d *desk) input(i int) record.Input[int] { return d.Input(i).(record.Input[int]) }

func (d *desk) counts(operator int) string {
	m := d.Metrics(operator)
	return fmt.Sprintf("%d in, %d out", m.RecordsIn.Load(), m.RecordsOut.Load())
}

type clock struct{ *desk }

func (clock) Now() int64 { return 0 }
func (c clock) At(_ int64, f func() error) (stop func()) {
	c.timers = append(c.timers, f)
	return func() {}
}

type mails struct{ *desk }

func (m mails) Send(f func() error) { m.mails = append(m.mails, f) }
func (mails) Wake()                 {}

type splits struct{ *desk }

func (s splits) Request(give func([]connector.Split, bool) error) { s.asks = append(s.asks, give) }

func batch(v ...int) *record.Batch[int] { return &record.Batch[int]{V: v} }

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLife(t *testing.T) {
	d := newDesk(`
		a -> 1
		b -> 2 3
		c -> out0
		d -> out1`)
	d.gates(0)
	d.make(t)
	noError(t, d.Open(t.Context()))
	d.expect(t, "open d | open c | open b | open a")
	noError(t, d.input(0).Receive(batch(1, 2)))
	d.expect(t, "a/0 [1 2] | b/0 [1 2] | c/0 [1 2] | out0 [1 2] shared | d/0 [1 2] | out1 [1 2]")
	noError(t, d.input(0).Watermark(math.MaxInt64))
	d.lines = nil
	noError(t, d.EndInput(0))
	noError(t, d.Finish())
	d.expect(t, "end a/0 | finish a | end b/0 | finish b | end c/0 | end d/0 | finish c | finish d")
	noError(t, d.Close())
	d.expect(t, "close a | close b | close c | close d")
}

// Everybody who reads an output gets its records and its events; side outputs get the events of the main one. Writers come first,
// and only the last reader may change what it gets.
func TestOutputs(t *testing.T) {
	d := newDesk(`
		a -> 1 out0 2#odd out1#odd out2#unknown
		b ->
		c ->`)
	d.gates(0)
	d.make(t)
	noError(t, d.input(0).Receive(batch(2, 4)))
	d.expect(t, "a/0 [2 4] | out0 [2 4] shared | b/0 [2 4]")
	noError(t, d.input(0).Receive(batch(1)))
	d.expect(t, "a/0 [1] | out1 [1] shared | c/0 [1] | out0 [1] shared | b/0 [1]")
	noError(t, d.input(0).Watermark(7))
	d.expect(t, "out0 watermark 7 | out1 watermark 7 | out2 watermark 7")
	noError(t, d.input(0).Idle(true))
	d.expect(t, "out0 idle true | out1 idle true | out2 idle true")
	for i, want := range []string{"3 in, 4 out", "3 in, 0 out", "1 in, 0 out"} {
		if got := d.counts(i); got != want {
			t.Errorf("operator %d: %s, want %s", i, got, want)
		}
		if got := d.Metrics(i).Watermark.Load(); got != 7 {
			t.Errorf("operator %d is at watermark %d", i, got)
		}
	}
}

func TestCountsAlongAChain(t *testing.T) {
	d := newDesk(`
		a -> 1
		b -> out0`)
	d.gates(0)
	d.make(t)
	if got := d.Metrics(1).Watermark.Load(); got != math.MinInt64 {
		t.Errorf("watermark %d before the first", got)
	}
	noError(t, d.input(0).Receive(batch(1, 2)))
	noError(t, d.input(0).Receive(batch(3)))
	for i := range 2 {
		if got := d.counts(i); got != "3 in, 3 out" {
			t.Errorf("operator %d: %s", i, got)
		}
	}
}

// An error belongs to the operator that it came from, wherever it passes on its way; one of a writer to the operator before it.
func TestErrorsHaveAnOwner(t *testing.T) {
	wrong := errors.New("wrong")
	d := newDesk(`
		a -> 1
		b -> 2
		c -> out0`)
	d.gates(0)
	d.on["b"] = func(_ *probe, v int) error {
		if v == 1 {
			return wrong
		}
		return nil
	}
	d.make(t)
	owner := func(err error, name string) {
		t.Helper()
		var f *record.Failure
		if !errors.As(err, &f) || f.Name != name || !errors.Is(err, wrong) || err.Error() != name+": wrong" {
			t.Errorf("got %v, want it to be %s's", err, name)
		}
	}
	owner(d.input(0).Receive(batch(1)), "b")
	d.exits[0].err = wrong
	owner(d.input(0).Receive(batch(2)), "c")
	owner(d.input(0).Watermark(1), "c")
	owner(d.input(0).Idle(true), "c")
}

// Whoever looks at a panic finds the operator that was at work, also when a timer, a mail or its splits had it called.
func TestCurrent(t *testing.T) {
	for name, call := range map[string]func(d *desk) error{
		"call":   func(d *desk) error { return d.input(0).Receive(batch(1)) },
		"timer":  func(d *desk) error { return d.timers[0]() },
		"mail":   func(d *desk) error { return d.mails[0]() },
		"splits": func(d *desk) error { return d.asks[0](nil, true) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(`
				a -> 1
				b -> 2
				c -> out0`)
			d.gates(0)
			panics := false
			code := func() error {
				if panics {
					panic("user code panics")
				}
				return nil
			}
			d.on["b"] = func(p *probe, v int) error {
				if v != 0 {
					return code()
				}
				p.env.Clock.At(5, code)
				p.env.Mails.Send(code)
				p.env.Splits.Request(func([]connector.Split, bool) error { return code() })
				return nil
			}
			d.make(t)
			noError(t, d.input(0).Receive(batch(0)))
			if noError(t, call(d)); d.Current() != "" {
				t.Errorf("afterwards %q is at work", d.Current())
			}
			defer func() {
				if recover() == nil || d.Current() != "b" {
					t.Errorf("at the panic %q was at work", d.Current())
				}
			}()
			panics = true
			_ = call(d)
		})
	}
}

// A storm has timers for the watermarks 1 to 100, each of which emits a record, and fires ten of them at a time.
type storm struct {
	*probe
	next, to int
}

func (s *storm) Input(int) any { return record.Input[int](s) }

func (s *storm) Receive(b *record.Batch[int]) error { return s.Out.Receive(b) }

func (s *storm) Watermark(t int64) error {
	s.to = int(t)
	return s.Resume()
}

func (s *storm) Busy() bool { return s.next < s.to }

func (s *storm) Resume() error {
	for range 10 {
		s.next++
		if err := s.Out.Receive(batch(s.next)); err != nil {
			return err
		}
	}
	if s.Busy() {
		return nil
	}
	return s.Out.Watermark(int64(s.to))
}

// What timers emit comes before the watermark that fires them, also when they are so many that the task does other things in
// between.
func TestScenario_D1(t *testing.T) {
	d := newDesk(`
		a -> 1
		storm -> 2
		c -> out0`)
	d.gates(0)
	d.made["storm"] = operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &storm{probe: &probe{Through: operator.NewThrough[int](env), name: "storm", book: &d.notebook}}, nil
	})
	d.make(t)
	noError(t, d.input(0).Watermark(30))
	parts := 1
	for ; d.Busy(); parts++ {
		noError(t, d.Resume())
	}
	if parts != 3 {
		t.Errorf("%d parts", parts)
	}
	got := strings.Join(d.lines, " ")
	if !strings.HasSuffix(got, "c/0 [30] out0 [30] out0 watermark 30") || strings.Count(got, "out0 [") != 30 {
		t.Errorf("got %s", got)
	}
	noError(t, d.Resume()) // there is nothing to do
}

// A spring is a source of the numbers n, n+1, ...; it has nothing every second time.
type spring struct {
	*probe
	next, to int
	dry      bool
}

func (s *spring) Pull() (operator.Pulled, error) {
	switch s.dry = !s.dry; {
	case s.next == s.to:
		return operator.Ended, s.Out.Watermark(math.MaxInt64)
	case s.dry:
		return operator.Waiting, nil
	}
	s.next++
	return operator.More, s.Out.Receive(batch(s.next))
}

func (d *desk) spring(name string, from, to int) {
	d.made[name] = operator.Func(func(env *operator.Env) (operator.Operator, error) {
		p := &probe{Through: operator.NewThrough[int](env), name: name, book: &d.notebook}
		return &spring{probe: p, next: from, to: to}, nil
	})
}

// pull pulls until the chain has nothing more, and says how often it had to wait.
func (d *desk) pull(t *testing.T) (waits int) {
	t.Helper()
	for {
		switch found, err := d.Pull(); {
		case err != nil:
			t.Fatal(err)
		case found == operator.Waiting:
			waits++
		case found == operator.Ended:
			return waits
		}
	}
}

func TestSourceAsHead(t *testing.T) {
	d := newDesk(`
		s -> 1
		b ->`)
	d.spring("s", 0, 2)
	d.make(t)
	if !d.Pulls() {
		t.Error("has no source")
	}
	if waits := d.pull(t); waits != 2 || d.Pulls() {
		t.Errorf("waited %d times; still pulls: %v", waits, d.Pulls())
	}
	noError(t, d.Finish())
	d.expect(t, "b/0 [1] | b/0 [2] | finish s | end b/0 | finish b")
	if d.counts(0) != "0 in, 2 out" || d.counts(1) != "2 in, 0 out" {
		t.Errorf("counted %s; %s", d.counts(0), d.counts(1))
	}
}

// Sources chained in front of a head take turns, and the end of each ends the input of the head that it feeds. A third input comes
// from a gate.
func TestSourcesInFrontOfAHead(t *testing.T) {
	d := newDesk(`
		s -> 2
		t -> 2
		head -> out0`)
	d.spring("s", 10, 12)
	d.spring("t", 20, 21)
	d.plan.Head = 2
	d.gates(0, 2)
	d.plan.Chain[0].Chained[0].Input = 1
	d.plan.Chain[1].Chained[0].Input = 3
	d.plan.Chain[2].Inputs = make([]taskplan.Input, 4)
	d.plan.Gates = d.plan.Gates[1:] // input 2
	d.make(t)
	d.pull(t)
	d.expect(t, "head/1 [11] | out0 [11] | head/3 [21] | out0 [21] | out0 watermark 9223372036854775807 | finish t | end head/3 | head/1 [12] | out0 [12] | out0 watermark 9223372036854775807 | finish s | end head/1")
	noError(t, d.input(2).Receive(batch(3)))
	noError(t, d.EndInput(2))
	noError(t, d.Finish())
	d.expect(t, "head/2 [3] | out0 [3] | end head/2 | finish head")
	if got := d.counts(2); got != "4 in, 4 out" {
		t.Errorf("counted %s", got)
	}
	if got := d.Metrics(2).Watermark.Load(); got != math.MinInt64 {
		t.Errorf("at watermark %d, which is that of one input", got)
	}
}

func TestWhatCannotBeMade(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		made any
		want string
	}{
		"no constructor": {nil, "b: the program has <nil> to run it"},
		"an error":       {operator.Func(func(*operator.Env) (operator.Operator, error) { return nil, broken }), "b: broken"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(`
				a -> 1
				b -> 2
				c ->`)
			d.gates(0)
			d.made["b"], _ = c.made.(operator.Constructor)
			err := d.try()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			noError(t, d.Close())
			d.expect(t, "close c") // a was not made
		})
	}
}

// Whoever looks at the panic of a constructor finds the operator that it would have made.
func TestCurrentWhileMade(t *testing.T) {
	d := newDesk(`
		a -> 1
		b -> 2
		c ->`)
	d.gates(0)
	d.made["b"] = operator.Func(func(*operator.Env) (operator.Operator, error) { panic("user code panics") })
	defer func() {
		if recover() == nil || d.Current() != "b" {
			t.Errorf("at the panic %q was at work", d.Current())
		}
	}()
	_ = d.try()
}

// A plain operator passes everything on and notes nothing.
type plain struct {
	operator.Through[int]
	close func() error
}

func (p *plain) Input(int) any                      { return record.Input[int](p) }
func (p *plain) Receive(b *record.Batch[int]) error { return p.Out.Receive(b) }
func (p *plain) Close() error                       { return p.close() }

func (d *desk) plain(name string, closing func() error) {
	d.made[name] = operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &plain{operator.NewThrough[int](env), closing}, nil
	})
}

func TestCloseGoesOn(t *testing.T) {
	wrong := errors.New("wrong")
	for name, c := range map[string]struct {
		close func() error
		err   bool // that Close returns
	}{
		"error": {func() error { return wrong }, true},
		"panic": {func() error { panic(wrong) }, false},
		"exit":  {func() error { runtime.Goexit(); return nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(`
				a -> 1
				b -> 2
				c ->`)
			d.gates(0)
			d.plain("b", c.close)
			d.make(t)
			var err error
			var wait sync.WaitGroup
			wait.Go(func() {
				defer func() { _ = recover() }()
				err = d.Close()
			})
			wait.Wait()
			if errors.Is(err, wrong) != c.err {
				t.Errorf("got %v", err)
			}
			if !c.err && d.Current() != "b" {
				t.Errorf("%q was at work", d.Current())
			}
			d.expect(t, "close a | close c")
		})
	}
}

// branches is a chain that does nothing: a -> (b, c).
func branches(t testing.TB) record.Input[int] {
	d := newDesk(`
		a -> 1 2
		b ->
		c ->`)
	for _, name := range []string{"a", "b", "c"} {
		d.plain(name, func() error { return nil })
	}
	d.gates(0)
	if err := d.try(); err != nil {
		t.Fatal(err)
	}
	return d.input(0)
}

func TestNoAllocations(t *testing.T) {
	in, b := branches(t), batch(1, 2, 3)
	if n := testing.AllocsPerRun(10, func() {
		if in.Receive(b) != nil || in.Watermark(1) != nil || in.Idle(true) != nil || in.Idle(false) != nil {
			t.Fail()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What a batch costs on its way through three operators and a fan, without what the operators do.
func BenchmarkBatch(b *testing.B) {
	in, records := branches(b), batch(1, 2, 3)
	b.ReportAllocs()
	for b.Loop() {
		if err := in.Receive(records); err != nil {
			b.Fatal(err)
		}
	}
}
