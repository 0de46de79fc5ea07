package flott_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/flotttest"
	"github.com/flott-dev/flott/process"
)

// at runs a test at several parallelisms. There is always more than one batch of records.
func at(t *testing.T, test func(t *testing.T, env *flott.Environment)) {
	t.Helper()
	for _, p := range []int{1, 2, 3} {
		t.Run(fmt.Sprint("parallelism ", p), func(t *testing.T) { test(t, flott.New(flott.Parallelism(p))) })
	}
}

const many = 3000

// upTo is the numbers 1 to many of which keep is true.
func upTo(keep func(int64) bool) []int64 {
	var all []int64
	for n := int64(1); n <= many; n++ {
		if keep(n) {
			all = append(all, n)
		}
	}
	return all
}

func all(int64) bool       { return true }
func even(n int64) bool    { return n%2 == 0 }
func double(n int64) int64 { return 2 * n }

func sequence(env *flott.Environment) flott.Stream[int64] { return env.From(flott.Sequence(1, many)) }

// same compares without regard to order.
func same[T int | int64 | string](t *testing.T, got, want []T) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if slices.Equal(got, want) {
		return
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("in order, record %d is %v, want %v; got %d records, want %d", i, got[i], want[i], len(got), len(want))
		}
	}
	t.Fatalf("got %d records, want %d", len(got), len(want))
}

func mapped(f func(int64) int64, of []int64) []int64 {
	out := make([]int64, len(of))
	for i, n := range of {
		out[i] = f(n)
	}
	return out
}

func TestTransformations(t *testing.T) {
	for name, c := range map[string]struct {
		apply func(flott.Stream[int64]) flott.Stream[int64]
		want  []int64
	}{
		"Map": {
			func(s flott.Stream[int64]) flott.Stream[int64] { return s.Map(double) },
			mapped(double, upTo(all)),
		},
		"TryMap": {
			func(s flott.Stream[int64]) flott.Stream[int64] {
				return s.TryMap(func(n int64) (int64, error) { return 2 * n, nil })
			},
			mapped(double, upTo(all)),
		},
		"MapBatch": {
			func(s flott.Stream[int64]) flott.Stream[int64] {
				return s.MapBatch(func(in, out []int64) {
					for i, n := range in {
						out[i] = 2 * n
					}
				})
			},
			mapped(double, upTo(all)),
		},
		"Filter": {
			func(s flott.Stream[int64]) flott.Stream[int64] { return s.Filter(even) },
			upTo(even),
		},
		"FilterBatch": {
			func(s flott.Stream[int64]) flott.Stream[int64] {
				return s.FilterBatch(func(in []int64, keep []bool) {
					for i, n := range in {
						keep[i] = even(n)
					}
				})
			},
			upTo(even),
		},
		"FlatMap": {
			func(s flott.Stream[int64]) flott.Stream[int64] {
				return s.FlatMap(func(n int64) iter.Seq[int64] { return slices.Values([]int64{n, -n}) })
			},
			append(upTo(all), mapped(func(n int64) int64 { return -n }, upTo(all))...),
		},
		"FlatMapTo": {
			func(s flott.Stream[int64]) flott.Stream[int64] {
				return s.FlatMapTo(func(n int64, out *process.Collector[int64]) error {
					out.Emit(n)
					out.Emit(-n)
					return nil
				})
			},
			append(upTo(all), mapped(func(n int64) int64 { return -n }, upTo(all))...),
		},
		"Union": {
			func(s flott.Stream[int64]) flott.Stream[int64] { return s.Filter(even).Union(s, s.Map(double)) },
			slices.Concat(upTo(even), upTo(all), mapped(double, upTo(all))),
		},
		"Union with itself": {
			func(s flott.Stream[int64]) flott.Stream[int64] { return s.Union(s) },
			append(upTo(all), upTo(all)...),
		},
		"Rebalance": {func(s flott.Stream[int64]) flott.Stream[int64] { return s.Rebalance().Map(double) }, mapped(double, upTo(all))},
		"Rescale":   {func(s flott.Stream[int64]) flott.Stream[int64] { return s.Rescale().Map(double) }, mapped(double, upTo(all))},
		"Shuffle":   {func(s flott.Stream[int64]) flott.Stream[int64] { return s.Shuffle().Map(double) }, mapped(double, upTo(all))},
		"Forward":   {func(s flott.Stream[int64]) flott.Stream[int64] { return s.Forward().Map(double) }, mapped(double, upTo(all))},
		"Global":    {func(s flott.Stream[int64]) flott.Stream[int64] { return s.Global().Map(double) }, mapped(double, upTo(all))},
		"Broadcast": {
			func(s flott.Stream[int64]) flott.Stream[int64] { return s.Broadcast().Map(double).Parallelism(2) },
			append(mapped(double, upTo(all)), mapped(double, upTo(all))...),
		},
		"PartitionBy": {
			func(s flott.Stream[int64]) flott.Stream[int64] {
				return s.PartitionBy(func(n int64, subtasks int) int { return int(n) % subtasks }).Map(double)
			},
			mapped(double, upTo(all)),
		},
		"Connect": {
			func(s flott.Stream[int64]) flott.Stream[int64] {
				words := s.Map(func(n int64) string { return "x" })
				return s.Connect(words).Map(double, func(string) int64 { return -1 })
			},
			append(mapped(double, upTo(all)), mapped(func(int64) int64 { return -1 }, upTo(all))...),
		},
	} {
		t.Run(name, func(t *testing.T) {
			at(t, func(t *testing.T, env *flott.Environment) {
				same(t, flotttest.Collect(t, c.apply(sequence(env))), c.want)
			})
		})
	}
}

