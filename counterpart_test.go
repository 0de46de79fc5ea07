package flott

import (
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/connector/file"
	"github.com/flott-dev/flott/connector/socket"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/golden"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
	"github.com/flott-dev/flott/internal/graph/text"
	"github.com/flott-dev/flott/process"
	"github.com/flott-dev/flott/watermark"
	"github.com/flott-dev/flott/window"
)

// Each call of the typed API makes the transformations of its counterpart in Flink. The tests of package golden show that the
// programs which specs describe have Flink's plans; these tests show that typed programs are the same as specs.

// A counterpart is a call and a program with it, twice. A spec has a step a word: "id=op input input {fields}", with _ for spaces.
type counterpart struct {
	call, flink string
	name        string // the operator's default name; "": it has no operator
	makes       string // the transformations
	spec        string
	typed       func(e *Environment)
}

// plainSource says nothing of itself.
type plainSource struct{ Source[int64] }

type passer struct{}

func (passer) Process(c *Context[int64], n int64) error                  { return nil }
func (keyedPasser) Process(c *KeyedContext[int64, int64], n int64) error { return nil }

type keyedPasser struct{}

type coPasser struct{}

func (coPasser) ProcessLeft(c *KeyedContext[int64, int64], n int64) error  { return nil }
func (coPasser) ProcessRight(c *KeyedContext[int64, int64], n int64) error { return nil }

func openPasser(*Runtime) (passer, error)                               { return passer{}, nil }
func openKeyed(*KeyedRuntime[int64]) (keyedPasser, error)               { return keyedPasser{}, nil }
func openCo(*KeyedRuntime[int64]) (coPasser, error)                     { return coPasser{}, nil }
func numbers(e *Environment) Stream[int64]                              { return e.From(Sequence(1, 9)) }
func plus(a, b int64) int64                                             { return a + b }
func keep(int64) bool                                                   { return true }
func timeOf(n int64) time.Time                                          { return time.UnixMilli(n) }
func windowResult(int64, window.Window, int64) int64                    { return 0 }
func wholeResult(struct{}, window.Window, int64) int64                  { return 0 }
func apply(_ int64, _ window.Window, s iter.Seq[int64]) iter.Seq[int64] { return s }

func tumbling() window.Assigner { return window.TumblingEventTime(5 * time.Second) }

const tumblingSpec = `"assigner":{"type":"tumblingEvent","sizeMs":5000}`

// source and sink stand around most calls.
const (
	source    = "s=fromSequence "
	sink      = " o=discard x"
	keyedSpec = source + "k=keyBy s "
)

