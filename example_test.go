package flott_test

import (
	"context"
	"fmt"
	"iter"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/process"
	"github.com/flott-dev/flott/state"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

// run executes an example's job.
func run(env *flott.Environment) {
	if _, err := env.Execute(context.Background(), "example"); err != nil {
		log.Fatal(err)
	}
}

// A reading is what the examples' sensors send.
type reading struct {
	Sensor string
	Value  int
	At     int64 // seconds
}

func sensor(r reading) string              { return r.Sensor }
func readAt(r reading) time.Time           { return time.Unix(r.At, 0).UTC() }
func clock(t time.Time) string             { return t.UTC().Format("15:04:05") }
func sum(a, b reading) reading             { return reading{b.Sensor, a.Value + b.Value, b.At} }
func inOrder() watermark.Strategy[reading] { return watermark.Monotonic(readAt) }

var readings = []reading{{"door", 1, 0}, {"hall", 5, 1}, {"door", 2, 4}, {"door", 7, 6}, {"hall", 1, 8}}

func Example() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("to be", "or not to be")).
		FlatMap(strings.FieldsSeq).
		KeyBy(flott.Identity).
		Aggregate(aggregate.Count[string](), func(word string, n int64) string { return fmt.Sprint(word, " ", n) }).
		Print()
	if _, err := env.Execute(context.Background(), "word count"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// to 1
	// be 1
	// or 1
	// not 1
	// to 2
	// be 2
}

func ExampleEnvironment_Execute() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Sequence(1, 10)).Filter(func(n int64) bool { return n%2 == 0 }).Discard().Name("Evens")
	result, err := env.Execute(context.Background(), "count")
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range result.Operators {
		fmt.Println(o.Name, o.RecordsIn, o.RecordsOut)
	}
	// Output:
	// Source: Sequence Source 0 10
	// Filter 10 5
	// Evens: Writer 5 0
}

func ExampleEnvironment_Start() {
	ctx := context.Background()
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("in the background")).Print()
	job, err := env.Start(ctx, "background")
	if err != nil {
		log.Fatal(err)
	}
	_, err = job.Wait(ctx)
	fmt.Println(err)
	// Output:
	// in the background
	// <nil>
}

func ExampleJob_Cancel() {
	ctx := context.Background()
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Generate(-1, 1000, func(i int64) int64 { return i })).Discard() // never ends by itself
	job, err := env.Start(ctx, "endless")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Cancel(ctx))
	// Output: <nil>
}

func ExampleEnvironment_Plan() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Sequence(1, 10)).KeyBy(flott.Identity).Reduce(func(a, b int64) int64 { return a + b }).Print()
	plan, err := env.Plan("plan")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(plan.Text(flott.JobGraph))
	// Output:
	// JobGraph "plan": streaming, 2 vertices
	//
	// bc764cd8 Source: Sequence Source ×2
	//     Source: Sequence Source
	//
	// 20ba6b65 Keyed Reduce -> Sink: Print to Std. Out ×2
	//     <- bc764cd8 Source: Sequence Source HASH pipelined_bounded
	//     Keyed Reduce
	//     +- Sink: Print to Std. Out
}

func ExampleEnvironment_From() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("a", "b")).Print()
	run(env)
	// Output:
	// a
	// b
}

func ExampleOf() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of(3, 1, 2)).Print()
	run(env)
	// Output:
	// 3
	// 1
	// 2
}

func ExampleFromSlice() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings[:2])).Print()
	run(env)
	// Output:
	// {door 1 0}
	// {hall 5 1}
}

func ExampleSequence() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Sequence(7, 9)).Print()
	run(env)
	// Output:
	// 7
	// 8
	// 9
}

func ExampleGenerate() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Generate(3, 0, func(i int64) string { return strings.Repeat("*", int(i)+1) })).Print()
	run(env)
	// Output:
	// *
	// **
	// ***
}

func ExampleGenerateBatch() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.GenerateBatch(3, 0, func(out []*time.Duration, first, stride int64) {
		seconds := make([]time.Duration, len(out)) // one allocation for all of them
		for j := range out {
			seconds[j] = time.Duration(first+int64(j)*stride) * time.Second
			out[j] = &seconds[j]
		}
	})).Map(func(d *time.Duration) string { return d.String() }).Print()
	run(env)
	// Output:
	// 0s
	// 1s
	// 2s
}

func ExampleDiscard() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of(1, 2)).To(flott.Discard[int]())
	run(env)
	// Output:
}

