package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
)

// The scripts in testdata are lives of jobs. "job" makes one, a line "NAME PARALLELISM [PRODUCER forward|rebalance]" per vertex, with the
// arguments restarts=N, delay=DURATION, and slots, if the script itself gives out slots: otherwise it gets those of one worker. "step"
// takes an event per line, and answers with what changed and what is to be done.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &script{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "job":
				return s.job(t, d)
			case "step":
				return s.steps(t, d.Input)
			default:
				t.Fatalf("no command %q", d.Cmd)
				return ""
			}
		})
	})
}

type script struct {
	of    *Job
	now   int64
	gives bool // the script gives slots by itself
}

func (s *script) job(t *testing.T, d *datadriven.TestData) string {
	s.now, s.gives = 0, !d.HasArg("slots")
	o := Options{SlotTimeout: time.Minute}
	if d.HasArg("restarts") {
		o.Restart.Type = program.FixedDelay
		d.ScanArgs(t, "restarts", &o.Restart.Fixed.Attempts)
	}
	if d.HasArg("delay") {
		var text string
		d.ScanArgs(t, "delay", &text)
		o.Restart.Fixed.Delay, _ = time.ParseDuration(text)
	}
	s.of = NewJob(graphOf(t, strings.Split(d.Input, "\n")), o)
	return s.of.State().String()
}

func (s *script) steps(t *testing.T, input string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(input, "\n") {
		s.now++
		before := s.states()
		effects := s.step(s.event(t, line))
		fmt.Fprintf(&b, "%s\n", line)
		for i, after := range s.states() {
			if before[i] != after {
				fmt.Fprintf(&b, "  %s -> %s\n", before[i], after[strings.LastIndexByte(after, ' ')+1:])
			}
		}
		for _, e := range effects {
			fmt.Fprintf(&b, "  %s\n", s.effect(e))
		}
	}
	return b.String()
}

// step takes an event, and perhaps gives the slots that are asked for.
func (s *script) step(e Event) []Effect {
	effects := s.of.Step(e, s.now)
	for i, e := range effects {
		r, ok := e.(Request)
		if !ok || !s.gives {
			continue
		}
		var g Given
		for _, w := range r.Wishes {
			g.Grants = append(g.Grants, slots.Grant{Slot: w.Slot, Place: slots.Place{TaskManager: "tm", Slot: w.Slot, Worker: "w"}})
		}
		effects = append(effects[:i], s.of.Step(WorkerReady{"w"}, s.now)...) // without the Wake, which comes to nothing
		given := slices.DeleteFunc(s.of.Step(g, s.now), func(e Effect) bool { return e == Effect(Wake{}) })
		return append(effects, given...)
	}
	return effects
}

// states is where the job and each subtask are.
func (s *script) states() []string {
	all := []string{"job " + s.of.State().String()}
	s.of.executions(func(a Attempt, e *execgraph.Execution) {
		all = append(all, fmt.Sprintf("%s %s", s.name(a), e.State))
	})
	return all
}

func (s *script) event(t *testing.T, line string) Event {
	words := strings.SplitN(line, " ", 4)
	switch words[0] {
	case "start":
		return Started{}
	case "cancel":
		return CancelRequested{}
	case "later":
		d, err := time.ParseDuration(words[1])
		if err != nil {
			t.Fatal(err)
		}
		s.now += d.Milliseconds()
		return Woken{}
	case "source-ended":
		return s.sourceEnded(words[1:])
	case "give":
		return s.given(t, strings.Fields(line)[1:])
	case "ready":
		return WorkerReady{slots.WorkerID(words[1])}
	case "refused":
		return WorkerRefused{slots.WorkerID(words[1]), errors.New(words[2])}
	case "worker-lost":
		return WorkerLost{slots.WorkerID(words[1]), errors.New(strings.Join(words[2:], " "))}
	case "lacking":
		return Lacking{Free: atoi(t, words[1]), TaskManagers: 1, Slots: 2}
	}
	if words[1] == "lost" {
		return Lost{s.attempt(t, words[0]), errors.New(strings.Join(words[2:], " "))}
	}
	r := Reported{Attempt: s.attempt(t, words[0]), State: stateNamed(t, words[1])}
	if len(words) > 2 {
		r.Cause = errors.New(strings.Join(words[2:], " "))
	}
	return r
}

// sourceEnded reads "NUMBER [CAUSE...]" of the only source.
func (s *script) sourceEnded(words []string) Event {
	if len(s.of.sources) == 0 {
		return SourceEnded{}
	}
	e := SourceEnded{Enumerator: s.of.sources[0].enumerator()}
	e.Enumerator.Number, _ = strconv.Atoi(words[0])
	if len(words) > 1 {
		e.Cause = errors.New(strings.Join(words[1:], " "))
	}
	return e
}

// given reads "SLOT=WORKER ...".
func (s *script) given(t *testing.T, words []string) (g Given) {
	for _, w := range words {
		slot, worker, _ := strings.Cut(w, "=")
		g.Grants = append(g.Grants, slots.Grant{Slot: atoi(t, slot), Place: slots.Place{TaskManager: "tm", Worker: slots.WorkerID(worker)}})
	}
	return g
}