var counterparts = []counterpart{
	{"Of, FromSlice", "fromData", "Collection Source", "source, parallelism 1", "x=fromData" + sink, func(e *Environment) { e.From(Of(1, 2)).Discard() }},
	{"Sequence", "fromSequence", "Sequence Source", "source", "x=fromSequence" + sink, func(e *Environment) { numbers(e).Discard() }},
	{"Generate, GenerateBatch", "fromSource (DataGeneratorSource)", "Generator Source", "source", `x=source {"sourceName":"Generator_Source"}` + sink, func(e *Environment) {
		e.From(Generate(3, 0, func(i int64) int64 { return i })).Discard()
	}},
	{"socket.Lines", "socketTextStream", "Socket Stream", "legacy source, parallelism 1 for good", "x=socketSource" + sink, func(e *Environment) { e.From(socket.Lines("localhost:9")).Discard() }},
	{"file.Lines, file.CSV, file.JSON", "fromSource (FileSource)", "File Source", "source", `x=source {"sourceName":"File_Source"}` + sink, func(e *Environment) { e.From(file.Lines("go.mod")).Discard() }},
	{"From of any other source", "fromSource", "Source", "source", `x=source {"sourceName":"Source"}` + sink, func(e *Environment) { e.From[int64](plainSource{Sequence(1, 9)}).Discard() }},

	{"Map, TryMap, MapBatch", "map", "Map", "one-input", source + "x=map s" + sink, func(e *Environment) { numbers(e).Map(Identity).Discard() }},
	{"Filter, FilterBatch", "filter", "Filter", "one-input", source + "x=filter s" + sink, func(e *Environment) { numbers(e).Filter(keep).Discard() }},
	{"FlatMap, FlatMapTo", "flatMap", "Flat Map", "one-input", source + "x=flatMap s" + sink, func(e *Environment) {
		numbers(e).FlatMapTo(func(n int64, out *process.Collector[int64]) error { return nil }).Discard()
	}},
	{"Stream.Process", "process", "Process", "one-input", source + "x=process s" + sink, func(e *Environment) { numbers(e).Process(openPasser).Discard() }},
	{"SideOutput", "getSideOutput", "", "side output", source + `p=process s x=sideOutput p {"tag":"t"}` + sink, func(e *Environment) {
		numbers(e).Process(openPasser).SideOutput(NewTag[int64]("t")).Discard()
	}},
	{"Union", "union", "", "union", source + "m=map s x=union s m" + sink, func(e *Environment) {
		s := numbers(e)
		s.Union(s.Map(Identity)).Discard()
	}},
	{"Watermarks on a source", "fromSource (WatermarkStrategy)", "", "none", source + "x=map s" + sink, func(e *Environment) {
		numbers(e).Watermarks(watermark.Monotonic(timeOf)).Map(Identity).Discard()
	}},
	{"Watermarks elsewhere", "assignTimestampsAndWatermarks", "Timestamps/Watermarks", "one-input, parallelism of its input", source + "m=map s x=assignTimestamps m" + sink, func(e *Environment) {
		numbers(e).Map(Identity).Watermarks(watermark.Monotonic(timeOf)).Discard()
	}},

	{"KeyBy", "keyBy", "", "partition HASH", keyedSpec + "x=map k" + sink, func(e *Environment) { numbers(e).KeyBy(Identity).Map(Identity).Discard() }},
	{"KeyedStream.Process, ProcessFunc", "keyed process", "KeyedProcess", "one-input", keyedSpec + "x=keyedProcess k" + sink, func(e *Environment) { numbers(e).KeyBy(Identity).Process(openKeyed).Discard() }},
	{"KeyedStream.Reduce", "reduce", "Keyed Reduce", "reduce", keyedSpec + "x=reduce k" + sink, func(e *Environment) { numbers(e).KeyBy(Identity).Reduce(plus).Discard() }},
	{"KeyedStream.Aggregate", "sum", "Keyed Aggregation", "reduce", keyedSpec + "x=sum k" + sink, func(e *Environment) {
		numbers(e).KeyBy(Identity).Aggregate(aggregate.Count[int64](), func(_, n int64) int64 { return n }).Discard()
	}},
	{"Connect, Connected.Map", "connect, map", "Co-Map", "two-input", source + "m=map s x=coMap s m" + sink, func(e *Environment) {
		s := numbers(e)
		s.Connect(s.Map(Identity)).Map(Identity, Identity).Discard()
	}},
	{"KeyedStream.Connect, Connected.KeyBy, KeyedConnected.Process", "connect, keyBy, process", "Co-Keyed-Process", "partition HASH, partition HASH, two-input", source + "m=map s k=keyBy s l=keyBy m x=keyedCoProcess k l" + sink, func(e *Environment) {
		s := numbers(e)
		s.Connect(s.Map(Identity)).KeyBy(Identity, Identity).Process(openCo).Discard()
	}},

	{"Window(...).Reduce", "window, reduce", "TumblingEventTimeWindows", "one-input", keyedSpec + `x=window k {` + tumblingSpec + `,"fn":"reduce"}` + sink, func(e *Environment) {
		numbers(e).KeyBy(Identity).Window(tumbling()).Reduce(plus).Discard()
	}},
	{"Window(...).ReduceTo", "window, reduce with a window function", "SlidingEventTimeWindows", "one-input", keyedSpec + `x=window k {"assigner":{"type":"slidingEvent","sizeMs":4000,"slideMs":2000},"fn":"reduceProcess"}` + sink, func(e *Environment) {
		numbers(e).KeyBy(Identity).Window(window.SlidingEventTime(4*time.Second, 2*time.Second)).ReduceTo(plus, windowResult).Discard()
	}},
	{"Window(...).Aggregate", "window, aggregate with a window function", "TumblingProcessingTimeWindows", "one-input", keyedSpec + `x=window k {"assigner":{"type":"tumblingProcessing","sizeMs":1000},"fn":"aggregateProcess"}` + sink, func(e *Environment) {
		numbers(e).KeyBy(Identity).Window(window.TumblingProcessingTime(time.Second)).Aggregate(aggregate.Count[int64](), windowResult).Discard()
	}},
	{"Window(...).Apply", "window, process", "SlidingProcessingTimeWindows", "one-input", keyedSpec + `x=window k {"assigner":{"type":"slidingProcessing","sizeMs":4000,"slideMs":2000},"fn":"process"}` + sink, func(e *Environment) {
		numbers(e).KeyBy(Identity).Window(window.SlidingProcessingTime(4*time.Second, 2*time.Second)).Apply(apply).Discard()
	}},
	{"AllowedLateness, LateTo", "allowedLateness, sideOutputLateData", "", "none", keyedSpec + `w=window k {` + tumblingSpec + `,"fn":"reduce","allowedLatenessMs":7,"lateTag":"l"} o=discard w x=sideOutput w {"tag":"l"} p=discard x`, func(e *Environment) {
		w := numbers(e).KeyBy(Identity).Window(tumbling()).AllowedLateness(7 * time.Millisecond).LateTo(NewTag[int64]("l")).Reduce(plus)
		w.Discard()
		w.SideOutput(NewTag[int64]("l")).Discard()
	}},
	{"WindowAll(...).Reduce and others", "windowAll, reduce and others", "TumblingEventTimeWindows", "partition HASH, one-input with parallelism 1 for good", source + `x=windowAll s {` + tumblingSpec + `,"fn":"aggregate"}` + sink, func(e *Environment) {
		numbers(e).WindowAll(tumbling()).Aggregate(aggregate.Count[int64](), wholeResult).Discard()
	}},

	{"Rebalance", "rebalance", "", "partition REBALANCE", source + "r=rebalance s x=map r" + sink, func(e *Environment) { numbers(e).Rebalance().Map(Identity).Discard() }},
	{"Rescale", "rescale", "", "partition RESCALE", source + "r=rescale s x=map r" + sink, func(e *Environment) { numbers(e).Rescale().Map(Identity).Discard() }},
	{"Shuffle", "shuffle", "", "partition SHUFFLE", source + "r=shuffle s x=map r" + sink, func(e *Environment) { numbers(e).Shuffle().Map(Identity).Discard() }},
	{"Broadcast", "broadcast", "", "partition BROADCAST", source + "r=broadcast s x=map r" + sink, func(e *Environment) { numbers(e).Broadcast().Map(Identity).Discard() }},
	{"Forward", "forward", "", "partition FORWARD", source + "r=forward s x=map r" + sink, func(e *Environment) { numbers(e).Forward().Map(Identity).Discard() }},
	{"Global", "global", "", "partition GLOBAL", source + "r=global s x=map r" + sink, func(e *Environment) { numbers(e).Global().Map(Identity).Discard() }},
	{"PartitionBy", "partitionCustom", "", "partition CUSTOM", source + "r=partitionCustom s x=map r" + sink, func(e *Environment) {
		numbers(e).PartitionBy(func(int64, int) int { return 0 }).Map(Identity).Discard()
	}},

	{"Print", "print", "Print to Std. Out", "legacy sink", source + "o=print s", func(e *Environment) { numbers(e).Print() }},
	{"Discard", "sinkTo (DiscardingSink)", "Sink", "sink (a writer)", source + "o=discard s", func(e *Environment) { numbers(e).Discard() }},
	{"To(ForEach), To(ForEachBatch), To(file.Writer), other sinks", "sinkTo", "Sink", "sink (a writer)", source + "o=sinkV2 s", func(e *Environment) {
		numbers(e).To(ForEach(func(int64) error { return nil }))
	}},

	{"Name, UID, Parallelism, MaxParallelism", "name, uid, setParallelism, setMaxParallelism", "", "none", source + `x=map s {"name":"n","uid":"u","parallelism":3,"maxParallelism":9}` + sink, func(e *Environment) {
		numbers(e).Map(Identity).Name("n").UID("u").Parallelism(3).MaxParallelism(9).Discard()
	}},
	{"SlotSharingGroup, BufferTimeout", "slotSharingGroup, setBufferTimeout", "", "none", source + `x=map s {"slotSharingGroup":"g","bufferTimeoutMs":7}` + sink, func(e *Environment) {
		numbers(e).Map(Identity).SlotSharingGroup("g").BufferTimeout(7 * time.Millisecond).Discard()
	}},
	{"StartNewChain, DisableChaining", "startNewChain, disableChaining", "", "none", source + `m=map s {"chaining":"head"} x=filter m {"chaining":"never"}` + sink, func(e *Environment) {
		numbers(e).Map(Identity).StartNewChain().Filter(keep).DisableChaining().Discard()
	}},
	{"settings of a sink", "settings of a sink", "", "none", source + `o=discard s {"name":"n","uid":"u","parallelism":3,"maxParallelism":9,"slotSharingGroup":"g","chaining":"never"}`, func(e *Environment) {
		numbers(e).Discard().Name("n").UID("u").Parallelism(3).MaxParallelism(9).SlotSharingGroup("g").DisableChaining()
	}},
}

