package flott_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/connector/memory"
)

// A pipe is a stream and, told beforehand, the records that it has, in any order.
type pipe struct {
	stream flott.Stream[int64]
	want   []int64
}

// A plumber writes random programs.
type plumber struct {
	*rapid.T
	env   *flott.Environment
	pipes []pipe
}

func (p *plumber) number(from, to int, what string) int {
	return rapid.IntRange(from, to).Draw(p.T, what)
}

func (p *plumber) any() pipe { return p.pipes[p.number(0, len(p.pipes)-1, "input")] }

// steps are what can be put behind a pipe.
var steps = map[string]func(p *plumber, in pipe) pipe{
	"map": func(p *plumber, in pipe) pipe {
		return pipe{in.stream.Map(double), mapped(double, in.want)}
	},
	"map by batch": func(p *plumber, in pipe) pipe {
		return pipe{in.stream.MapBatch(func(in, out []int64) {
			for i, n := range in {
				out[i] = n + 1
			}
		}), mapped(func(n int64) int64 { return n + 1 }, in.want)}
	},
	"filter": func(p *plumber, in pipe) pipe {
		rest := int64(p.number(0, 2, "rest"))
		keep := func(n int64) bool { return n%3 != rest }
		return pipe{in.stream.Filter(keep), slices.DeleteFunc(slices.Clone(in.want), func(n int64) bool { return !keep(n) })}
	},
	"union": func(p *plumber, in pipe) pipe {
		other := p.any()
		return pipe{in.stream.Union(other.stream), slices.Concat(in.want, other.want)}
	},
	"connect": func(p *plumber, in pipe) pipe {
		other := p.any()
		minus := func(n int64) int64 { return -n }
		return pipe{in.stream.Connect(other.stream).Map(double, minus), slices.Concat(mapped(double, in.want), mapped(minus, other.want))}
	},
	"key": func(p *plumber, in pipe) pipe {
		return pipe{in.stream.KeyBy(func(n int64) int64 { return n % 7 }).Reduce(func(_, b int64) int64 { return b }), in.want}
	},
	"deal": func(p *plumber, in pipe) pipe {
		ways := []func(flott.Stream[int64]) flott.Stream[int64]{
			flott.Stream[int64].Rebalance, flott.Stream[int64].Rescale, flott.Stream[int64].Shuffle, flott.Stream[int64].Global,
		}
		dealt := ways[p.number(0, len(ways)-1, "way")](in.stream)
		return pipe{dealt.Map(flott.Identity).Parallelism(p.number(1, 4, "parallelism")), in.want}
	},
	"side": func(p *plumber, in pipe) pipe {
		s := in.stream.Process(func(*flott.Runtime) (twoSides, error) { return twoSides{}, nil })
		return pipe{s.Union(s.SideOutput(sideA), s.SideOutput(sideB)), slices.Concat(in.want, in.want)}
	},
}

// Whatever the program, each stream has the records that it should.
func TestRandomPrograms(t *testing.T) {
	names := []string{"map", "map by batch", "filter", "union", "connect", "key", "deal", "side"}
	rapid.Check(t, func(t *rapid.T) {
		p := &plumber{T: t}
		opts := []flott.Option{flott.Parallelism(p.number(1, 3, "default parallelism"))}
		if rapid.Bool().Draw(t, "unchained") {
			opts = append(opts, flott.DisableChaining())
		}
		p.env = flott.New(opts...)
		for range p.number(1, 2, "sources") {
			n := int64(p.number(0, 2000, "records"))
			p.pipes = append(p.pipes, pipe{p.env.From(flott.Generate(n, 0, func(i int64) int64 { return i })), numbersTo(n)})
		}
		for range p.number(1, 8, "steps") {
			p.pipes = append(p.pipes, steps[rapid.SampledFrom(names).Draw(t, "step")](p, p.any()))
		}
		p.run()
	})
}

func numbersTo(n int64) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = int64(i)
	}
	return all
}

// run collects every pipe and compares.
func (p *plumber) run() {
	results := make([]memory.Collector[int64], len(p.pipes))
	for i, pipe := range p.pipes {
		pipe.stream.To(&results[i])
	}
	if _, err := p.env.Execute(context.Background(), "random"); err != nil {
		p.Fatal(err)
	}
	for i, pipe := range p.pipes {
		got, want := slices.Sorted(slices.Values(results[i].Values())), slices.Sorted(slices.Values(pipe.want))
		if !slices.Equal(got, want) {
			p.Errorf("stream %d has %s, want %s", i, brief(got), brief(want))
		}
	}
}

func brief(all []int64) string { return fmt.Sprint(len(all), " records ", all[:min(len(all), 20)]) }
