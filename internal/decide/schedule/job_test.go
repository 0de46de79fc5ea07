package schedule

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// The scripts in testdata are lives of jobs. "job" makes one, a line "NAME PARALLELISM" per vertex; "step" takes an event per
// line and answers with what changed and what is to be done.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &script{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "job":
				return s.job(t, d.Input)
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
	of  *Job
	now int64
}

func (s *script) job(t *testing.T, input string) string {
	s.now = 0
	s.of = NewJob(graphOf(t, strings.Split(input, "\n")))
	return s.of.State().String()
}

func (s *script) steps(t *testing.T, input string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(input, "\n") {
		s.now++
		before := s.states()
		effects := s.of.Step(s.event(t, line), s.now)
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
	case "source-failed":
		return SourceFailed{errors.New(strings.Join(words[1:], " "))}
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
	return fmt.Sprintf("%s/%d", s.of.graph.Vertices[a.Vertex].Job.Name, a.Index)
}

func (s *script) effect(e Effect) string {
	switch e := e.(type) {
	case Deploy:
		return "deploy" + s.names(e.Attempts)
	case Cancel:
		return "cancel" + s.names(e.Attempts)
	case Suppress:
		return "suppress" + s.failure(e.Failure)
	case End:
		return fmt.Sprintf("end %s%s", e.State, s.failure(e.Failure))
	default:
		return fmt.Sprintf("%#v", e)
	}
}

// failure is " NAME/SUBTASK: CAUSE", without a name if it was an enumerator, and "" if there is none.
func (s *script) failure(f Failure) string {
	switch {
	case f.Cause == nil:
		return ""
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

func atoi(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// graphOf makes vertices of lines "NAME PARALLELISM".
func graphOf(t *testing.T, lines []string) *execgraph.Graph {
	g := &execgraph.Graph{Job: &jobgraph.Graph{}}
	for _, line := range lines {
		name, parallelism, found := strings.Cut(line, " ")
		if !found {
			continue
		}
		p := atoi(t, parallelism)
		g.Vertices = append(g.Vertices, execgraph.Vertex{
			Job: &jobgraph.Vertex{Name: name}, Parallelism: p, Executions: make([]execgraph.Execution, p),
		})
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
