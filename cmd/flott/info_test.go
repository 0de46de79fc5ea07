package main

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
)

func TestPlacement(t *testing.T) {
	at := func(managers ...string) (all []client.Subtask) {
		for i, m := range managers {
			all = append(all, client.Subtask{Index: i, TaskManager: m})
		}
		return all
	}
	all := []client.Placement{{ID: "a", Subtasks: at("x", "x", "y", "", "")}, {ID: "b", Subtasks: at("x")}}
	for vertex, want := range map[string]string{"a": "0-1 on x, 2 on y, 3-4 without a slot", "b": "0 on x", "c": "-"} {
		if got := placement(all, vertex); got != want {
			t.Errorf("%s is %s", vertex, got)
		}
	}
}

// States are in the order in which they were entered; of those at the same time, in Flink's.
func TestHistory(t *testing.T) {
	j := &client.Overview{Span: client.Span{Start: 1000}, Timestamps: map[view.JobState]int64{
		view.Running: 1000, view.Created: 1000, view.Failed: 62_000, view.Restarting: 1500, view.Finished: 0,
	}}
	if got := history(j); got != "CREATED after 0s, RUNNING after 0s, RESTARTING after 500ms, FAILED after 1m1s" {
		t.Error(got)
	}
}

func TestLongStackIsCut(t *testing.T) {
	var out strings.Builder
	printException(&out, client.Exception{Name: "panic", Task: "map (1/4)", TaskManager: "x", Text: strings.Repeat("line\n", 20)})
	if text := out.String(); !strings.Contains(text, "panic in map (1/4) on x\n") || strings.Count(text, "line\n") != mostLines || !strings.Contains(text, "8 more lines") {
		t.Error(text)
	}
}

func TestFindingsArePrinted(t *testing.T) {
	var out strings.Builder
	d := &client.Details{Diagnosis: client.Diagnosis{Findings: []client.Finding{
		{Level: "warn", Head: "count is the bottleneck", Detail: "Subtask 3 is 99 % busy.", Advice: "Raise its parallelism."},
		{Level: "pending", Head: "the job begins", Detail: "2 of 3 tasks run."},
	}}}
	if err := printDetails(&out, d, "http://here:8081"); err != nil {
		t.Fatal(err)
	}
	want := "\nwarn: count is the bottleneck\n  Subtask 3 is 99 % busy.\n  Raise its parallelism.\n\npending: the job begins\n  2 of 3 tasks run.\n\nlook at it: http://here:8081/#/job/00000000000000000000000000000000/graph\n\nVERTEX"
	if !strings.Contains(out.String(), want) {
		t.Error(out.String())
	}
}

// What a user's program calls itself, and says when it fails, does not control the terminal, nor looks like lines of flott's.
func TestTextsOfUsersDoNotControlTheTerminal(t *testing.T) {
	const bad = "a\x1b[2J\u009b1mb\r\nc"
	var out strings.Builder
	d := &client.Details{
		Job:        client.Overview{Name: bad, Vertices: []client.Vertex{{Name: bad}}},
		Diagnosis:  client.Diagnosis{Findings: []client.Finding{{Level: "warn", Head: bad, Detail: bad}}},
		Exceptions: []client.Exception{{Name: "panic", Task: bad, Text: "a\x1b[2J\u009b1mb\r"}},
	}
	if err := errors.Join(printDetails(&out, d, "http://here"), printJobs(&out, []client.Job{{Name: bad}})); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsFunc(out.String(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) || strings.Contains(out.String(), "\nc") {
		t.Errorf("%q", out.String())
	}
}

func TestLasting(t *testing.T) {
	for milliseconds, want := range map[int64]string{-1: "-", 0: "0s", 1234: "1.23s", 61_400: "1m1s"} {
		if got := lasting(milliseconds); got != want {
			t.Errorf("%d is %s", milliseconds, got)
		}
	}
}