// attempt reads "map/1", or "map/1#2" for the third attempt.
func (s *script) attempt(t *testing.T, text string) (a Attempt) {
	text, number, again := strings.Cut(text, "#")
	if again {
		a.Number = atoi(t, number)
	}
	name, index, _ := strings.Cut(text, "/")
	a.Index = atoi(t, index)
	a.Vertex = -1
	for v := range s.of.graph.Vertices {
		if s.of.graph.Vertices[v].Job.Name == name {
			a.Vertex = v
		}
	}
	return a
}

func (s *script) name(a Attempt) string {
	if a.Number > 0 {
		return fmt.Sprintf("%s/%d#%d", s.of.graph.Vertices[a.Vertex].Job.Name, a.Index, a.Number)
	}
	return fmt.Sprintf("%s/%d", s.of.graph.Vertices[a.Vertex].Job.Name, a.Index)
}

func (s *script) effect(e Effect) string {
	switch e := e.(type) {
	case Request:
		text := "request"
		for _, w := range e.Wishes {
			text += fmt.Sprint(" ", w.Slot)
			if len(w.Near) > 0 {
				text += fmt.Sprint("~", w.Near)
			}
		}
		return text
	case Deploy:
		return "deploy" + s.names(e.Attempts) + enumerators(e.Enumerators)
	case Cancel:
		return "cancel" + s.names(e.Attempts) + enumerators(e.Enumerators)
	case Restart:
		return fmt.Sprintf("restart %d subtasks after %v%s", len(e.Subtasks), e.Delay, s.failure(e.Failure))
	case Wake:
		if e.At == 0 {
			return "wake never"
		}
		return fmt.Sprintf("wake in %v", time.Duration(e.At-s.now)*time.Millisecond)
	case Suppress:
		return "suppress" + s.failure(e.Failure)
	case End:
		return fmt.Sprintf("end %s%s", e.State, s.failure(e.Failure))
	default:
		return fmt.Sprintf("%#v", e)
	}
}

func enumerators(all []Enumerator) string {
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, " enumerator#%d", e.Number)
	}
	return b.String()
}

// failure is " NAME/SUBTASK: CAUSE", without a name if it was an enumerator, with " of" before those that a worker or want of slots has
// hit, and "" if there is none.
func (s *script) failure(f Failure) string {
	switch {
	case f.Cause == nil:
		return ""
	case len(f.Hit) > 0:
		return fmt.Sprintf(" of%s: %v", s.names(f.Hit), f.Cause)
	case f.Attempt == nil:
		return fmt.Sprintf(": %v", f.Cause)
	}
	return fmt.Sprintf(" %s: %v", s.name(*f.Attempt), f.Cause)
}

func (s *script) names(attempts []Attempt) string {
	var b strings.Builder
	for _, a := range attempts {
		b.WriteString(" " + s.name(a))
	}
	return b.String()
}

func stateNamed(t *testing.T, name string) execgraph.State {
	for s := execgraph.Created; s <= execgraph.Failed; s++ {
		if s.String() == name {
			return s
		}
	}
	t.Fatalf("no state %q", name)
	return 0
}

func atoi(t interface{ Fatal(...any) }, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// graphOf makes vertices of lines "NAME PARALLELISM [PRODUCER forward|rebalance] [group=NAME]". A vertex called files has an enumerator.
func graphOf(t interface{ Fatal(...any) }, lines []string) *execgraph.Graph {
	job := &jobgraph.Graph{}
	group := func(name string) int {
		for i := range job.SlotSharingGroups {
			if job.SlotSharingGroups[i].Name == name {
				return i
			}
		}
		job.SlotSharingGroups = append(job.SlotSharingGroups, jobgraph.SlotSharingGroup{Name: name})
		return len(job.SlotSharingGroups) - 1
	}
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		v := jobgraph.Vertex{Name: words[0], CoLocationGroup: -1, MaxParallelism: 128, Chain: []jobgraph.Operator{{ChainIndex: 1}}}
		v.Parallelism, _ = strconv.Atoi(words[1])
		if words[0] != "files" {
			v.Chain[0].Inputs = make([]jobgraph.OperatorInput, 1)
		}
		name := "default"
		if last := words[len(words)-1]; strings.HasPrefix(last, "group=") {
			name, words = last[len("group="):], words[:len(words)-1]
		}
		v.SlotSharingGroup = group(name)
		if len(words) > 2 {
			producer := slices.IndexFunc(job.Vertices, func(p jobgraph.Vertex) bool { return p.Name == words[2] })
			how := map[string]program.Strategy{"forward": program.Forward, "rebalance": program.Rebalance}[words[3]]
			p := &job.Vertices[producer]
			v.Inputs = []jobgraph.Input{{Producer: producer, DataSet: len(p.Produces), Partitioner: how}}
			p.Produces = append(p.Produces, jobgraph.DataSet{
				Result: jobgraph.PipelinedBounded, Partitioner: how, Consumers: []jobgraph.Consumer{{Vertex: len(job.Vertices)}},
			})
		}
		job.Vertices = append(job.Vertices, v)
	}
	g, err := execgraph.From(job)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestStateTable(t *testing.T) {
	for s := Created; s < states; s++ {
		if s.String() == "" {
			t.Errorf("state %d has no name", s)
		}
		if last := s >= Finished; s.Terminal() != last {
			t.Errorf("%s: Terminal() = %t", s, !last)
		}
	}
}
