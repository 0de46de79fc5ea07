package workload

import "sync/atomic"

// A Tally counts what reached the sinks of a job, over all subtasks.
type Tally struct{ out, sum atomic.Int64 }

// Add counts n records whose checksums add up to sum.
func (t *Tally) Add(n, sum int64) {
	t.out.Add(n)
	t.sum.Add(sum)
}

// Out is the number of records.
func (t *Tally) Out() int64 { return t.out.Load() }

// Sum is the wrapping checksum of the records, which does not depend on their order.
func (t *Tally) Sum() int64 { return t.sum.Load() }

// An Options value is what the command line says of a workload; zero fields mean its defaults.
type Options struct {
	Keys  int64 `json:"keys"`
	PerMs int64 `json:"per_ms"`
}

// KeysOr is the number of keys, or d where none is given.
func (o Options) KeysOr(d int64) int64 { return or(o.Keys, d) }

// PerMsOr is the number of records per millisecond of event time, or d where none is given.
func (o Options) PerMsOr(d int64) int64 { return or(o.PerMs, d) }

func or(v, d int64) int64 {
	if v > 0 {
		return v
	}
	return d
}
