package sim

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
)

// play plays a seed in a bubble of its own.
func play(t *testing.T, seed uint64, bug Bug) (findings, log []string) {
	synctest.Test(t, func(*testing.T) { findings, log = Run(seed, bug, synctest.Wait) })
	return findings, log
}

// TestSeeds plays 200 seeds, or the one that FLOTT_SIM_SEED names, with all that happened.
func TestSeeds(t *testing.T) {
	if text := os.Getenv("FLOTT_SIM_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		findings, log := play(t, seed, NoBug)
		t.Logf("%s\nfound: %q", strings.Join(log, "\n"), findings)
		if len(findings) > 0 {
			t.Fail()
		}
		return
	}
	for seed := range uint64(200) {
		if findings, _ := play(t, seed, NoBug); len(findings) > 0 {
			t.Errorf("FLOTT_SIM_SEED=%d: %s", seed, strings.Join(findings, "; "))
		}
	}
}

// A seed that found something finds it again: the same happens at the same times.
func TestSeedsReplay(t *testing.T) {
	for seed := range uint64(10) {
		_, first := play(t, seed, NoBug)
		_, second := play(t, seed, NoBug)
		if !slices.Equal(first, second) {
			i := 0
			for i < min(len(first), len(second)) && first[i] == second[i] {
				i++
			}
			t.Errorf("seed %d: after %d lines something else happens: %q, then %q", seed, i, first[i:min(i+5, len(first))], second[i:min(i+5, len(second))])
		}
	}
}

// Bugs are found, as what they are, by one of a few seeds.
func TestPlantedBugsAreFound(t *testing.T) {
	for bug, want := range map[Bug]string{EarlyExit: "slots of", DeafWorker: "neither ends nor runs", SecondRun: "started twice", OldWorkers: "slots of"} {
		found := false
		for seed := uint64(0); seed < 30 && !found; seed++ {
			findings, _ := play(t, seed, bug)
			found = slices.ContainsFunc(findings, func(f string) bool { return strings.Contains(f, want) })
		}
		if !found {
			t.Errorf("bug %d is not found", bug)
		}
	}
}