func ExampleForEach() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("x", "y")).To(flott.ForEach(func(s string) error {
		fmt.Println("got", s)
		return nil
	}))
	run(env)
	// Output:
	// got x
	// got y
}

func ExampleForEachBatch() {
	env := flott.New(flott.Parallelism(1))
	total := 0
	env.From(flott.Of(1, 2, 3)).To(flott.ForEachBatch(func(batch []int) error {
		for _, n := range batch {
			total += n
		}
		return nil
	}))
	run(env)
	fmt.Println(total)
	// Output: 6
}

func ExampleStream_Map() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("go", "flott")).Map(strings.ToUpper).Print()
	run(env)
	// Output:
	// GO
	// FLOTT
}

func ExampleStream_TryMap() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("3s", "soon")).TryMap(time.ParseDuration).Print()
	_, err := env.Execute(context.Background(), "durations")
	fmt.Println(err)
	// Output:
	// 3s
	// flott: job "durations" failed: operator "Map" (1/1): time: invalid duration "soon"
}

func ExampleStream_MapBatch() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of(1, 2, 3)).MapBatch(func(in, out []int) {
		for i, n := range in {
			out[i] = n * n
		}
	}).Print()
	run(env)
	// Output:
	// 1
	// 4
	// 9
}

func ExampleStream_Filter() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("", "a", "b")).Filter(func(s string) bool { return s != "" }).Print()
	run(env)
	// Output:
	// a
	// b
}

func ExampleStream_FilterBatch() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Sequence(1, 4)).FilterBatch(func(in []int64, keep []bool) {
		for i, n := range in {
			keep[i] = n%2 == 0
		}
	}).Print()
	run(env)
	// Output:
	// 2
	// 4
}

func ExampleStream_FlatMap() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("a b", "", "c")).FlatMap(strings.FieldsSeq).Print()
	run(env)
	// Output:
	// a
	// b
	// c
}

func ExampleStream_FlatMapTo() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("ab", "c")).FlatMapTo(func(s string, out *process.Collector[rune]) error {
		for _, r := range s {
			out.Emit(r)
		}
		return nil
	}).Map(func(r rune) string { return string(r) }).Print()
	run(env)
	// Output:
	// a
	// b
	// c
}

// A numberer numbers the records of its subtask.
type numberer struct{ n int }

func (p *numberer) Process(c *flott.Context[string], in string) error {
	p.n++
	c.Emit(fmt.Sprint(p.n, " ", in))
	return nil
}

func ExampleStream_Process() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("a", "b")).
		Process(func(*flott.Runtime) (*numberer, error) { return &numberer{}, nil }).
		Print()
	run(env)
	// Output:
	// 1 a
	// 2 b
}

// A splitter sends odd numbers to a side output.
type splitter struct{}

var odd = flott.NewTag[string]("odd")

func (splitter) Process(c *flott.Context[int64], n int64) error {
	if n%2 == 0 {
		c.Emit(n)
	} else {
		c.EmitTo(odd, fmt.Sprint(n, " is odd"))
	}
	return nil
}

func ExampleStream_SideOutput() {
	env := flott.New(flott.Parallelism(1))
	even := env.From(flott.Sequence(1, 4)).
		Process(func(*flott.Runtime) (splitter, error) { return splitter{}, nil })
	even.Discard()
	even.SideOutput(odd).Print()
	run(env)
	// Output:
	// 1 is odd
	// 3 is odd
}

func ExampleStream_KeyBy() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).KeyBy(sensor).Reduce(sum).Print()
	run(env)
	// Output:
	// {door 1 0}
	// {hall 5 1}
	// {door 3 4}
	// {door 10 6}
	// {hall 6 8}
}

func ExampleStream_Union() {
	env := flott.New(flott.Parallelism(1))
	a, b := env.From(flott.Of("a")), env.From(flott.Of("b"))
	a.Union(b).Print()
	run(env)
	// Unordered output:
	// a
	// b
}

func ExampleStream_Connect() {
	env := flott.New(flott.Parallelism(1))
	numbers, words := env.From(flott.Of(1)), env.From(flott.Of("one"))
	numbers.Connect(words).Map(
		func(n int) string { return fmt.Sprint("number ", n) },
		func(w string) string { return "word " + w },
	).Print()
	run(env)
	// Unordered output:
	// number 1
	// word one
}

func ExampleConnected_Map() {
	env := flott.New(flott.Parallelism(1))
	celsius, fahrenheit := env.From(flott.Of(100.0)), env.From(flott.Of(32.0))
	celsius.Connect(fahrenheit).Map(
		func(c float64) float64 { return c },
		func(f float64) float64 { return (f - 32) / 1.8 },
	).Print()
	run(env)
	// Unordered output:
	// 100
	// 0
}