// subtaskOf tells which subtask handled a record.
type subtaskOf struct{ index int }

func (s subtaskOf) Process(c *flott.Context[int64], n int64) error {
	c.Emit(int64(s.index))
	return nil
}

func whichSubtask(rt *flott.Runtime) (subtaskOf, error) {
	index, _ := rt.Subtask()
	return subtaskOf{index}, nil
}

// Each partitioning deals the records of one producer over the subtasks of its consumer as its name says.
func TestPartitionings(t *testing.T) {
	const consumers = 4
	for name, c := range map[string]struct {
		apply func(flott.Stream[int64]) flott.Stream[int64]
		each  func(got [consumers]int) bool
	}{
		"Rebalance": {flott.Stream[int64].Rebalance, func(got [consumers]int) bool { return got == [consumers]int{750, 750, 750, 750} }},
		"Rescale":   {flott.Stream[int64].Rescale, func(got [consumers]int) bool { return got == [consumers]int{750, 750, 750, 750} }},
		"Global":    {flott.Stream[int64].Global, func(got [consumers]int) bool { return got == [consumers]int{many, 0, 0, 0} }},
		"Broadcast": {flott.Stream[int64].Broadcast, func(got [consumers]int) bool { return got == [consumers]int{many, many, many, many} }},
		"Shuffle": {flott.Stream[int64].Shuffle, func(got [consumers]int) bool {
			return slices.Min(got[:]) > many/8 && got[0]+got[1]+got[2]+got[3] == many
		}},
		"PartitionBy": {
			func(s flott.Stream[int64]) flott.Stream[int64] {
				return s.PartitionBy(func(n int64, subtasks int) int { return min(int(n), subtasks-1) })
			},
			func(got [consumers]int) bool { return got == [consumers]int{0, 1, 1, many - 2} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			env := flott.New(flott.Parallelism(1))
			var got [consumers]int
			for _, i := range flotttest.Collect(t, c.apply(sequence(env)).Process(whichSubtask).Parallelism(consumers)) {
				got[i]++
			}
			if !c.each(got) {
				t.Errorf("records per subtask: %v", got)
			}
		})
	}
}

// Records of one subtask stay in order on their way to another.
func TestOrder(t *testing.T) {
	env := flott.New(flott.Parallelism(1))
	got := flotttest.Collect(t, sequence(env).Map(double).Rebalance().Filter(all).DisableChaining())
	if !slices.Equal(got, mapped(double, upTo(all))) {
		t.Error("records have changed places")
	}
}

// Branches share records, and none of them sees what another does to its own.
func TestBranches(t *testing.T) {
	at(t, func(t *testing.T, env *flott.Environment) {
		s := sequence(env)
		doubled := s.Map(double)
		evens := s.Filter(even)
		odds := s.FilterBatch(func(in []int64, keep []bool) {
			for i, n := range in {
				keep[i] = !even(n)
			}
		})
		same(t, flotttest.Collect(t, doubled.Union(evens, odds)), append(mapped(double, upTo(all)), upTo(all)...))
	})
}
