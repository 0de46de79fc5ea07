package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The tables in the documentation are Markdown's.
func TestKeysAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []Scope{Program, Cluster} {
		if !strings.Contains(string(doc), "\n"+Markdown(of)+"\n") {
			t.Errorf("docs/configuration.md has not this table:\n%s", Markdown(of))
		}
	}
	for _, name := range Reserved {
		if !strings.Contains(string(doc), "`"+name) {
			t.Errorf("docs/configuration.md says nothing of %s", name)
		}
	}
}

// What counts is the last that was found, and it says where.
func TestOrigins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.yaml")
	if err := os.WriteFile(file, []byte("parallelism:\n  default: 2\nrest.port: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Read(file, []string{"FLOTT_REST_PORT=2", "FLOTT_ROLE=plan", "HOME=x"})
	if len(s.Mistakes) > 0 {
		t.Error(s.Mistakes)
	}
	for _, want := range []Setting{
		{"parallelism.default", "2", file + ":2"},
		{"rest.port", "2", "the environment variable FLOTT_REST_PORT"},
		{"state.backend.type", "hashmap", "default"},
	} {
		k := Keys[slices.IndexFunc(Keys, func(k Key) bool { return k.Name == want.Key })]
		if got := s.Of(k); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	for typed, want := range map[string]string{
		"paralelism.default":       "parallelism.default",
		"parallelism":              "parallelism.default",
		"rest.prot":                "rest.port",
		"execution.buffer-timeout": "execution.buffer-timeout.interval",
		"restart-strategy.failure-rate.max-failures": "restart-strategy.failure-rate.delay",
	} {
		if got := nearest(typed, func(k Key) string { return k.Name }); got != want {
			t.Errorf("nearest to %s is %s, want %s", typed, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	for typed, want := range map[string]bool{"words": true, "word": true, "wrods": true, "endles": false, "": false} {
		if Near(typed, "words") != want {
			t.Errorf("%q is near: %v", typed, !want)
		}
	}
}

func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab.]{0,6}`)
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		ab := distance(a, b)
		if (ab == 0) != (a == b) || ab != distance(b, a) || ab > distance(a, c)+distance(c, b) || ab > max(len(a), len(b)) {
			t.Errorf("from %q to %q it is %d", a, b, ab)
		}
	})
	if d := distance("kitten", "sitting"); d != 3 {
		t.Errorf("from kitten to sitting it is %d", d)
	}
}