// A pair keeps the left record of a key until the right one comes, and the other way round.
type pair struct {
	price state.Value[int]
	count state.Value[int]
}

func openPair(rt *flott.KeyedRuntime[string]) (*pair, error) {
	return &pair{price: rt.Value[int]("price"), count: rt.Value[int]("count")}, nil
}

func (p *pair) ProcessLeft(c *flott.KeyedContext[string, string], price reading) error {
	p.price.Set(price.Value)
	return p.emit(c)
}

func (p *pair) ProcessRight(c *flott.KeyedContext[string, string], count reading) error {
	p.count.Set(count.Value)
	return p.emit(c)
}

func (p *pair) emit(c *flott.KeyedContext[string, string]) error {
	price, ok1 := p.price.Get()
	count, ok2 := p.count.Get()
	if ok1 && ok2 {
		c.Emit(fmt.Sprint(c.Key(), " ", price*count))
	}
	return nil
}

func ExampleConnected_KeyBy() {
	env := flott.New(flott.Parallelism(1))
	prices := env.From(flott.Of(reading{Sensor: "tea", Value: 4}))
	counts := env.From(flott.Of(reading{Sensor: "tea", Value: 3}))
	prices.Connect(counts).KeyBy(sensor, sensor).Process(openPair).Print()
	run(env)
	// Output: tea 12
}

func ExampleKeyedStream_Connect() {
	env := flott.New(flott.Parallelism(1))
	prices := env.From(flott.Of(reading{Sensor: "tea", Value: 4})).KeyBy(sensor)
	counts := env.From(flott.Of(reading{Sensor: "tea", Value: 3})).KeyBy(sensor)
	prices.Connect(counts).Process(openPair).Print()
	run(env)
	// Output: tea 12
}

func ExampleKeyedConnected_Process() {
	env := flott.New(flott.Parallelism(1))
	prices := env.From(flott.Of(reading{Sensor: "tea", Value: 4}, reading{Sensor: "jam", Value: 2}))
	counts := env.From(flott.Of(reading{Sensor: "jam", Value: 10}))
	prices.Connect(counts).KeyBy(sensor, sensor).Process(openPair).Print()
	run(env)
	// Output: jam 20
}

// A spike reports a value that is far above the key's last one, and forgets a key that was silent for a minute of event time.
type spike struct{ last state.Value[int] }

func openSpike(rt *flott.KeyedRuntime[string]) (*spike, error) {
	return &spike{last: rt.Value[int]("last")}, nil
}

func (s *spike) Process(c *flott.KeyedContext[string, string], r reading) error {
	if last, ok := s.last.Get(); ok && r.Value > 3*last {
		c.Emit(fmt.Sprint(c.Key(), ": ", last, " then ", r.Value))
	}
	s.last.Set(r.Value)
	c.EventTimer(readAt(r).Add(time.Minute))
	return nil
}

func (s *spike) OnEventTimer(c *flott.KeyedContext[string, string], at time.Time) error {
	s.last.Clear()
	return nil
}

func ExampleKeyedStream_Process() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).Watermarks(inOrder()).KeyBy(sensor).Process(openSpike).Print()
	run(env)
	// Output: door: 2 then 7
}

func ExampleKeyedStream_ProcessFunc() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).KeyBy(sensor).
		ProcessFunc(func(rt *flott.KeyedRuntime[string]) func(*flott.KeyedContext[string, string], reading) error {
			highest := rt.Value[int]("highest")
			return func(c *flott.KeyedContext[string, string], r reading) error {
				if h, ok := highest.Get(); !ok || r.Value > h {
					highest.Set(r.Value)
					c.Emit(fmt.Sprint(c.Key(), " has a new high of ", r.Value))
				}
				return nil
			}
		}).Print()
	run(env)
	// Output:
	// door has a new high of 1
	// hall has a new high of 5
	// door has a new high of 2
	// door has a new high of 7
}

func ExampleKeyedStream_Reduce() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of("a", "bb", "c", "dd")).
		KeyBy(func(s string) int { return len(s) }).
		Reduce(func(a, b string) string { return a + b }).
		Print()
	run(env)
	// Output:
	// a
	// bb
	// ac
	// bbdd
}

