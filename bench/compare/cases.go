package main

import "fmt"

// A comparison is one workload: how many records its long runs have, and what is wanted of the ratios.
type comparison struct {
	name      string
	flink     string // the workload's name there
	records   int64  // of flott's and the loop's long run
	flinkLong int64
	overFlink float64 // wanted: Flink's CPU per record is at least this many times ours
	overHand  float64 // wanted: ours is at most this many times the loop's; 0: nothing asked
	gc        string  // GOGC of flott and the loop: more for what is mostly garbage, whose heap stays small all the same; "": Go's own
}

var cases = []comparison{
	{"chain", "chain", 200e6, 200e6, 4, 0, ""},
	{"chain-batch", "chain", 400e6, 200e6, 4, 6, ""},
	{"shuffle", "shuffle", 20e6, 40e6, 2, 1.5, ""},
	{"shuffle-hash", "shuffle-hash", 20e6, 40e6, 3, 1.8, ""},
	{"keyed-count", "keyed-count", 40e6, 20e6, 10, 3, ""},
	{"window", "window", 40e6, 20e6, 6, 3, ""},
	{"window-sparse", "window-sparse", 20e6, 10e6, 6, 3, ""},
	{"wordcount", "wordcount", 3e6, 2e6, 2, 2, ""},
	{"nexmark-q0", "nexmark-q0", 20e6, 80e6, 1.5, 1.3, "800"},
	{"nexmark-q1", "nexmark-q1", 20e6, 80e6, 1.5, 1.3, "800"},
	{"nexmark-q2", "nexmark-q2", 20e6, 80e6, 1.5, 1.3, "800"},
}

// shortPart is the short run's share of the long one.
const shortPart = 5

// tolerance is what a target may be missed by: figures of a shared machine are no better.
const tolerance = 0.10

const header = "workload        flott ns/rec   hand ns/rec  flink ns/rec | flott Mrec/s  flink Mrec/s | flott MB  flink MB | flink/flott (want)  flott/hand (want)"

func (c comparison) measure(engines []engine, runs int, scale float64) (string, error) {
	samples := make([]samples, len(engines))
	for range runs {
		for i, e := range engines {
			s, err := e.sample(c, scale)
			if err != nil {
				return "", fmt.Errorf("%s: %w", e.name, err)
			}
			samples[i] = append(samples[i], s)
		}
	}
	return c.row(samples), nil
}

func (c comparison) row(all []samples) string {
	flott, hand := all[0], all[1]
	row := fmt.Sprintf("%-14s %9.2f %13.2f ", c.name, flott.median(cpu), hand.median(cpu))
	if len(all) == 2 {
		return row + fmt.Sprintf("%13s | %12.2f %13s | %8.0f %9s | %18s  %s", "-", flott.median(rate), "-", flott.median(memory), "-", "-",
			atMost(flott.median(cpu)/hand.median(cpu), c.overHand))
	}
	flink := all[2]
	return row + fmt.Sprintf("%13.2f | %12.2f %13.2f | %8.0f %9.0f | %18s  %s", flink.median(cpu), flott.median(rate), flink.median(rate),
		flott.median(memory), flink.median(memory), atLeast(flink.median(cpu)/flott.median(cpu), c.overFlink), atMost(flott.median(cpu)/hand.median(cpu), c.overHand))
}

func atLeast(got, want float64) string { return verdict(got, want, got >= want*(1-tolerance)) }

func atMost(got, want float64) string {
	if want == 0 {
		return fmt.Sprintf("%.2f (-)", got)
	}
	return verdict(got, want, got <= want*(1+tolerance))
}

func verdict(got, want float64, met bool) string {
	if met {
		return fmt.Sprintf("%.2f (%g) met", got, want)
	}
	return fmt.Sprintf("%.2f (%g) MISSED", got, want)
}
