package slots

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/flott-dev/flott/internal/id"
)

// The scripts in testdata are lives of a cluster: each line of "step" is an event, answered with what is to be done. Time goes on by a
// millisecond with each, and by what "later" says.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &script{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "pool":
				*s = script{pool: NewPool()}
				return ""
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
	pool *Pool
	now  int64
}

func (s *script) steps(t *testing.T, input string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(input, "\n") {
		s.now++
		fmt.Fprintf(&b, "%s\n", line)
		for _, e := range s.pool.Step(s.event(t, strings.Fields(line)), s.now) {
			if text := s.effect(e); text != "" {
				fmt.Fprintf(&b, "  %s\n", text)
			}
		}
	}
	return b.String()
}

func (s *script) event(t *testing.T, words []string) Event {
	switch words[0] {
	case "joined": // NAME SLOTS
		return Joined{words[1], atoi(t, words[2]), int64(atoi(t, words[2])) << 30}
	case "heard": // NAME WORKER...
		h := Heard{TaskManager: words[1]}
		for _, w := range words[2:] {
			h.Workers = append(h.Workers, workerNamed(w))
		}
		return h
	case "left":
		return Left{words[1], errors.New("closed")}
	case "requested": // JOB SLOT~NEAR...
		r := Requested{Job: jobNamed(words[1])}
		for _, w := range words[2:] {
			slot, near, ok := strings.Cut(w, "~")
			wish := Wish{Slot: atoi(t, slot)}
			if ok {
				wish.Near = []int{atoi(t, near)}
			}
			r.Wishes = append(r.Wishes, wish)
		}
		return r
	case "ended":
		return Ended{jobNamed(words[1])}
	case "abandoned":
		return Abandoned{workerNamed(words[1])}
	case "exited":
		return Exited{workerNamed(words[1]), errors.New("killed")}
	case "later":
		d, err := time.ParseDuration(words[1])
		if err != nil {
			t.Fatal(err)
		}
		s.now += d.Milliseconds()
		return Woken{}
	}
	t.Fatalf("no event %q", words)
	return nil
}

func (s *script) effect(e Effect) string {
	switch e := e.(type) {
	case Give:
		text := "give " + jobName(e.Job)
		for _, g := range e.Grants {
			text += fmt.Sprintf(" %d=%s.%d", g.Slot, short(g.Worker), g.Place.Slot)
		}
		return text
	case Lack:
		return fmt.Sprintf("%s lacks: %d of %d free", jobName(e.Job), e.Free, e.Slots)
	case Lose:
		return fmt.Sprintf("%s loses %s: %v", jobName(e.Job), short(e.Worker), e.Cause)
	case Cut:
		return fmt.Sprintf("%s may miss what %s has printed: %v", jobName(e.Job), short(e.Worker), e.Cause)
	case Drop:
		return fmt.Sprintf("drop %s: %v", e.TaskManager, e.Cause)
	case Start:
		return fmt.Sprintf("start %s: %d slots, %d GB", short(e.Worker), e.Slots, e.Memory>>30)
	case Stop:
		return "stop " + short(e.Worker)
	}
	return ""
}

// Jobs are called a, b, ...; the worker "x/a/1" of job a on TaskManager x.

func jobNamed(name string) id.Job { return id.Job{name[0]} }

func jobName(j id.Job) string { return string(rune(j[0])) }

func workerNamed(name string) WorkerID {
	parts := strings.Split(name, "/")
	return WorkerID(fmt.Sprintf("%s/%s/%s", parts[0], jobNamed(parts[1]), parts[2]))
}

func short(w WorkerID) string {
	parts := strings.Split(string(w), "/")
	n, _ := strconv.ParseUint(parts[1][:2], 16, 8)
	return fmt.Sprintf("%s/%c/%s", parts[0], rune(n), parts[2])
}

func atoi(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOwners(t *testing.T) {
	p := NewPool()
	p.Step(Joined{"x", 2, 0}, 1)
	p.Step(Requested{jobNamed("a"), []Wish{{Slot: 0}}}, 2)
	if got, want := p.Owners("x"), []Owner{{workerNamed("x/a/1"), jobNamed("a")}, {}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !p.Works(jobNamed("a")) || p.Works(jobNamed("b")) {
		t.Error("only job a has a worker")
	}
}
