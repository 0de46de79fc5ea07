package golden

import (
	"errors"
	"fmt"

	"github.com/flott-dev/flott/internal/graph/program"
)

// window is any operator that works on windows of a keyed stream.
func window(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	a, err := b.assigner(s)
	if err != nil {
		return nil, err
	}
	if s.CountTrigger != nil {
		a.trigger, a.atEnd = "CountTrigger", false
	}
	if s.CountEvictor != nil {
		a.evictor = "CountEvictor, "
	}
	if or(s.AllowedLatenessMs, 0) < 0 {
		b.Reject(in[0], "allowed lateness is %d ms; it cannot be negative", *s.AllowedLatenessMs)
	}
	return b.window(s, in[0], a)
}

func countWindow(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	a := countAssigner
	a.trigger = "PurgingTrigger"
	if s.Slide != nil {
		a.trigger, a.evictor = "CountTrigger", "CountEvictor, "
	}
	return b.window(s, in[0], a)
}

func (b *builder) window(s *Step, in *program.Transformation, a assigner) (*program.Transformation, error) {
	f, err := word("fn", s.Fn, functions["reduce"], functions)
	if err != nil {
		return nil, err
	}
	if !b.takes(f, in) {
		return in, nil
	}
	return b.windowed(in, a, f), nil
}

// takes refuses elements that the function's own types do not allow.
func (b *builder) takes(f function, in *program.Transformation) bool {
	if f.longs && in.OutputType != Long {
		b.Reject(in, "the window's function needs elements of type %s, not %s", Long, in.OutputType)
		return false
	}
	return true
}

func (b *builder) windowed(in *program.Transformation, a assigner, f function) *program.Transformation {
	t := b.OneInput(in, a.class, f.output(in))
	t.SetDescription(fmt.Sprintf("Window(%s, %s, %s%s)", a.text, a.trigger, a.evictor, f.text))
	t.EndOutputOnly = a.atEnd
	return t
}

func windowAll(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	a, err := b.assigner(s)
	if err != nil {
		return nil, err
	}
	return b.windowAll(s, in[0], a)
}

func countWindowAll(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	return b.windowAll(s, in[0], countAssigner)
}

// windowAll is a window over a stream in which all records have the same key.
func (b *builder) windowAll(s *Step, in *program.Transformation, a assigner) (*program.Transformation, error) {
	f, err := word("fn", s.Fn, functions["reduce"], functions)
	if err != nil {
		return nil, err
	}
	if f.keyed {
		return nil, fmt.Errorf("unknown fn %q", s.Fn)
	}
	if !b.takes(f, in) {
		return in, nil
	}
	t := b.OneInput(b.KeyBy(in, nil), a.class, f.output(in))
	t.ForceNonParallel()
	t.SetDescription(fmt.Sprintf("TriggerWindow(%s)", a.text))
	return t, nil
}

// windowJoin is join and coGroup: both inputs, tagged, in one window.
func windowJoin(b *builder, s *Step, in []*program.Transformation) (*program.Transformation, error) {
	a, err := b.assigner(s)
	if err != nil {
		return nil, err
	}
	var tagged []*program.Transformation
	for _, side := range in[:2] {
		m := b.OneInput(side, "Map", Long)
		m.Parallelism = side.Parallelism
		tagged = append(tagged, m)
	}
	t := b.windowed(b.KeyBy(b.Union(tagged...), nil), a, function{text: "CoGroupWindowFunction"})
	t.OutputType = typed(s, nil)
	return t, nil
}

// An assigner is a window's assigner and what belongs to it, as plans print it.
type assigner struct {
	class, text, trigger, evictor string
	atEnd                         bool // the trigger fires at end of stream only
}

var countAssigner = assigner{class: "GlobalWindows", text: "GlobalWindows(trigger=NeverTrigger)"}

func (b *builder) assigner(s *Step) (assigner, error) {
	if s.Assigner == nil {
		return assigner{}, errors.New("assigner missing")
	}
	k, ok := assigners[s.Assigner.Type]
	if !ok {
		return assigner{}, fmt.Errorf("unknown assigner %q", s.Assigner.Type)
	}
	a := assigner{class: k.class, trigger: k.trigger, atEnd: k.trigger == "EndOfStreamTrigger"}
	size, slide := or(s.Assigner.SizeMs, 1000), or(s.Assigner.SlideMs, 500)
	switch {
	case k.global:
		a.text = fmt.Sprintf("%s(trigger=%s)", k.class, k.trigger)
		return a, nil
	case k.sliding:
		a.text = fmt.Sprintf("%s(%d, %d)", k.class, size, slide)
	default:
		a.text = fmt.Sprintf("%s(%d)", k.class, size)
	}
	if size <= 0 || k.sliding && slide <= 0 {
		b.Reject(nil, "%s: size and slide must be positive", a.text)
	}
	return a, nil
}

var assigners = map[string]struct {
	class, trigger  string
	sliding, global bool
}{
	"tumblingEvent":      {class: "TumblingEventTimeWindows", trigger: "EventTimeTrigger"},
	"tumblingProcessing": {class: "TumblingProcessingTimeWindows", trigger: "ProcessingTimeTrigger"},
	"slidingEvent":       {class: "SlidingEventTimeWindows", trigger: "EventTimeTrigger", sliding: true},
	"slidingProcessing":  {class: "SlidingProcessingTimeWindows", trigger: "ProcessingTimeTrigger", sliding: true},
	"sessionEvent":       {class: "EventTimeSessionWindows", trigger: "EventTimeTrigger"},
	"sessionProcessing":  {class: "ProcessingTimeSessionWindows", trigger: "ProcessingTimeTrigger"},
	"global":             {class: "GlobalWindows", trigger: "NeverTrigger", global: true},
	"globalEndOfStream":  {class: "GlobalWindows", trigger: "EndOfStreamTrigger", global: true},
}

// A function is what a window does, as plans print it.
type function struct {
	text  string
	keyed bool // windows of keyed streams only
	longs bool // takes elements of type Long only
	same  bool // its results are of the elements' type
}

func (f function) output(in *program.Transformation) Type {
	if f.same {
		return in.OutputType.(Type)
	}
	return Long
}

var functions = map[string]function{
	"reduce":           {text: "ReduceFn, PassThroughWindowFunction", same: true},
	"reduceProcess":    {text: "ReduceFn, ProcessWindowFn", keyed: true},
	"aggregate":        {text: "AggregateFn, PassThroughWindowFunction", longs: true},
	"aggregateProcess": {text: "AggregateFn, ProcessWindowFn", keyed: true},
	"process":          {text: "ProcessWindowFn"},
	"apply":            {text: "WindowFn"},
	"sum":              {text: "SumAggregator, PassThroughWindowFunction", longs: true},
}