// socketWindowWordCount is the spec wordcount_socket.
const socketWindowWordCount = `src=socketSource fm=flatMap src k=keyBy fm w=window k {"assigner":{"type":"tumblingProcessing","sizeMs":5000},"fn":"reduce"} o=print w`

func writeSocketWindowWordCount(e *Environment) {
	type count struct {
		word string
		n    int64
	}
	e.From(socket.Lines("localhost:9999")).
		FlatMapTo(func(line string, out *process.Collector[count]) error {
			for w := range strings.FieldsSeq(line) {
				out.Emit(count{w, 1})
			}
			return nil
		}).
		KeyBy(func(c count) string { return c.word }).
		Window(window.TumblingProcessingTime(5 * time.Second)).
		Reduce(func(a, b count) count { return count{a.word, a.n + b.n} }).
		Print()
}

func TestTypedProgramsHaveFlinksPlans(t *testing.T) {
	for _, c := range append(counterparts, counterpart{call: "SocketWindowWordCount", spec: socketWindowWordCount, typed: writeSocketWindowWordCount}) {
		t.Run(c.call, func(t *testing.T) {
			for _, parallelism := range []int{1, 2} {
				want := specProgram(t, c.spec, parallelism)
				env := New(Parallelism(parallelism))
				c.typed(env)
				if _, err := env.compile(want.Config.JobName); err != nil {
					t.Fatal(err)
				}
				samePlans(t, env.program, want)
			}
		})
	}
}

