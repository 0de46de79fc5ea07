package diagnose

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A finding that stays is said in the same words for ten seconds, then in those of now.
func TestWordsLast(t *testing.T) {
	w := newWorld(t, "source sink", 1)
	w.pass(20, map[string]work{"source": {0, 100, 9}, "sink": {100, 0, 9}})
	begun := w.Diagnosis().Since
	words := map[string]int{}
	for i := range 20 {
		d := w.pass(1, map[string]work{"source": {0, 100, 9}, "sink": {90 - i, 0, 9}})
		words[say(d)]++
		if d.Since != begun || d.Findings[0].Since != begun {
			t.Fatalf("since %d and %d, not %d", d.Since, d.Findings[0].Since, begun)
		}
	}
	if len(words) != 3 {
		t.Errorf("%d texts in 20 s: %v", len(words), words)
	}
}

// Words are not kept until a clock that was set back has come to when they were found.
func TestWordsWhenTheClockIsSetBack(t *testing.T) {
	w := newWorld(t, "source", 1)
	again := Failure{Cause: "no route"}
	w.o.At, w.o.State, w.o.Failures = 10_000_000, Restarting, []Failure{again, again}
	expect(t, w.Observe(&w.o), "stalled restarts: The job starts again and again: It failed twice")
	w.o.At, w.o.Failures = 5_000_000, []Failure{again, again, again}
	expect(t, w.Observe(&w.o), "stalled restarts: The job starts again and again: It failed 3 times")
}

func TestChanges(t *testing.T) {
	w := newWorld(t, "source sink", 1)
	before := w.pass(20, map[string]work{"source": {10, 0, 9}, "sink": {10, 0, 9}})
	jammed := w.pass(20, map[string]work{"source": {0, 100, 9}, "sink": {100, 0, 9}})
	hangs := w.pass(70, map[string]work{"source": {0, 100, 0}, "sink": {100, 0, 0}})
	names := func(all []Finding) string {
		var kinds []string
		for _, f := range all {
			kinds = append(kinds, string(f.Kind))
		}
		return strings.Join(kinds, " ")
	}
	for _, c := range []struct {
		from, to     Diagnosis
		begun, ended string
	}{{before, before, "", ""}, {before, jammed, "bottleneck", ""}, {jammed, jammed, "", ""}, {jammed, hangs, "progress", "bottleneck"}, {hangs, before, "", "progress"}} {
		begun, ended := Changes(c.from, c.to)
		if names(begun) != c.begun || names(ended) != c.ended {
			t.Errorf("begun %q, ended %q; want %q, %q", names(begun), names(ended), c.begun, c.ended)
		}
	}
	if jammed.Since == hangs.Since || jammed.Since == 0 {
		t.Errorf("since %d and %d", jammed.Since, hangs.Since)
	}
}

// Each kind of finding is explained to users.
func TestKindsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/diagnosis.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range importance {
		if !strings.Contains(string(text), fmt.Sprintf("\n## %s\n", k)) {
			t.Errorf("docs/diagnosis.md says nothing of %s", k)
		}
	}
}

func TestWords(t *testing.T) {
	for ms, want := range map[int64]string{0: "0 ms", 999: "999 ms", 1499: "1 s", 60_000: "1 min", 90_000: "1 min 30 s", 3_600_000: "1 h", 5_400_000: "1 h 30 min", 90_000_000: "1 d 1 h"} {
		if got := duration(ms); got != want {
			t.Errorf("%d ms is %q, want %q", ms, got, want)
		}
	}
	long := Observation{Vertices: []Vertex{{Name: strings.Repeat("ä", 100)}}}
	if got := []rune(long.name(0)); len(got) != mostName || got[mostName-1] != '…' {
		t.Errorf("a long name is %s", string(got))
	}
}
