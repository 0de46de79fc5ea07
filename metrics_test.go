package flott_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott"
)

// A running job shows where its time goes: here the sink, which takes 10 ms for a record, holds up the source. Nothing else takes time.
func TestMetricsWhileTheJobRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := flott.New(flott.Parallelism(2))
		env.From(flott.Generate(-1, 0, func(i int64) int64 { return i })).Watermarks(onTime()).Filter(func(n int64) bool { return n%4 < 2 }).Rebalance().
			To(flott.ForEach(func(int64) error { time.Sleep(10 * ms); return nil }))
		job, err := env.Start(t.Context(), "slow")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		operators, err := job.Metrics(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		checkSlow(t, operators, 20*time.Second) // of two subtasks

		if err := job.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		result, _ := job.Wait(t.Context())
		last, err := job.Metrics(t.Context())
		if err != nil || !slices.Equal(last, result.Operators) {
			t.Errorf("at the end %+v, %v\nthe result has %+v", last, err, result.Operators)
		}
		if now := last[2].RecordsIn; now < operators[2].RecordsIn {
			t.Errorf("the sink got %d records, %d before", now, operators[2].RecordsIn)
		}
	})
}

func checkSlow(t *testing.T, operators []flott.OperatorMetrics, spent time.Duration) {
	t.Helper()
	var names []string
	for _, o := range operators {
		names = append(names, o.Name)
		if sum := o.Busy + o.Idle + o.BackPressured; sum != spent {
			t.Errorf("%s has spent %v, want %v", o.Name, sum, spent)
		}
	}
	if !slices.Equal(names, []string{"Source: Generator Source", "Filter", "Sink: Writer"}) {
		t.Fatalf("operators are %q", names)
	}
	source, filter, sink := operators[0], operators[1], operators[2]
	if source.BackPressured != spent || filter.BackPressured != spent || sink.Busy != spent {
		t.Errorf("got %+v", operators)
	}
	out, kept := source.RecordsOut, filter.RecordsOut // of every other record, beginning with the first of each subtask
	if out == 0 || filter.RecordsIn != out || kept < out/2 || kept > out/2+1 || sink.RecordsIn == 0 || sink.RecordsIn > kept {
		t.Errorf("got %+v", operators)
	}
	if at := source.Watermark.UnixMilli(); at < 0 || at >= source.RecordsOut || sink.Watermark.After(filter.Watermark) {
		t.Errorf("the watermarks are %v, %v and %v after %d records", source.Watermark, filter.Watermark, sink.Watermark, source.RecordsOut)
	}
}

// Time in which there is nothing to do is idle.
func TestMetricsOfAnIdleJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := flott.New(flott.Parallelism(1))
		env.From(flott.Generate(5, 1, func(i int64) int64 { return i })).Rebalance().Map(double).Discard()
		result, err := env.Execute(t.Context(), "idle")
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range result.Operators {
			if o.Idle == 0 || o.Idle != result.RunTime || o.Busy != 0 || o.BackPressured != 0 {
				t.Errorf("%s was %v busy, %v idle, %v back-pressured in a job of %v", o.Name, o.Busy, o.Idle, o.BackPressured, result.RunTime)
			}
			if o.Watermark.UnixMilli() != math.MaxInt64 {
				t.Errorf("%s is at %v at the end", o.Name, o.Watermark)
			}
		}
	})
}

// A job that was started may have nobody who waits for it: the log says why it failed, and where. Execute returns it.
func TestFailureOfAStartedJobIsLogged(t *testing.T) {
	for _, started := range []bool{true, false} {
		t.Run(fmt.Sprint("started ", started), func(t *testing.T) {
			records := logged(t, func() {
				env := flott.New(flott.Parallelism(2))
				numbers(env).TryMap(func(n int64) (int64, error) {
					if n == 4 { // of the second subtask
						return n, errUser
					}
					return n, nil
				}).Name("picky").StartNewChain().Discard().Name("out")
				ctx := t.Context()
				if !started {
					_, _ = env.Execute(ctx, "doomed")
					return
				}
				job, err := env.Start(ctx, "doomed")
				if err != nil {
					t.Fatal(err)
				}
				_, _ = job.Wait(ctx)
			})
			if !started {
				if len(records) != 0 {
					t.Errorf("logged %v", records)
				}
				return
			}
			if len(records) != 1 {
				t.Fatalf("logged %v, want one line", records)
			}
			cause := records[0]["error"]
			delete(records[0], "error")
			if want := "map[attempt:0 job:doomed level:ERROR msg:job failed subtask:(2/2) task:picky -> out: Writer]"; fmt.Sprint(records[0]) != want ||
				cause != `operator "picky" (2/2): the user's own error` {
				t.Errorf("logged %v, cause %v\nwant   %s", records[0], cause, want)
			}
		})
	}
}

// logged is what is logged at level Error while f runs, without what changes from run to run.
func logged(t *testing.T, f func()) (records []map[string]any) {
	t.Helper()
	var out bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelError})))
	defer slog.SetDefault(before)
	f()
	for d := json.NewDecoder(&out); d.More(); {
		record := map[string]any{}
		if err := d.Decode(&record); err != nil {
			t.Fatal(err)
		}
		delete(record, "time")
		delete(record, "job_id")
		records = append(records, record)
	}
	return records
}
