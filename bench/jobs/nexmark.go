package jobs

import (
	"time"

	"github.com/flott-dev/flott"
	"github.com/flott-dev/flott/bench/workload"
	"github.com/flott-dev/flott/watermark"
)

func events(env *flott.Environment, r Run) flott.Stream[workload.Event] {
	source := flott.GenerateBatch(r.Records, 0, workload.Events(r.PerMsOr(10)))
	at := func(e workload.Event) time.Time { return time.UnixMilli(e.TS()) }
	return env.From(source).Watermarks(watermark.Monotonic(at)).Name("source")
}

// bids are the events that have one.
func bids(env *flott.Environment, r Run) flott.Stream[workload.Event] {
	return events(env, r).Filter(func(e workload.Event) bool { return e.Bid != nil })
}

func bid(e workload.Event) *workload.Bid { return e.Bid }

func gen(env *flott.Environment, r Run) { count(events(env, r), r, workload.Event.TS) }

func q0(env *flott.Environment, r Run) {
	count(bids(env, r).Map(bid), r, func(b *workload.Bid) int64 { return b.Price })
}

// q1 has the prices in another currency.
func q1(env *flott.Environment, r Run) {
	discounted := bids(env, r).Map(func(e workload.Event) workload.Bid { return workload.Discount(e.Bid) })
	count(discounted, r, func(b workload.Bid) int64 { return b.Price })
}

// q2 projects the bids for a few auctions.
func q2(env *flott.Environment, r Run) {
	type offer struct{ auction, price int64 }
	offers := bids(env, r).Map(bid).
		Filter(func(b *workload.Bid) bool { return b.Auction%123 == 0 }).
		Map(func(b *workload.Bid) offer { return offer{b.Auction, b.Price} })
	count(offers, r, func(o offer) int64 { return o.auction + o.price })
}
