// Package graphtest writes programs for tests of the graphs in few words, a step a line:
//
//	parallelism 2                     a setting of the whole program
//	s = source                        name = kind, then inputs by name, then properties
//	k = keyby s
//	r = reduce k uid=count p=4        key=value, or a word alone for what is true or not
//	r.late = side r                   the tag of a side output is its name behind the dot
//	c = committing r pre-write=map    a sink, and a topology of its own
//	o = print r
//
// Operators are named as their step unless they have a name=.
package graphtest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// Job compiles a program as far as a job graph.
func Job(text string) (*jobgraph.Graph, error) {
	s, err := Stream(text)
	if err != nil {
		return nil, err
	}
	return jobgraph.From(s)
}

// Stream compiles a program as far as a stream graph.
func Stream(text string) (*streamgraph.Graph, error) {
	p, err := Program(text)
	if err != nil {
		return nil, err
	}
	return streamgraph.From(p)
}

// Program reads a program. The error is about the text; what is wrong with the program itself, its stages find.
func Program(text string) (*program.Program, error) {
	r := reader{config: program.Defaults(), steps: map[string]*program.Transformation{}}
	r.config.AdaptiveBatch = false
	for i, line := range strings.Split(text, "\n") {
		if err := r.line(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return r.program, r.program.Rejections.Err()
}

// A reader is a program read so far.
type reader struct {
	config  program.Config
	program *program.Program // made with the first step
	steps   map[string]*program.Transformation
}

func (r *reader) line(words []string) error {
	switch {
	case len(words) == 0:
		return nil
	case len(words) > 2 && words[1] == "=":
		if r.program == nil {
			r.program = program.New(r.config)
		}
		return r.step(words[0], words[2], words[3:])
	default:
		return r.setting(words[0], strings.Join(words[1:], " "))
	}
}

func (r *reader) setting(key, value string) error {
	c := &r.config
	switch key {
	case "parallelism":
		c.Parallelism = number(value)
	case "max":
		c.MaxParallelism = number(value)
	case "mode":
		c.Mode = program.Mode(value)
	case "shuffle":
		c.BatchShuffle = program.BatchShuffle(value)
	case "adaptive":
		c.AdaptiveBatch = true
	case "unchained":
		c.Chaining = false
	case "equal-max":
		c.ChainDifferentMaxParallelism = false
	case "checkpoints":
		c.CheckpointIntervalMs = int64(number(value))
	case "unaligned":
		c.Unaligned = true
	case "no-uids":
		c.GenerateUIDs = false
	case "unsorted":
		c.SortedInputs, c.BatchState = false, false
	case "cascading":
		c.CascadingDescriptions = true
	case "prefix":
		c.VertexIndexPrefix = true
	case "job":
		c.JobName = value
	default:
		return fmt.Errorf("no setting %q", key)
	}
	return nil
}

func (r *reader) step(name, kind string, words []string) error {
	var in []*program.Transformation
	for len(words) > 0 && r.steps[words[0]] != nil {
		in = append(in, r.steps[words[0]])
		words = words[1:]
	}
	t := r.make(name, kind, in)
	if t == nil {
		return fmt.Errorf("no kind %q with %d inputs", kind, len(in))
	}
	r.steps[name] = t
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		if !property(t, key, value) {
			return fmt.Errorf("no step and no property %q", w)
		}
	}
	return nil
}

func (r *reader) make(name, kind string, in []*program.Transformation) *program.Transformation {
	p := r.program
	if strategy := program.Strategy(strings.ToUpper(kind)); len(in) == 1 && partitionings[strategy] {
		return p.Repartition(in[0], strategy, nil)
	}
	switch {
	case kind == "source" && len(in) == 0:
		return p.Source(name, true, nil)
	case kind == "endless" && len(in) == 0:
		return p.Source(name, false, nil)
	case kind == "legacy" && len(in) == 0:
		return p.LegacySource(name, true, true, nil)
	case kind == "union":
		return p.Union(in...)
	case kind == "multi":
		return p.MultiInput(in, name, nil)
	case kind == "co" && len(in) == 2:
		return p.TwoInput(in[0], in[1], name, nil)
	case kind == "with" && len(in) == 2: // the second input is broadcast
		return p.BroadcastState(in[0], p.Repartition(in[1], program.Broadcast, nil), name, nil)
	case len(in) != 1:
		return nil
	}
	switch kind {
	case "map":
		return p.OneInput(in[0], name, nil)
	case "reduce":
		return p.Reduce(in[0], name, nil)
	case "keyby":
		return p.KeyBy(in[0], nil)
	case "side":
		_, tag, _ := strings.Cut(name, ".")
		return p.SideOutput(in[0], program.Tag{Name: tag})
	case "print":
		return p.LegacySink(in[0], name)
	case "sink":
		return p.Sink(in[0], name, program.Sink{})
	case "committing": // a sink with a committer
		return p.Sink(in[0], name, program.Sink{HasCommitter: true})
	case "cache":
		return p.Cached(in[0], program.Cache{DataSet: dataSet})
	case "cached": // by an earlier job
		return p.Cached(in[0], program.Cache{DataSet: dataSet, Exists: true})
	}
	return nil
}

// dataSet is the id of what caches keep.
const dataSet = "00000000000000000000000000000001"

// topology is steps of a sink's own, as "rebalance,map:uid=x:p=3,global-committer".
func topology(steps string) program.Topology {
	return func(p *program.Program, in *program.Transformation) *program.Transformation {
		for _, step := range strings.Split(steps, ",") {
			words := strings.Split(step, ":")
			switch strategy := program.Strategy(strings.ToUpper(words[0])); {
			case partitionings[strategy]:
				in = p.Repartition(in, strategy, nil)
			case words[0] == "global-committer":
				in = p.GlobalCommitter(in, nil)
			default:
				in = p.OneInput(in, words[0], nil)
			}
			for _, w := range words[1:] {
				key, value, _ := strings.Cut(w, "=")
				property(in, key, value)
			}
		}
		return in
	}
}

var partitionings = map[program.Strategy]bool{
	program.Forward: true, program.Rebalance: true, program.Shuffle: true, program.Rescale: true,
	program.Broadcast: true, program.Global: true, program.Custom: true,
}

func property(t *program.Transformation, key, value string) bool {
	switch key {
	case "p":
		t.SetParallelism(number(value))
	case "max":
		t.SetMaxParallelism(number(value))
	case "name":
		t.SetName(strings.ReplaceAll(value, "_", " "))
	case "desc":
		t.SetDescription(strings.ReplaceAll(value, "_", " "))
	case "uid":
		t.SetUID(value)
	case "hash":
		t.SetUserHash(value)
	case "slot":
		t.SetSlotSharingGroup(value)
	case "beside":
		t.SetCoLocation(value)
	case "timeout":
		t.SetBufferTimeout(int64(number(value)))
	case "chain":
		t.SetChaining(program.Chaining(value))
	case "memory":
		t.OperatorMemory = number(value)
	case "yields":
		t.Yielding = true
	case "end-only":
		t.EndOutputOnly = true
	case "selects":
		t.InputSelectable = true
	case "site":
		t.Site = value
	case "pre-write":
		t.Sink.PreWrite = topology(value)
	case "pre-commit":
		t.Sink.PreCommit = topology(value)
	case "post-commit":
		t.Sink.PostCommit = topology(value)
	default:
		return false
	}
	return true
}

// number is a number that a test wrote, so that it is one.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}
