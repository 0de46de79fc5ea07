package transport

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/watch"
	"github.com/flott-dev/flott/internal/fault"
	"github.com/flott-dev/flott/internal/graph/execgraph"
)

// sample fills any message with values that are not zero, so that a field that is forgotten on the way is missed.
func sample(t *rapid.T, v reflect.Value) {
	switch v.Interface().(type) {
	case rpc.Placement:
		v.Set(reflect.ValueOf(samplePlacement(t)))
		return
	case execgraph.State:
		v.SetUint(rapid.Uint64Range(1, uint64(execgraph.Failed)).Draw(t, "state"))
		return
	case error:
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			sample(t, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		sample(t, v.Elem())
	case reflect.Interface: // error
		v.Set(reflect.ValueOf(sampleError(t, 3)))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(1, 3).Draw(t, "len"), 3))
		sampleElements(t, v)
	case reflect.Array:
		sampleElements(t, v)
	case reflect.String:
		v.SetString(text(t))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(rapid.Float64Range(0.1, 1e9).Draw(t, "float"))
	case reflect.Int:
		v.SetInt(rapid.Int64Range(1, math.MaxInt32).Draw(t, "int"))
	case reflect.Int64:
		v.SetInt(rapid.OneOf(rapid.Int64Range(1, math.MaxInt64), rapid.Int64Range(math.MinInt64, -1)).Draw(t, "int64"))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(rapid.Uint64Range(1, 255).Draw(t, "uint"))
	default:
		t.Fatalf("messages have no %v so far", v.Type())
	}
}

func sampleElements(t *rapid.T, v reflect.Value) {
	for i := range v.Len() {
		sample(t, v.Index(i))
	}
}

// text is any bytes.
func text(t *rapid.T) string {
	return string(rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "text"))
}

func samplePlacement(t *rapid.T) rpc.Placement {
	p := rpc.Placement{Workers: []rpc.WorkerAddress{{ID: "a", Host: "b", Data: text(t)}, {ID: "c"}}}
	for range rapid.IntRange(1, 3).Draw(t, "vertices") {
		p.Of = append(p.Of, rapid.SliceOfN(rapid.Uint16Range(0, 1), 1, 4).Draw(t, "of"))
		p.Attempt = append(p.Attempt, rapid.SliceOfN(rapid.Uint32(), 1, 4).Draw(t, "attempt"))
	}
	return p
}

// sampleError is one of those that come out of a connection as they went in.
func sampleError(t *rapid.T, depth int) error {
	leaves := []error{
		context.Canceled, context.DeadlineExceeded, fault.ErrExit,
		&watch.Stuck{Who: text(t), Stack: text(t)},
		&fault.Remote{Text: text(t), Type: text(t)},
		&fault.Panic{Value: text(t), Stack: []byte(text(t))},
	}
	n := rapid.IntRange(0, len(leaves)+1).Draw(t, "error")
	switch {
	case n < len(leaves):
		return leaves[n]
	case depth == 0:
		return leaves[0]
	case n == len(leaves):
		return &fault.Panic{Value: sampleError(t, depth-1), Stack: []byte(text(t))}
	}
	return &fault.Failure{Task: text(t), Operator: text(t), Subtask: text(t), Stack: []byte(text(t)), Cause: sampleError(t, depth-1)}
}

// A heard is a message that has come.
type heard struct {
	Method string
	Args   []any
}

func (h heard) String() string { return fmt.Sprintf("%s %+v", h.Method, h.Args) }

// A recorder takes all messages of all interfaces.
type recorder struct {
	messages    chan heard
	worker      chan rpc.Worker
	taskManager chan rpc.TaskManager
}

func newRecorder() *recorder {
	return &recorder{make(chan heard, 1<<12), make(chan rpc.Worker, 100), make(chan rpc.TaskManager, 100)}
}

func (r *recorder) put(method string, args ...any) { r.messages <- heard{method, args} }

var errNothing = errors.New("no message came in time")

func (r *recorder) next() (heard, error) {
	select {
	case m := <-r.messages:
		return m, nil
	case <-time.After(time.Minute):
		return heard{}, errNothing
	}
}

func (r *recorder) Deploy(v rpc.Deployment)               { r.put("Deploy", v) }
func (r *recorder) Cancel(v rpc.Cancellation)             { r.put("Cancel", v) }
func (r *recorder) NextSplits(v rpc.SplitRequest)         { r.put("NextSplits", v) }
func (r *recorder) Assign(v rpc.Assignment)               { r.put("Assign", v) }
func (r *recorder) Inquire(v rpc.Inquiry)                 { r.put("Inquire", v) }
func (r *recorder) Measure(v rpc.MetricsRequest)          { r.put("Measure", v) }
func (r *recorder) Release(v rpc.Header)                  { r.put("Release", v) }
func (r *recorder) Ready(v rpc.WorkerReady, w rpc.Worker) { r.put("Ready", v); r.worker <- w }
func (r *recorder) Refused(v rpc.WorkerRefusal)           { r.put("Refused", v) }
func (r *recorder) Disconnected(v rpc.WorkerLoss)         { r.put("Disconnected", v) }
func (r *recorder) Report(v rpc.Report)                   { r.put("Report", v) }
func (r *recorder) ReportMetrics(v rpc.MetricsReport)     { r.put("ReportMetrics", v) }
func (r *recorder) RequestSplits(v rpc.SplitRequest)      { r.put("RequestSplits", v) }
func (r *recorder) Assigned(v rpc.Assignment)             { r.put("Assigned", v) }
func (r *recorder) SourceEnded(v rpc.SourceEnd)           { r.put("SourceEnded", v) }
func (r *recorder) StartWorker(v rpc.WorkerStart)         { r.put("StartWorker", v) }
func (r *recorder) StopWorker(v rpc.WorkerStop)           { r.put("StopWorker", v) }
func (r *recorder) Dismiss(cause error)                   { r.put("Dismiss", cause) }
func (r *recorder) Heartbeat(v rpc.Heartbeat)             { r.put("Heartbeat", v) }
func (r *recorder) WorkerExited(v rpc.WorkerExit)         { r.put("WorkerExited", v) }
func (r *recorder) Printed(v rpc.Output)                  { r.put("Printed", v) }
func (r *recorder) Unregister(v rpc.Leave)                { r.put("Unregister", v) }
func (r *recorder) Register(v rpc.Registration, m rpc.TaskManager) {
	r.put("Register", v)
	r.taskManager <- m
}
