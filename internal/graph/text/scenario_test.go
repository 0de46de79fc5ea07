package text

import (
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/graph/program"
)

type element string

func (e element) String() string { return string(e) }

// warnings compiles a program and returns what is said of it.
func warnings(t *testing.T, build func(p *program.Program)) string {
	t.Helper()
	config := program.Defaults()
	config.Parallelism = 4
	p := program.New(config)
	build(p)
	c, err := compile(p)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(Warnings(c.stream, c.job), "\n")
}

func wantWarning(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("no warning %q in:\n%s", want, got)
	}
}

func noWarning(t *testing.T, got, unwanted string) {
	t.Helper()
	if strings.Contains(got, unwanted) {
		t.Errorf("unwanted warning %q in:\n%s", unwanted, got)
	}
}

const long = element("LONG")

// An edge to a committer of parallelism 1 chains when the source's parallelism happens to be 1, and only then.
func TestScenario_A4(t *testing.T) {
	build := func(sourceParallelism int, startNewChain bool) func(p *program.Program) {
		return func(p *program.Program) {
			p.Config.Parallelism = sourceParallelism
			s := p.Source("events", false, long)
			c := p.OneInput(s, "committer", nil)
			c.SetParallelism(1)
			if startNewChain {
				c.SetChaining(program.ChainHead)
			}
		}
	}
	wantWarning(t, warnings(t, build(1, false)), "Source: events -> committer are chained only because the job's parallelism is 1")
	wantWarning(t, warnings(t, build(2, false)), "Source: events -> committer would be chained at parallelism 1")
	noWarning(t, warnings(t, build(1, true)), "committer")
	noWarning(t, warnings(t, build(2, true)), "committer")
}

// The chain runs with its head's max parallelism, above what a later operator allows.
func TestScenario_A5(t *testing.T) {
	got := warnings(t, func(p *program.Program) {
		s := p.Source("src", true, long)
		a := p.OneInput(s, "map1", long)
		a.SetChaining(program.ChainHead)
		a.SetMaxParallelism(128)
		b := p.OneInput(a, "map2", nil)
		b.SetMaxParallelism(32)
	})
	wantWarning(t, got, "map2 has max parallelism 32, but runs in the chain of map1 with 128")
}

// A global aggregate followed by a sink that was left at the default parallelism.
func TestScenario_A7(t *testing.T) {
	build := func(rebalance bool, sinkParallelism int) func(p *program.Program) {
		return func(p *program.Program) {
			s := p.Source("src", true, long)
			agg := p.OneInput(s, "globalAgg", long)
			agg.ForceNonParallel()
			if rebalance {
				agg = p.Repartition(agg, program.Rebalance, nil)
			}
			sink := p.LegacySink(agg, "out")
			if sinkParallelism > 0 {
				sink.SetParallelism(sinkParallelism)
			}
		}
	}
	const reordered = "globalAgg has parallelism 1 and Sink: out has 4, so that results of one key"
	wantWarning(t, warnings(t, build(false, 0)), reordered)
	noWarning(t, warnings(t, build(true, 0)), reordered) // the program asks for it
	noWarning(t, warnings(t, build(false, 1)), "so that results of one key")
}

// The operators that a join adds on its own have no uid, although the program sets one wherever it can.
func TestScenario_A8(t *testing.T) {
	got := warnings(t, func(p *program.Program) {
		s := p.Source("src", true, long)
		s.SetUID("source")
		tagged := p.OneInput(s, "tag left", long)
		tagged.Hidden = true
		join := p.OneInput(tagged, "join", nil)
		join.SetUID("join")
	})
	wantWarning(t, got, "tag left has no uid and cannot be given one")
	noWarning(t, got, "] join")
	noWarning(t, got, "Source: src")
}
