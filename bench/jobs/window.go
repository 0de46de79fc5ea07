package jobs

import (
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/aggregate"
	"github.com/flott-dev/flott/bench/workload"
	"github.com/flott-dev/flott/watermark"
	flottwindow "github.com/flott-dev/flott/window"
)

func window(env *flott.Environment, r Run) {
	keys := r.KeysOr(10_000)
	tumble(env, r, func(n int64) workload.Reading { return workload.DenseReading(n, keys) })
}

func windowSparse(env *flott.Environment, r Run) {
	keys, perMs := r.KeysOr(10_000), r.PerMsOr(100)
	tumble(env, r, func(n int64) workload.Reading { return workload.SparseReading(n, keys, perMs) })
}

// tumble counts readings per key and second of event time.
func tumble(env *flott.Environment, r Run, reading func(int64) workload.Reading) {
	at := func(v workload.Reading) time.Time { return time.UnixMilli(v.TS) }
	counts := env.From(flott.Generate(r.Records, 0, reading)).Watermarks(watermark.Monotonic(at)).Name("source").
		KeyBy(func(v workload.Reading) int64 { return v.Key }).
		Window(flottwindow.TumblingEventTime(time.Second)).
		Aggregate(aggregate.Count[workload.Reading](), func(key int64, w flottwindow.Window, n int64) workload.Windowed {
			return workload.Windowed{Key: key, Start: w.Start.UnixMilli(), End: w.End.UnixMilli(), Count: n}
		})
	count(counts, r, workload.Windowed.Sum)
}
