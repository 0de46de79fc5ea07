package flott_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/flott-dev/flott"
)

type order struct {
	ID   int64
	Done chan int
}

// orderCodec writes what can be written of an order.
type orderCodec struct{}

func (orderCodec) Schema() string { return "an order" }

func (orderCodec) Append(dst []byte, v *order) ([]byte, error) { return append(dst, byte(v.ID)), nil }

func (orderCodec) Decode(src []byte, v *order) ([]byte, error) {
	v.ID = int64(src[0])
	return src[1:], nil
}

func explained(t *testing.T, opts ...flott.Option) string {
	t.Helper()
	env := flott.New(append(opts, flott.Parallelism(2))...)
	orders := numbers(env).Map(func(n int64) order { return order{ID: n} }).Name("orders")
	orders.Filter(func(order) bool { return true }).Name("inside").Discard()
	orders.Rebalance().Discard()
	orders.KeyBy(func(o order) int64 { return o.ID }).Reduce(func(a, _ order) order { return a }).
		Map(func(o order) func() { return func() {} }).Name("calls").Rebalance().Discard()
	plan, err := env.Plan("test")
	if err != nil {
		t.Fatal(err)
	}
	return plan.Explain()
}

// A type that has no codec is a matter of clusters: embedded, the program is right.
func TestExplainNamesWhatCannotCrossProcesses(t *testing.T) {
	text := explained(t)
	for _, want := range []string{
		"Between processes",
		`operator "orders": type flott_test.order cannot be encoded: order.Done (chan int): a chan cannot leave its process`,
		`operator "calls": type func() cannot be encoded`,
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("not once: %q, in\n%s", want, text)
		}
	}
}

// The same program runs embedded, where records keep their channels and functions.
func TestWhatCannotCrossProcessesRunsEmbedded(t *testing.T) {
	env := flott.New(flott.Parallelism(2))
	done := make(chan int, 100)
	var sum atomic.Int64
	numbers(env).Map(func(n int64) order { return order{n, done} }).Rebalance().
		KeyBy(func(o order) int64 { return o.ID }).Reduce(func(a, _ order) order { return a }).
		Map(func(o order) func() { return func() { o.Done <- int(o.ID) } }).Rebalance().
		To(flott.ForEach(func(call func()) error {
			call()
			sum.Add(int64(<-done))
			return nil
		}))
	if _, err := env.Execute(t.Context(), "embedded"); err != nil {
		t.Fatal(err)
	}
	if got := sum.Load(); got != 55 {
		t.Errorf("the sum is %d", got)
	}
}

// point would lose n on its way to another process.
type point struct {
	Name string
	n    int
}

type pointCodec struct{}

func (pointCodec) Schema() string { return "a point" }

func (pointCodec) Append(dst []byte, v *point) ([]byte, error) { return append(dst, byte(v.n)), nil }

func (pointCodec) Decode(src []byte, v *point) ([]byte, error) {
	v.n = int(src[0])
	return src[1:], nil
}

type path struct{ Points []point }

type sparse struct {
	Name string
	n    int `avro:"-"`
}

func TestUnexportedFieldsCannotCrossProcesses(t *testing.T) {
	const lost = `operator "paths": type flott_test.path cannot be encoded: path.Points[].n (int): it is unexported and would be lost: ` +
		"export it, tag it `avro:\"-\"` to leave it out on purpose, or give flott_test.point a codec (flott.Codec)"
	for _, c := range []struct {
		name string
		opts []flott.Option
		want int
	}{{"lost", nil, 1}, {"with a codec", []flott.Option{flott.Codec(pointCodec{})}, 0}} {
		t.Run(c.name, func(t *testing.T) {
			env := flott.New(append(c.opts, flott.Parallelism(2))...)
			in := numbers(env)
			in.Map(func(n int64) path { return path{[]point{{"p", int(n)}}} }).Name("paths").Rebalance().Discard()
			in.Map(func(n int64) sparse { return sparse{n: int(n)} }).Name("sparse").Rebalance().Discard()
			in.Map(func(n int64) point { return point{n: int(n)} }).Name("inside").Discard()
			plan, err := env.Plan("test")
			if err != nil {
				t.Fatal(err)
			}
			text := plan.Explain()
			if got := strings.Count(text, "cannot be encoded"); got != c.want || strings.Count(text, lost) != c.want {
				t.Errorf("%d mistakes, not %d, in\n%s", got, c.want, text)
			}
		})
	}
}

func TestCodecOfTheEnvironment(t *testing.T) {
	text := explained(t, flott.Codec(orderCodec{}))
	if strings.Contains(text, `"orders": type`) || !strings.Contains(text, `"calls": type`) {
		t.Errorf("orders have a codec, functions have none, and the plan says\n%s", text)
	}
}