func ExampleKeyedStream_Aggregate() {
	env := flott.New(flott.Parallelism(1))
	value := func(r reading) int { return r.Value }
	env.From(flott.FromSlice(readings)).KeyBy(sensor).
		Aggregate(aggregate.Mean(value), func(sensor string, mean float64) string { return fmt.Sprint(sensor, " ", mean) }).
		Print()
	run(env)
	// Output:
	// door 1
	// hall 5
	// door 1.5
	// door 3.3333333333333335
	// hall 3
}

func ExampleStream_Watermarks() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).
		Watermarks(watermark.BoundedOutOfOrder(2*time.Second, readAt)).
		KeyBy(sensor).Window(window.TumblingEventTime(5 * time.Second)).Reduce(sum).
		Print()
	run(env)
	// Unordered output:
	// {door 3 4}
	// {hall 5 1}
	// {door 7 6}
	// {hall 1 8}
}

func ExampleKeyedStream_Window() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).Watermarks(inOrder()).
		KeyBy(sensor).Window(window.SlidingEventTime(10*time.Second, 5*time.Second)).
		ReduceTo(sum, func(sensor string, w window.Window, r reading) string {
			return fmt.Sprint(sensor, " ", clock(w.Start), " ", r.Value)
		}).
		Print()
	run(env)
	// Unordered output:
	// door 23:59:55 3
	// hall 23:59:55 5
	// door 00:00:00 10
	// hall 00:00:00 6
	// door 00:00:05 7
	// hall 00:00:05 1
}

func ExampleStream_WindowAll() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).Watermarks(inOrder()).
		WindowAll(window.TumblingEventTime(5*time.Second)).
		Aggregate(aggregate.Count[reading](), func(_ struct{}, w window.Window, n int64) string {
			return fmt.Sprint(clock(w.Start), " ", n)
		}).
		Print()
	run(env)
	// Output:
	// 00:00:00 3
	// 00:00:05 2
}

func ExampleWindowedStream_Reduce() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).Watermarks(inOrder()).
		KeyBy(sensor).Window(window.TumblingEventTime(time.Minute)).Reduce(sum).
		Print()
	run(env)
	// Unordered output:
	// {door 10 6}
	// {hall 6 8}
}

func ExampleWindowedStream_ReduceTo() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).Watermarks(inOrder()).
		KeyBy(sensor).Window(window.TumblingEventTime(time.Minute)).
		ReduceTo(sum, func(sensor string, w window.Window, r reading) string {
			return fmt.Sprint(sensor, " ", r.Value, " until ", clock(w.End))
		}).
		Print()
	run(env)
	// Unordered output:
	// door 10 until 00:01:00
	// hall 6 until 00:01:00
}

func ExampleWindowedStream_Aggregate() {
	env := flott.New(flott.Parallelism(1))
	value := func(r reading) int { return r.Value }
	env.From(flott.FromSlice(readings)).Watermarks(inOrder()).
		KeyBy(sensor).Window(window.TumblingEventTime(time.Minute)).
		Aggregate(aggregate.MaxBy(value), func(_ string, _ window.Window, best reading) reading { return best }).
		Print()
	run(env)
	// Unordered output:
	// {door 7 6}
	// {hall 5 1}
}

func ExampleWindowedStream_Apply() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.FromSlice(readings)).Watermarks(inOrder()).
		KeyBy(sensor).Window(window.TumblingEventTime(time.Minute)).
		Apply(func(sensor string, _ window.Window, all iter.Seq[reading]) iter.Seq[string] {
			var values []int
			for r := range all {
				values = append(values, r.Value)
			}
			slices.Sort(values)
			return slices.Values([]string{fmt.Sprint(sensor, " median ", values[len(values)/2])})
		}).
		Print()
	run(env)
	// Unordered output:
	// door median 2
	// hall median 5
}

// A straggler is a source whose last reading comes late: only when the results of others are there.
type straggler struct {
	readings []reading
	results  chan reading
}

func (s straggler) Bounded() bool { return true }

func (s straggler) Enumerator(_ context.Context, setup connector.Setup) (connector.Enumerator, error) {
	return connector.OnDemand(setup, []connector.Split{{ID: "readings"}})
}

func (s straggler) Reader(ctx context.Context, wake func()) (connector.Reader[reading], error) {
	return connector.NewFeed(ctx, wake, func(ctx context.Context, out *connector.Feed[reading], _ string, _ int64) error {
		for i, r := range s.readings {
			if i == len(s.readings)-1 {
				<-s.results
			}
			if err := out.Emit(r, int64(i+1)); err != nil {
				return err
			}
		}
		return nil
	}), nil
}

