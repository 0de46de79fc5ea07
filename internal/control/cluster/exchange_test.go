package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/data/operator"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/data/shuffle"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

const totalled = 200_000

// totalling is a program with a keyBy, whose every subtask prints the sum of what it got.
func totalling(parallelism int) *flow {
	f := newFlow().from(sequence.Of(1, totalled), parallelism)
	hash, err := id.HashOf[int64]()
	if err != nil {
		panic(err)
	}
	f.last = f.Repartition(f.last, program.Hash, shuffle.ByKey(func(v int64) int64 { return v }, hash))
	return f.total(parallelism)
}

func (f *flow) total(parallelism int) *flow {
	f.then("total", parallelism, operator.Func(func(env *operator.Env) (operator.Operator, error) {
		return &total{Through: operator.NewThrough[int64](env), panics: env.Subtask == 0 && os.Getenv("TEST_PANIC") != ""}, nil
	}))
	return f.to(parallelism, func(v int64) error { fmt.Println(v); return nil })
}

// exchanging is the same, but that the records which go to other workers are protobuf messages.
func exchanging(parallelism int) *flow {
	f := newFlow().from(sequence.Of(1, totalled), parallelism)
	f.last = f.OneInput(f.last, "wrap", shuffle.KindOf[*wrapperspb.Int64Value]())
	f.last.SetParallelism(parallelism)
	f.last.Operator = operator.Map(func(v int64) *wrapperspb.Int64Value { return wrapperspb.Int64(v) })
	f.last = f.Repartition(f.last, program.Rebalance, nil)
	return f.then("unwrap", parallelism, operator.Map((*wrapperspb.Int64Value).GetValue)).total(parallelism)
}

// total emits the sum of what it gets, at the end.
type total struct {
	operator.Through[int64]
	panics bool
	sum    int64
}

func (t *total) Input(int) any { return record.Input[int64](t) }

func (t *total) Receive(b *record.Batch[int64]) error {
	dieOnce()
	if t.panics {
		go panic("user code fails")
		select {}
	}
	for _, v := range b.V {
		t.sum += v
	}
	return nil
}

func (t *total) Finish() error { return t.Out.Receive(&record.Batch[int64]{V: []int64{t.sum}}) }

// onTwo runs a program on two TaskManagers with two slots each.
func onTwo(t *testing.T, s *config.Settings, program string, env ...string) (*client.Client, *view.Result) {
	t.Helper()
	s.Set("test", "taskmanager.numberOfTaskSlots", "2")
	startJobManager(t, s)
	startTaskManager(t, s)
	startTaskManager(t, s)
	c := newClient(t, s)
	return c, submitProgram(t, c, upload(t, c), program, 4, 4, env...)
}

// totals wants exact output.
func totals(t *testing.T, s *config.Settings, program string, env ...string) {
	t.Helper()
	c, r := onTwo(t, s, program, env...)
	if r.State != view.Finished {
		t.Fatalf("%+v", r)
	}
	var printed strings.Builder
	check(t, c.Output(t.Context(), id.Job{1, 4}, &printed))
	sum, lines := 0, strings.Fields(printed.String())
	for _, line := range lines {
		n, err := strconv.Atoi(line)
		check(t, err)
		sum += n
	}
	if len(lines) != 4 || sum != totalled*(totalled+1)/2 {
		t.Errorf("printed %q", lines)
	}
}

func TestWorkersExchangeRecords(t *testing.T) { totals(t, settings(t.TempDir()), "total") }

func TestWorkersExchangeMessages(t *testing.T) { totals(t, settings(t.TempDir()), "messages") }

// The same over TCP with TLS: the path of a socket would be too long.
func TestSecuredWorkersExchangeRecords(t *testing.T) {
	s := secured(t)
	folder := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	check(t, os.Mkdir(folder, 0o700))
	s.Set("test", "io.tmp.dirs", folder)
	totals(t, s, "total")
}

// With a worker the tasks of both fail, and are started anew.
func TestKilledWorkerOfTwo(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "died")
	totals(t, settings(t.TempDir()), "total", "TEST_DIE_ONCE="+mark)
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("no worker died: %v", err)
	}
}

// The other worker notices only that its connection is cut, and may be the first to say so.
func TestWorkerThatPanicsIsTheCause(t *testing.T) {
	if _, r := onTwo(t, settings(t.TempDir()), "total", "TEST_PANIC=1"); r.State != view.Failed || !strings.Contains(r.Error, "panic: user code fails") {
		t.Errorf("%+v", r)
	}
}
