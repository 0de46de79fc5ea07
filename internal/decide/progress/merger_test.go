package progress

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// A speaker is an Output that writes down what it is told.
type speaker struct{ words []string }

func (s *speaker) Watermark(t int64) error {
	s.words = append(s.words, written(t))
	return nil
}

func (s *speaker) Idle(idle bool) error {
	s.words = append(s.words, map[bool]string{true: "idle", false: "active"}[idle])
	return nil
}

func written(t int64) string {
	switch t {
	case None:
		return "none"
	case End:
		return "end"
	}
	return strconv.FormatInt(t, 10)
}

// play tells a merger of n inputs what a script says, one event a line, and writes after each what the merger says to it:
//
//	0 100        place 0 comes to watermark 100
//	0 idle       ... falls idle; also: active, finish, remove
//	add          a new input
//	finish       of all
func play(n int, script string) string {
	m := New(n)
	var b strings.Builder
	for line := range strings.Lines(script) {
		out := speaker{}
		line = strings.TrimSpace(line)
		_ = step(m, strings.Fields(line)).Send(&out)
		fmt.Fprintln(&b, answered(line, strings.Join(out.words, ", ")))
	}
	return b.String()
}

func answered(event, answer string) string {
	if answer == "" {
		return event
	}
	return fmt.Sprintf("%-8s -> %s", event, answer)
}

func step(m *Merger, words []string) Effect {
	switch words[0] {
	case "add":
		_, e := m.Add()
		return e
	case "finish":
		return m.FinishAll()
	}
	place, err := strconv.Atoi(words[0])
	if err != nil {
		panic(err)
	}
	switch words[1] {
	case "idle", "active":
		return m.SetIdle(place, words[1] == "idle")
	case "finish":
		return m.Finish(place)
	case "remove":
		return m.Remove(place)
	case "end":
		return m.Advance(place, End)
	}
	t, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		panic(err)
	}
	return m.Advance(place, t)
}

func TestMerger(t *testing.T) {
	datadriven.RunTest(t, "testdata/merge", func(t *testing.T, d *datadriven.TestData) string {
		var n int
		d.ScanArgs(t, "inputs", &n)
		return play(n, d.Input)
	})
}

// expect plays a script that has the answers beside it.
func expect(t *testing.T, n int, dialogue string) {
	t.Helper()
	var script, want strings.Builder
	for line := range strings.Lines(strings.TrimSpace(dialogue)) {
		event, answer, _ := strings.Cut(line, "->")
		event, answer = strings.TrimSpace(event), strings.TrimSpace(answer)
		fmt.Fprintln(&script, event)
		fmt.Fprintln(&want, answered(event, answer))
	}
	if got := play(n, script.String()); got != want.String() {
		t.Errorf("got\n%swant\n%s", got, want.String())
	}
}

// All inputs fall idle at 100; one comes back with nothing new. It must be heard: it holds the watermark again.
func TestScenario_B4(t *testing.T) {
	expect(t, 2, `
		0 100
		1 100    -> 100
		0 idle
		1 idle   -> idle
		0 active -> active
		1 active
		1 500
		0 200    -> 200`)
	// Downstream, where another input is ahead: what came back is not overtaken.
	expect(t, 2, `
		0 100
		1 300    -> 100
		0 idle   -> 300
		0 active
		1 900
		0 400    -> 400`)
}

// All splits of the first phase are gone, those of the second are not there yet: nobody waits for them.
func TestScenario_B5(t *testing.T) {
	expect(t, 1, `
		0 1000   -> 1000
		0 remove -> idle
		add      -> active
		0 1500   -> 1500`)
}

// A finished input is not one with the largest watermark: the other one falls idle and must not pull the result there.
func TestScenario_B7(t *testing.T) {
	expect(t, 2, `
		0 40
		1 50     -> 40
		0 end    -> 50
		1 idle   -> idle
		1 active -> active
		1 60     -> 60
		1 end    -> end`)
}

// The end comes through although everything is idle.
func TestScenario_B8(t *testing.T) {
	expect(t, 2, `
		0 10
		1 10     -> 10
		0 idle
		1 idle   -> idle
		0 end
		1 end    -> active, end`)
	expect(t, 1, `
		0 10     -> 10
		0 idle   -> idle
		finish   -> active, end`)
}