// print prints a result, and lets the last reading come.
func (s straggler) print(r reading) error {
	fmt.Println(r)
	select {
	case s.results <- r:
	default:
	}
	return nil
}

func late() straggler {
	return straggler{[]reading{{"door", 1, 0}, {"door", 1, 60}, {"door", 1, 1}}, make(chan reading, 1)}
}

func ExampleWindowedStream_LateTo() {
	env := flott.New(flott.Parallelism(1))
	source, tooLate := late(), flott.NewTag[reading]("too late")
	sums := env.From[reading](source).Watermarks(inOrder()).
		KeyBy(sensor).Window(window.TumblingEventTime(10 * time.Second)).LateTo(tooLate).
		Reduce(sum)
	sums.To(flott.ForEach(source.print))
	sums.SideOutput(tooLate).Map(func(r reading) string { return fmt.Sprint("too late: ", r) }).Print()
	run(env)
	// Output:
	// {door 1 0}
	// too late: {door 1 1}
	// {door 1 60}
}

func ExampleWindowedStream_AllowedLateness() {
	env := flott.New(flott.Parallelism(1))
	source := late()
	env.From[reading](source).Watermarks(inOrder()).
		KeyBy(sensor).Window(window.TumblingEventTime(10 * time.Second)).AllowedLateness(time.Hour).
		Reduce(sum).
		To(flott.ForEach(source.print))
	run(env)
	// Output:
	// {door 1 0}
	// {door 2 1}
	// {door 1 60}
}

func ExampleStream_To() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of(1, 2)).To(flott.ForEach(func(n int) error {
		fmt.Println(n)
		return nil
	})).Name("Stdout")
	run(env)
	// Output:
	// 1
	// 2
}

func ExampleStream_Print() {
	env := flott.New(flott.Parallelism(2), flott.Stdout(os.Stdout))
	env.From(flott.Sequence(1, 2)).Print()
	run(env)
	// Unordered output:
	// 1> 1
	// 2> 2
}

func ExampleStream_Discard() {
	env := flott.New(flott.Parallelism(1))
	env.From(flott.Of(1, 2)).Map(func(n int) int {
		fmt.Println("mapped", n)
		return n
	}).Discard()
	run(env)
	// Output:
	// mapped 1
	// mapped 2
}

func ExampleStream_Rebalance() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Of("a", "b")).Rebalance().Print()
	run(env)
	// Unordered output:
	// 1> a
	// 2> b
}

func ExampleStream_Rescale() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Of("a", "b")).Rescale().Print()
	run(env)
	// Unordered output:
	// 1> a
	// 2> b
}

func ExampleStream_Shuffle() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Of("anywhere")).Shuffle().Print().Parallelism(1)
	run(env)
	// Output: anywhere
}

func ExampleStream_Broadcast() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Of("everywhere")).Broadcast().Print()
	run(env)
	// Unordered output:
	// 1> everywhere
	// 2> everywhere
}

func ExampleStream_Forward() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Sequence(1, 2)).Forward().Print()
	run(env)
	// Unordered output:
	// 1> 1
	// 2> 2
}

func ExampleStream_Global() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Sequence(1, 2)).Global().Print()
	run(env)
	// Unordered output:
	// 1> 1
	// 1> 2
}

func ExampleStream_PartitionBy() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Sequence(1, 3)).
		PartitionBy(func(n int64, subtasks int) int { return int(n) % subtasks }).
		Print()
	run(env)
	// Unordered output:
	// 2> 1
	// 1> 2
	// 2> 3
}

// The methods that set what an operator is like return the stream, so that they stand right behind the operator.
func ExampleStream_Name() {
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Of("a b")).
		FlatMap(strings.FieldsSeq).Name("words").UID("words").Parallelism(2).MaxParallelism(64).
		Map(strings.ToUpper).Name("loud").SlotSharingGroup("cpu").StartNewChain().BufferTimeout(time.Millisecond).
		Print().Name("out").Parallelism(1).DisableChaining()
	plan, err := env.Plan("settings")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(plan.Text(flott.StreamGraph))
	// Output:
	// StreamGraph "settings": streaming, 4 operators
	//
	// [1] Source: Collection Source ×1
	//
	// [2] words ×2  uid "words", max parallelism 64
	//     <- [1] REBALANCE
	//
	// [3] loud ×2  slot sharing group "cpu", chaining HEAD
	//     <- [2] FORWARD
	//
	// [4] Sink: out ×1  slot sharing group "cpu", chaining NEVER
	//     <- [3] REBALANCE
}
