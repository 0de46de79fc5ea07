package record_test

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/label"
)

// operatorAtWork is the label of this goroutine, as a profile has it: "" while the task itself works, "none" without labels.
func operatorAtWork(t *testing.T) string {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	for entry := range strings.SplitSeq(b.String(), "\n\n") {
		if !strings.Contains(entry, "operatorAtWork") {
			continue
		}
		if !strings.Contains(entry, `"task":"t"`) {
			return "none"
		}
		_, after, _ := strings.Cut(entry, `"`+label.Operator+`":"`)
		name, _, _ := strings.Cut(after, `"`)
		return name
	}
	return "not in the profile"
}

// TestLabelsFollowTheOperatorAtWork lets one operator call another one, and itself.
func TestLabelsFollowTheOperatorAtWork(t *testing.T) {
	defer pprof.SetGoroutineLabels(context.Background())
	running := -1
	labels := record.LabelsOf(pprof.Labels(label.Task, "t"), []string{"map", "filter"})
	links := make([]record.Link, 2)
	for i := range links {
		links[i] = record.Link{Running: &running, Labels: labels, Operator: i}
	}
	var seen []string
	see := func() { seen = append(seen, operatorAtWork(t)) }
	see()
	run := func(l *record.Link, f func()) {
		if err := l.Run(func() error { f(); return nil }); err != nil {
			t.Error(err)
		}
	}
	run(&links[0], func() {
		see()
		run(&links[0], see)
		run(&links[1], see)
		see()
	})
	see()
	if got, want := strings.Join(seen, ","), "none,map,map,filter,map,"; got != want {
		t.Errorf("operators at work %q, want %q", got, want)
	}
}

// BenchmarkLink is what a batch pays for a link: with labels some 16 ns more than without, for up to 256 records.
func BenchmarkLink(b *testing.B) {
	for name, labels := range map[string]record.Labels{"plain": nil, "labels": record.LabelsOf(pprof.Labels(label.Task, "t"), []string{"map"})} {
		b.Run(name, func(b *testing.B) {
			defer pprof.SetGoroutineLabels(context.Background())
			running := -1
			l := record.Link{Running: &running, Labels: labels}
			for b.Loop() {
				if err := l.Leave(l.Enter(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
