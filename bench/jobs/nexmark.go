package jobs

import (
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/bench/workload"
	"github.com/flott-dev/flott/watermark"
)

func events(env *flott.Environment, r Run) flott.Stream[workload.Event] {
	perMs := r.PerMsOr(10)
	source := flott.Generate(r.Records, 0, func(n int64) workload.Event { return workload.EventOf(n, perMs) })
	at := func(e workload.Event) time.Time { return time.UnixMilli(e.TS()) }
	return env.From(source).Watermarks(watermark.Monotonic(at)).Name("source")
}

func bids(env *flott.Environment, r Run) flott.Stream[*workload.Bid] {
	return events(env, r).
		Filter(func(e workload.Event) bool { return e.Bid != nil }).
		Map(func(e workload.Event) *workload.Bid { return e.Bid })
}

func price(b *workload.Bid) int64 { return b.Price }

func gen(env *flott.Environment, r Run) { count(events(env, r), r, workload.Event.TS) }
func q0(env *flott.Environment, r Run)  { count(bids(env, r), r, price) }

func q1(env *flott.Environment, r Run) {
	count(bids(env, r).Map(workload.Discount), r, func(b workload.Bid) int64 { return b.Price })
}

// q2 projects the bids for a few auctions.
func q2(env *flott.Environment, r Run) {
	type offer struct{ auction, price int64 }
	offers := bids(env, r).
		Filter(func(b *workload.Bid) bool { return b.Auction%123 == 0 }).
		Map(func(b *workload.Bid) offer { return offer{b.Auction, b.Price} })
	count(offers, r, func(o offer) int64 { return o.auction + o.price })
}
