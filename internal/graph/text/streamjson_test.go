package text

import (
	"testing"

	"github.com/flott-dev/flott/internal/graph/program"
)

func TestStreamDocumentSaysWhereAnOperatorIsDeclaredAndWhatItKeeps(t *testing.T) {
	p := program.New(program.Defaults())
	s := p.Source("events", false, long)
	s.Site = "main.go:3"
	rules := p.BroadcastState(s, s, "rules", long)
	rules.Site = "main.go:5"
	c, err := compile(p)
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]string
	for _, n := range StreamDocumentOf(c.stream, c.job).Nodes {
		got = append(got, [2]string{n.DeclaredAt, n.State})
	}
	want := [][2]string{{"main.go:3", "positions of its splits"}, {"main.go:5", "broadcast state"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
}