// specProgram is the program of a spec.
func specProgram(t *testing.T, steps string, parallelism int) *program.Program {
	t.Helper()
	spec, err := golden.Parse([]byte(specJSON(steps, parallelism)))
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := spec.Program()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Rejections.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

// specJSON writes steps out.
func specJSON(steps string, parallelism int) string {
	var all []string
	var step, fields string
	var inputs []string
	end := func() {
		if step != "" {
			all = append(all, fmt.Sprintf(`{%s%s,"inputs":[%s]}`, step, fields, strings.Join(inputs, ",")))
		}
		step, fields, inputs = "", "", nil
	}
	for word := range strings.FieldsSeq(steps) {
		word = strings.ReplaceAll(word, "_", " ")
		if id, op, isStep := strings.Cut(word, "="); isStep {
			end()
			step = fmt.Sprintf(`"id":%q,"op":%q`, id, op)
		} else if word[0] == '{' {
			fields = "," + word[1:len(word)-1]
		} else {
			inputs = append(inputs, strconv.Quote(word))
		}
	}
	end()
	return fmt.Sprintf(`{"name":"test","env":{"parallelism":%d},"steps":[%s]}`, parallelism, strings.Join(all, ","))
}

func samePlans(t *testing.T, got, want *program.Program) {
	t.Helper()
	gotStream, gotJob, gotRun := graphsOf(t, got)
	wantStream, wantJob, wantRun := graphsOf(t, want)
	sameText(t, "StreamGraph", text.Stream(gotStream), text.Stream(wantStream))
	sameText(t, "Flink's streaming plan", gotStream.JSON(), wantStream.JSON())
	sameText(t, "Flink's REST plan", gotJob.JSON(), wantJob.JSON())
	sameValue(t, "JobGraph", gotJob, wantJob)
	sameValue(t, "ExecutionGraph", gotRun, wantRun)
}

func graphsOf(t *testing.T, p *program.Program) (*streamgraph.Graph, *jobgraph.Graph, *execgraph.Graph) {
	t.Helper()
	var g graphs
	if err := g.join(p); err != nil {
		t.Fatal(err)
	}
	if err := g.spread(); err != nil {
		t.Fatal(err)
	}
	return g.stream, g.job, g.execution
}

func sameText(t *testing.T, what, got, want string) {
	t.Helper()
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Errorf("%s, line %d is\n%s\nwant\n%s", what, i+1, gotLines[i], wantLines[i])
			return
		}
	}
	if got != want {
		t.Errorf("%s has %d lines, want %d", what, len(gotLines), len(wantLines))
	}
}

func sameValue(t *testing.T, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	g, _ := json.MarshalIndent(got, "", " ")
	w, _ := json.MarshalIndent(want, "", " ")
	sameText(t, what, string(g), string(w))
	t.Errorf("%s differs", what)
}

var update = flag.Bool("update", false, "write docs/api-table.md anew")

const tableFile = "docs/api-table.md"

// The table in the docs is made of the calls that are tested here.
func TestTableOfCalls(t *testing.T) {
	want := tableOfCalls()
	if *update {
		if err := os.WriteFile(tableFile, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not up to date: run go test . -run TestTableOfCalls -update", tableFile)
	}
}

func tableOfCalls() string {
	var b strings.Builder
	b.WriteString(`# Calls and their counterparts in Flink

Each call makes the transformations that its counterpart in Flink's DataStream API makes, with the same names, so that a typed
program has the plan of the same program in Java. A test compares all of these, and writes this table.

| call | Flink's | default name of the operator | transformations |
| --- | --- | --- | --- |
`)
	for _, c := range counterparts {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.call, c.flink, c.name, c.makes)
	}
	return b.String()
}
