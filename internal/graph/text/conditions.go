package text

import (
	"fmt"
	"strings"

	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/graph/streamgraph"
)

// checks is the conditions in Flink's order, each with the reason that is given when it fails. The last two tell of edges that meet
// all others.
var checks = []struct {
	rule   string
	reason jobgraph.Reason
}{
	{"chaining-enabled", jobgraph.ChainingOff},
	{"slot-sharing-group", jobgraph.OtherSlotSharingGroup},
	{"no-yield-to-legacy-source", jobgraph.YieldsToLegacySource},
	{"up-strategy", jobgraph.ProducerNeverChains},
	{"down-strategy", jobgraph.ConsumerStartsChain},
	{"same-parallelism", jobgraph.OtherParallelism},
	{"same-max-parallelism", jobgraph.OtherMaxParallelism},
	{"forward", jobgraph.NotForward},
	{"exchange-mode", jobgraph.BatchExchange},
	{"no-union", jobgraph.UnionOfInputs},
	{"one-input", jobgraph.SeveralInputs},
	{"one-reader", jobgraph.SharedSource},
}

// chainOf is all conditions of an edge, each with what it rests on, whether it holds or not.
func chainOf(e *streamgraph.Edge, c *jobgraph.Chaining) Chain {
	failed := map[jobgraph.Reason]bool{}
	for _, r := range c.Unchained(e) {
		failed[r] = true
	}
	chain := Chain{Chained: c.Chained(e)}
	var why, short []string
	for _, k := range checks {
		check := Check{Rule: k.rule, OK: !failed[k.reason], Detail: holds(k.reason, e)}
		if failed[k.reason] {
			check.Detail = because(k.reason, e)
			why, short = append(why, check.Detail), append(short, string(k.reason))
		}
		chain.Checks = append(chain.Checks, check)
	}
	chain.Why, chain.Short = strings.Join(why, "; "), strings.Join(short, " · ")
	if chain.Chained {
		chain.Why, chain.Short = "chained", "chained"
	}
	return chain
}

// holds is a condition that an edge meets, with the names and values that it rests on: the counterpart of because.
func holds(r jobgraph.Reason, e *streamgraph.Edge) string {
	u, d := e.Source, e.Target
	switch r {
	case jobgraph.ChainingOff:
		return "chaining is on for the job"
	case jobgraph.OtherSlotSharingGroup:
		return fmt.Sprintf("both are in slot sharing group %q", u.SlotSharingGroup)
	case jobgraph.YieldsToLegacySource:
		return yieldsToNone(d)
	case jobgraph.ProducerNeverChains:
		return fmt.Sprintf("%s lets others into its chain", u.Name)
	case jobgraph.ConsumerStartsChain:
		return fmt.Sprintf("%s may join the chain of its input", d.Name)
	case jobgraph.OtherParallelism:
		return sameParallelism(u)
	case jobgraph.OtherMaxParallelism:
		return sameMaxParallelism(u, d)
	case jobgraph.NotForward:
		return fmt.Sprintf("records stay in their subtask (%s)", e.Partitioner.Strategy)
	case jobgraph.BatchExchange:
		return fmt.Sprintf("the exchange is %s, not %s", e.Exchange, program.ExchangeBatch)
	case jobgraph.UnionOfInputs:
		return fmt.Sprintf("%s reads this input from one operator", d.Name)
	case jobgraph.SeveralInputs:
		return oneInput(d)
	}
	return oneReader(u)
}

func yieldsToNone(n *streamgraph.Node) string {
	if n.Yielding {
		return fmt.Sprintf("%s yields to other work, but no legacy source is in the chain", n.Name)
	}
	return fmt.Sprintf("%s never yields to other work", n.Name)
}

func sameParallelism(n *streamgraph.Node) string {
	if n.Parallelism < 0 {
		return "both leave their parallelism open"
	}
	return fmt.Sprintf("both have parallelism %d", n.Parallelism)
}

func sameMaxParallelism(u, d *streamgraph.Node) string {
	switch {
	case u.MaxParallelism != d.MaxParallelism:
		return "the job lets operators of different max parallelism chain"
	case u.MaxParallelism < 0:
		return "neither has set a max parallelism"
	}
	return fmt.Sprintf("both have max parallelism %d", u.MaxParallelism)
}

func oneInput(n *streamgraph.Node) string {
	if n.Chaining == program.ChainHeadWithSources && len(n.In) > 1 {
		return fmt.Sprintf("%s takes sources into its chain, beside its other inputs", n.Name)
	}
	return fmt.Sprintf("%s has one input", n.Name)
}

func oneReader(n *streamgraph.Node) string {
	if len(n.Out) > 1 {
		return fmt.Sprintf("the other readers of %s matter only for a source in a chain of several inputs", n.Name)
	}
	return fmt.Sprintf("nobody else reads %s", n.Name)
}
