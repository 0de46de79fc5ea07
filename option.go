package flott

import (
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/graph/program"
)

// An Option is a setting of a whole environment, for New.
type Option interface{ apply(*settings) error }

// settings are what New gathers: from flott.yaml, then FLOTT_* variables, then the code.
type settings struct {
	config   program.Config
	flushGap time.Duration
	rest     string        // address of the REST server of an embedded job; "": there is none
	readOnly bool          // its page has no buttons
	patience time.Duration // of its diagnosis; 0: the default
	stdout   io.Writer
	captured bool // what is printed goes to the standard output of the process, whatever the program says
	role     role
	found    *config.Settings
	codecs   codec.Set
	mistakes []*Mistake
}

// gatherSettings begins with the defaults: those of a cluster, which are the same on every machine, as far as the role has no others.
func gatherSettings(opts []Option) settings {
	s := settings{config: program.Defaults(), stdout: os.Stdout, found: config.Read(config.File, os.Environ())}
	s.role = s.roleOf(os.Getenv("FLOTT_ROLE"))
	s.makeFound()
	for _, o := range opts {
		if err := o.apply(&s); err != nil {
			s.mistakes = append(s.mistakes, &Mistake{Site: userSite(), Problem: err.Error()})
		}
	}
	if err := s.config.Restart.Err(); err != nil {
		s.mistakes = append(s.mistakes, &Mistake{Site: userSite(), Problem: "restart strategy: " + err.Error()})
	}
	return s
}

type optionFunc func(*settings) error

func (f optionFunc) apply(s *settings) error { return f(s) }

// Parallelism is the number of subtasks of each operator that chooses none. The default is GOMAXPROCS.
func Parallelism(n int) Option {
	return optionFunc(func(s *settings) error { return s.setParallelism(n) })
}

// MaxParallelism is the number of key groups of each operator that chooses none, and so the largest parallelism that it can ever
// have. The default is computed from the operator's parallelism, and at least 128.
func MaxParallelism(n int) Option {
	return optionFunc(func(s *settings) error { return s.setMaxParallelism(n) })
}

// HeapState keeps keyed state on the heap of this process. It is the default.
func HeapState() Option { return optionFunc(func(*settings) error { return nil }) }

// BufferTimeout is the longest that a record waits for its block to fill: 100 ms by default, as in Flink. Negative: only full
// blocks are sent.
func BufferTimeout(d time.Duration) Option {
	return optionFunc(func(s *settings) error { return s.setBufferTimeout(d) })
}

// FlushGap is the shortest time between two flushes of a task that has nothing else to do. The default is 0: it flushes at once.
func FlushGap(d time.Duration) Option {
	return optionFunc(func(s *settings) error { return s.setFlushGap(d) })
}

// Stdout is where Print writes; os.Stdout by default. What a job prints on a cluster comes to the process that has submitted it.
func Stdout(w io.Writer) Option {
	return optionFunc(func(s *settings) error {
		if w == nil {
			return fmt.Errorf("the writer for Stdout is nil")
		}
		if !s.captured {
			s.stdout = w
		}
		return nil
	})
}

// Codec makes every T of this job use c, where records cross from one process to another, also inside of other types. Without it
// they are written as Avro, with a schema inferred from their type (codec.Of).
func Codec[T any](c codec.Codec[T]) Option {
	return optionFunc(func(s *settings) error { return codec.Register(&s.codecs, c) })
}

// DisableChaining runs each operator in a task of its own.
func DisableChaining() Option {
	return optionFunc(func(s *settings) error {
		s.config.Chaining = false
		return nil
	})
}

func (s *settings) setParallelism(n int) error {
	if n < 1 || n > program.MaxParallelismLimit {
		return fmt.Errorf("the default parallelism is %d; it must be between 1 and %d", n, program.MaxParallelismLimit)
	}
	s.config.Parallelism = n
	return nil
}

func (s *settings) setMaxParallelism(n int) error {
	if n < 1 || n > program.MaxParallelismLimit {
		return fmt.Errorf("the default max parallelism is %d; it must be between 1 and %d", n, program.MaxParallelismLimit)
	}
	s.config.MaxParallelism = n
	return nil
}

func (s *settings) setBufferTimeout(d time.Duration) (err error) {
	s.config.BufferTimeoutMs, err = timeoutMs(d)
	return err
}

func (s *settings) setFlushGap(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("the flush gap is %v; it must not be negative", d)
	}
	s.flushGap = d
	return nil
}

func (s *settings) setChaining(on bool) error {
	s.config.Chaining = on
	return nil
}

// setRESTPort lets an embedded job be looked at, from this machine only.
func (s *settings) setRESTPort(port int) error {
	s.rest = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	return nil
}

func (s *settings) setReadOnly(on bool) error {
	s.readOnly = on
	return nil
}

func (s *settings) setPatience(d time.Duration) error {
	s.patience = d
	return nil
}

// timeoutMs is a buffer timeout as graphs have it.
func timeoutMs(d time.Duration) (int64, error) {
	switch {
	case d < 0:
		return program.Unset, nil
	case d%time.Millisecond != 0:
		return program.Unset, fmt.Errorf("the buffer timeout is %v; it must be whole milliseconds", d)
	}
	return d.Milliseconds(), nil
}
