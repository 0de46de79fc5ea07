package shuffle

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"

	"github.com/flott-dev/flott/codec"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/taskplan"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
)

// A Kind is the element type of a stream and makes all that needs to know it. Kinds of one type are equal (==). The typed layer
// stores it in the program, as a program.Type.
type Kind interface {
	program.Type
	// Fan is record.Fan over inputs of this type.
	Fan(outs []any) any
	// Link is record.Linked before an input of this type.
	Link(input any, l *record.Link) any
	// Writer makes the producer's side of an exchange. typed is that of the edge: see ByKey and ByFunc; others have none.
	Writer(r Route, typed any) (Writer, error)
	// Gate makes the consumer's side, in front of a record.Input of this type. What comes from other processes has the codecs of set.
	Gate(input any, set *codec.Set) Gate
	// Codec is the codec.Codec of this type: that of the set, or else Avro. A type without one is an error here and nowhere else, as
	// inside of a process nothing is encoded.
	Codec(set *codec.Set) (any, error)
}

// KindOf is the kind of T.
func KindOf[T any]() Kind { return kind[T]{} }

type kind[T any] struct{}

func (kind[T]) String() string { return reflect.TypeFor[T]().String() }

func (kind[T]) Fan(outs []any) any {
	inputs := make([]record.Input[T], len(outs))
	for i, o := range outs {
		inputs[i] = o.(record.Input[T])
	}
	return record.Fan(inputs...)
}

func (kind[T]) Link(input any, l *record.Link) any {
	return record.Linked(input.(record.Input[T]), l)
}

func (kind[T]) Gate(input any, set *codec.Set) Gate {
	return &gate[T]{Input: input.(record.Input[T]), codecs: set, size: int32(record.SizeOf[T]())}
}

func (kind[T]) Codec(set *codec.Set) (any, error) { return codec.In[T](set) }

func (k kind[T]) Writer(r Route, typed any) (Writer, error) {
	w, err := k.writer(r, typed)
	if err == nil && r.leaves() {
		w.packer, err = newPacker[T](r.Codecs)
	}
	if err != nil {
		r.giveUp()
		return nil, err
	}
	return w, nil
}

func (k kind[T]) writer(r Route, typed any) (*writer[T], error) {
	switch r.Strategy {
	case program.Hash:
		by, err := typedEdge[keyed[T]](typed, k)
		if err != nil {
			return nil, err
		}
		return hashWriter(r, by), nil
	case program.Custom:
		f, err := typedEdge[partitionFunc[T]](typed, k)
		if err != nil {
			return nil, err
		}
		return newWriter(r, dealEach(r, &custom[T]{r.parts(), f, r.Halted}), false), nil
	case program.Shuffle:
		d := dealEach(r, &random[T]{uint64(r.parts()), *rand.NewPCG(rand.Uint64(), rand.Uint64())})
		return newWriter(r, d, false), nil
	case program.Rebalance, program.Rescale:
		return newWriter(r, &turns[T]{parts: r.parts(), next: r.Subtask % r.parts()}, false), nil
	case program.Broadcast:
		return newWriter(r, &all[T]{}, false), nil
	case program.Forward, program.Global:
		return newWriter(r, &whole[T]{}, false), nil
	}
	return nil, fmt.Errorf("unknown partitioning %q", r.Strategy)
}

func hashWriter[T any](r Route, by keyed[T]) *writer[T] {
	if r.parts() == 1 {
		return newWriter(r, &hashedWhole[T]{by: by, halted: r.Halted, groups: id.KeyGroupsOf(r.MaxParallelism)}, true)
	}
	return newWriter(r, dealEach(r, newHashed(r, by)), true)
}

func dealEach[T any](r Route, a assigner[T]) dealer[T] {
	return &sorted[T]{assign: a, ends: make([]int32, r.parts()+2)}
}

// A Route says where the records of one producer go.
type Route struct {
	Strategy       program.Strategy
	Subtask        int        // of the producer
	MaxParallelism int        // of the consumers: key groups are counted in it
	Box            *Mailbox   // of the producer
	Targets        [][]Outlet // by reader of the data set, by part: every reader gets everything
	Codecs         *codec.Set // for consumers in other processes
	Halted         *halt.Flag // of the producer
}

func (r *Route) parts() int { return len(r.Targets[0]) }

// far is the channels that leave the process.
func (r *Route) far() iter.Seq[*channel] {
	return func(yield func(*channel) bool) {
		for _, outlets := range r.Targets {
			for p := range outlets {
				if c := outlets[p].far; c != nil && !yield(c) {
					return
				}
			}
		}
	}
}

// leaves says whether there are any.
func (r *Route) leaves() bool {
	for range r.far() {
		return true
	}
	return false
}

func (r *Route) giveUp() {
	for c := range r.far() {
		c.giveUp()
	}
}

// RouteOf is the route of a partition that a task produces. All its targets have the same parallelism. place says where a subtask
// of a vertex of the job runs.
func RouteOf(p *taskplan.Partition, subtask int, d *Directory, place func(vertex, subtask int) Place, box *Mailbox) Route {
	r := Route{Strategy: p.Partitioner, Subtask: subtask, MaxParallelism: p.Targets[0].MaxParallelism, Box: box}
	for i := range p.Targets {
		t := &p.Targets[i]
		outlets := make([]Outlet, t.Consumers(subtask).Len())
		for part := range outlets {
			c := t.Consumer(subtask, part)
			outlets[part] = outletTo(t, c, t.Channel(subtask, c), d, place(t.VertexIndex, c), box)
		}
		r.Targets = append(r.Targets, outlets)
	}
	return r
}

func outletTo(t *taskplan.Target, consumer, channel int, d *Directory, at Place, box *Mailbox) Outlet {
	if at.Link != nil {
		return at.Link.outlet(opening{address{subtaskOf{t.Vertex, consumer}, at.Attempt}, t.Gate, channel}, box)
	}
	return NewOutlet(d.Mailbox(t.Vertex, consumer, at.Attempt), t.Gate, channel)
}
