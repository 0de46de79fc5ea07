package golden

import (
	"errors"
	"fmt"

	"github.com/flott-dev/flott/internal/graph/program"
)

// A Type is a type of elements; specs have two.
type Type string

const (
	Long   Type = "Long"
	String Type = "String"
)

// String is Flink's name of the type.
func (t Type) String() string { return string(t) }

// Program makes the calls. The map gives the transformation of each step, the last one if it made several. The error is for specs
// that break the format; what Flink refuses is in the program's Rejections, and the call that caused it is the last one made.
func (s *Spec) Program() (*program.Program, map[string]*program.Transformation, error) {
	if s.Steps == nil {
		return nil, nil, errors.New("golden: no steps")
	}
	config, err := s.Env.config()
	if err != nil {
		return nil, nil, err
	}
	b := &builder{Program: program.New(config), streams: map[string]*program.Transformation{}}
	for i := range s.Steps {
		if b.Rejections != nil {
			break
		}
		if err := b.step(&s.Steps[i]); err != nil {
			return nil, nil, fmt.Errorf("golden: step %q: %w", s.Steps[i].ID, err)
		}
	}
	return b.Program, b.streams, nil
}

// A builder is a program as its steps are called.
type builder struct {
	*program.Program
	streams map[string]*program.Transformation // by step id
	caches  int
}

func (b *builder) step(s *Step) error {
	if _, taken := b.streams[s.ID]; taken || s.ID == "" {
		return errors.New("missing or repeated id")
	}
	inputs, err := b.inputs(s)
	if err != nil {
		return err
	}
	call, ok := calls[s.Op]
	if !ok {
		return fmt.Errorf("unknown op %q", s.Op)
	}
	if len(inputs) < call.inputs {
		return fmt.Errorf("%s has %d inputs, needs %d", s.Op, len(inputs), call.inputs)
	}
	t, err := call.make(b, s, inputs)
	if err != nil || b.Rejections != nil {
		return err
	}
	if err := s.Properties.check(t.Kind.Virtual()); err != nil {
		return err
	}
	s.Properties.set(t)
	b.streams[s.ID] = t
	return nil
}

func (b *builder) inputs(s *Step) ([]*program.Transformation, error) {
	inputs := make([]*program.Transformation, len(s.Inputs))
	for i, name := range s.Inputs {
		in, ok := b.streams[name]
		if !ok || in.Kind == program.KindSink || in.Kind == program.KindLegacySink {
			return nil, fmt.Errorf("input %q is no stream", name)
		}
		inputs[i] = in
	}
	return inputs, nil
}

// A call is an op: how many inputs it needs, and what it adds to the program.
type call struct {
	inputs int
	make   func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error)
}

var calls = map[string]call{
	"source":         {0, (*builder).newSource},
	"fromSequence":   {0, (*builder).fromSequence},
	"fromData":       {0, (*builder).fromData},
	"legacySource":   {0, (*builder).oldSource},
	"socketSource":   {0, (*builder).socketSource},
	"fromCollection": {0, (*builder).fromCollection},

	"map":                 {1, oneInput("Map", typed)},
	"flatMap":             {1, oneInput("Flat Map", typed)},
	"filter":              {1, oneInput("Filter", sameType)},
	"process":             {1, oneInput("Process", typed)},
	"keyedProcess":        {1, keyed(1, oneInput("KeyedProcess", typed))},
	"reduce":              {1, keyed(1, reduce("Keyed Reduce"))},
	"sum":                 {1, keyed(1, longs(1, reduce("Keyed Aggregation")))},
	"assignTimestamps":    {1, assignTimestamps},
	"asyncWait":           {1, longs(1, asyncWait)},
	"transform":           {1, transform},
	"window":              {1, keyed(1, window)},
	"countWindow":         {1, keyed(1, countWindow)},
	"windowAll":           {1, windowAll},
	"countWindowAll":      {1, countWindowAll},
	"fullWindowPartition": {1, fullWindowPartition},

	"rebalance":          {1, repartition(program.Rebalance)},
	"shuffle":            {1, repartition(program.Shuffle)},
	"rescale":            {1, repartition(program.Rescale)},
	"broadcast":          {1, repartition(program.Broadcast)},
	"forward":            {1, repartition(program.Forward)},
	"global":             {1, repartition(program.Global)},
	"partitionCustom":    {1, repartition(program.Custom)},
	"keyBy":              {1, keyBy},
	"reinterpretAsKeyed": {1, reinterpretAsKeyed},
	"union":              {1, union},
	"sideOutput":         {1, sideOutput},
	"cache":              {1, cache},

	"coMap":            {2, twoInput("Co-Map")},
	"coFlatMap":        {2, twoInput("Co-Flat Map")},
	"coProcess":        {2, twoInput("Co-Process")},
	"keyedCoProcess":   {2, keyedCoProcess},
	"transform2":       {2, transform2},
	"broadcastConnect": {2, broadcastConnect},
	"intervalJoin":     {2, keyed(2, longs(2, intervalJoin))},
	"join":             {2, longs(2, windowJoin)},
	"coGroup":          {2, windowJoin},
	"multiInput":       {0, multiInput},

	"print":      {1, legacySink("Print to Std. Out", true)},
	"legacySink": {1, legacySink("Unnamed", false)},
	"discard":    {1, plainSink},
	"printV2":    {1, plainSink},
	"sinkV2":     {1, sinkV2},
}

type makeFunc = func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error)

// keyed is a call whose first n inputs must be keyed streams.
func keyed(n int, make makeFunc) makeFunc {
	return func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
		for _, t := range in[:n] {
			if !t.KeyedStream() {
				return nil, fmt.Errorf("%s needs a keyed input", s.Op)
			}
		}
		return make(b, s, in)
	}
}

// longs is a call whose first n inputs must be of type Long, since its function says so: Flink refuses others.
func longs(n int, make makeFunc) makeFunc {
	return func(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
		for _, t := range in[:n] {
			if t.OutputType != Long {
				b.Reject(t, "%s needs elements of type %s, not %s", s.Op, Long, t.OutputType)
				return t, nil
			}
		}
		return make(b, s, in)
	}
}

// typed is the output type that the step names.
func typed(s *Step, _ *program.Transformation) Type {
	if s.Type == "string" {
		return String
	}
	return Long
}

func sameType(_ *Step, in *program.Transformation) Type { return in.OutputType.(Type) }

func or[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

// word looks a word up; "" stands for the fallback.
func word[T any](kind, s string, fallback T, words map[string]T) (T, error) {
	if s == "" {
		return fallback, nil
	}
	v, ok := words[s]
	if !ok {
		return v, fmt.Errorf("unknown %s %q", kind, s)
	}
	return v, nil
}
