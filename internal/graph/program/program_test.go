package program_test

import (
	"errors"
	"testing"

	"github.com/flott-dev/flott/internal/graph/program"
)

type kind string

func (k kind) String() string { return string(k) }

// refusals are programs with one mistake each, by what is said about it.
var refusals = map[string]func(p *program.Program, source *program.Transformation){
	`main.go:3: operator "source": parallelism is set to 0; it must be at least 1`: func(p *program.Program, s *program.Transformation) {
		s.Site = "main.go:3"
		s.SetParallelism(0)
	},
	`operator "all": parallelism is set to 2, but this operator cannot be parallel`: func(p *program.Program, s *program.Transformation) {
		all := p.OneInput(s, "all", s.OutputType)
		all.ForceNonParallel()
		all.SetParallelism(2)
	},
	`operator "all": max parallelism is set to 2, but this operator cannot be parallel`: func(p *program.Program, s *program.Transformation) {
		all := p.OneInput(s, "all", s.OutputType)
		all.ForceNonParallel()
		all.SetMaxParallelism(2)
	},
	`operator "socket": parallelism is set to 2, but this operator cannot be parallel`: func(p *program.Program, s *program.Transformation) {
		socket := p.LegacySource("socket", false, false, kind("line"))
		socket.SetMaxParallelism(2)
		socket.SetParallelism(2)
	},
	`operator "source": max parallelism is set to 40000; it must be between 1 and 32768`: func(p *program.Program, s *program.Transformation) {
		s.SetMaxParallelism(40000)
	},
	`operator "source": uid hash "xyz" is not 32 hexadecimal digits`: func(p *program.Program, s *program.Transformation) {
		s.SetUserHash("xyz")
	},
	`operator "sink": a uid hash cannot be set on a sink that expands into several operators`: func(p *program.Program, s *program.Transformation) {
		p.Sink(s, "sink", program.Sink{}).SetUserHash("00112233445566778899aabbccddeeff")
	},
	`operator "source": buffer timeout is set to -2 ms; it must not be negative, or be -1 for the default`: func(p *program.Program, s *program.Transformation) {
		s.SetBufferTimeout(-2)
	},
	`operator "Partition": a keyed stream cannot be partitioned anew (REBALANCE): its keys would lose their state`: func(p *program.Program, s *program.Transformation) {
		p.Repartition(p.KeyBy(s, nil), program.Rebalance, nil)
	},
	`operator "word": a union of streams of different types: number and word`: func(p *program.Program, s *program.Transformation) {
		p.Union(s, p.Source("word", true, kind("word")))
	},
	`operator "source": side output "late" is read as number and as word`: func(p *program.Program, s *program.Transformation) {
		p.SideOutput(s, program.Tag{Name: "late", Type: kind("number")})
		p.SideOutput(s, program.Tag{Name: "late", Type: kind("number")})
		p.SideOutput(s, program.Tag{Name: "late", Type: kind("word")})
	},
	`operator "source": a side output needs a tag with a name`: func(p *program.Program, s *program.Transformation) {
		p.SideOutput(s, program.Tag{Type: kind("number")})
	},
}

func TestMistakesAreRefused(t *testing.T) {
	for want, mistake := range refusals {
		p := program.New(program.Defaults())
		mistake(p, p.Source("source", true, kind("number")))
		if err := p.Rejections.Err(); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestSettingsAreChecked(t *testing.T) {
	c := program.Defaults()
	c.Parallelism, c.MaxParallelism, c.BufferTimeoutMs, c.CheckpointIntervalMs = 0, 0, -2, 9
	c.Resources = map[string]program.Resources{"b": {CPU: 1}, "a": {HeapMB: 1}}
	const want = `the default parallelism is 0; it must be at least 1
the default max parallelism is 0; it must be between 1 and 32768
the buffer timeout is -2 ms; it must not be negative, or be -1 for none
the checkpoint interval is 9 ms; it must be at least 10 ms
slot sharing group "a" asks for 0 CPU cores, 1 MB of heap and 0 MB of managed memory; the first two must be positive, the third not negative
slot sharing group "b" asks for 1 CPU cores, 0 MB of heap and 0 MB of managed memory; the first two must be positive, the third not negative`
	if got := program.New(c).Rejections.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := program.New(program.Defaults()).Rejections.Err(); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
}

// What is refused keeps its old value, so that the rest of the program can be checked, too.
func TestARefusedSettingIsNotMade(t *testing.T) {
	p := program.New(program.Defaults())
	s := p.Source("source", true, kind("number"))
	s.SetParallelism(3)
	s.SetParallelism(0)
	if s.Parallelism != 3 || !s.ParallelismConfigured {
		t.Errorf("parallelism is %d, configured %v", s.Parallelism, s.ParallelismConfigured)
	}
	var r *program.Rejection
	if !errors.As(p.Rejections.Err(), &r) || r.At != s {
		t.Errorf("the error does not lead to the operator: %v", r)
	}
}

func TestKeysFollowTheStream(t *testing.T) {
	p := program.New(program.Defaults())
	s := p.Source("source", true, kind("number"))
	k := p.KeyBy(s, "selector")
	two := p.TwoInput(s, k, "two", s.OutputType)
	if two.KeyedBy[0] || !two.KeyedBy[1] || !two.Keyed() {
		t.Errorf("a keyed second input gives %v", two.KeyedBy)
	}
	if u := p.Union(k, s); u.KeyedStream() {
		t.Error("a union is keyed")
	}
	if ts := p.Timestamps(k, "timestamps"); ts.Keyed() {
		t.Error("timestamps have keyed state")
	}
	if again := p.KeyAgain(k); again.Partition.Typed != "selector" || again.Partition.Identity != k {
		t.Errorf("keying again makes another partitioner: %+v", again.Partition)
	}
}

// A fork goes on with ids, and leaves the program alone.
func TestForks(t *testing.T) {
	p := program.New(program.Defaults())
	s := p.Source("source", true, kind("number"))
	p.OneInput(s, "one", s.OutputType)
	f := p.Fork()
	two := f.OneInput(s, "two", s.OutputType)
	two.SetParallelism(0)
	if two.ID != 3 || len(f.Operators) != 2 || len(f.Rejections) != 1 {
		t.Errorf("the fork has operator %d, %d operators, %v", two.ID, len(f.Operators), f.Rejections)
	}
	if len(p.Operators) != 1 || p.Rejections != nil || p.NextID() != 3 {
		t.Errorf("the fork changed the program: %d operators, %v", len(p.Operators), p.Rejections)
	}
}
