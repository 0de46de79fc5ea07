package id_test

import (
	"slices"
	"testing"

	"github.com/flott-dev/flott/internal/id"
	"pgregory.net/rapid"
)

func drawParallelism(t *rapid.T) (parallelism int, groups id.KeyGroups, max int) {
	max = rapid.OneOf(
		rapid.IntRange(1, id.MaxKeyGroups),
		rapid.Map(rapid.IntRange(0, 15), func(log int) int { return 1 << log }),
	).Draw(t, "max parallelism")
	return rapid.IntRange(1, max).Draw(t, "parallelism"), id.KeyGroupsOf(max), max
}

func TestRangesCoverEachKeyGroupOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parallelism, groups, max := drawParallelism(t)
		next := 0
		for i := range parallelism {
			r := groups.Range(i, parallelism)
			if r.First != next || r.Last < r.First {
				t.Fatalf("subtask %d of %d has %v, want it to start at %d", i, parallelism, r, next)
			}
			next = r.Last + 1
		}
		if next != max {
			t.Fatalf("%d of %d key groups are dealt out", next, max)
		}
	})
}

func TestKeyGroupsBelongToTheSubtaskWithTheirRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parallelism, groups, _ := drawParallelism(t)
		g := groups.Of(rapid.Uint64().Draw(t, "hash"))
		if r := groups.Range(groups.Subtask(g, parallelism), parallelism); g < r.First || g > r.Last {
			t.Fatalf("group %d is not in its subtask's range %v", g, r)
		}
	})
}

func TestPlacesKeepTheKeyGroupAndItsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, groups, _ := drawParallelism(t)
		a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64().Draw(t, "b")
		pa, pb := groups.Place(a), groups.Place(b)
		if got := groups.OfPlace(pa); got != groups.Of(a) {
			t.Fatalf("the place says group %d, the hash %d", got, groups.Of(a))
		}
		if groups.Of(a) < groups.Of(b) && pa >= pb {
			t.Fatalf("groups %d < %d, places %#x >= %#x", groups.Of(a), groups.Of(b), pa, pb)
		}
		if pa<<16 != a>>16<<16 {
			t.Fatalf("place %#x does not end in the upper 48 bits of %#x", pa, a)
		}
	})
}

// TestPlaceAll: a column of places is the places one by one.
func TestPlaceAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, groups, _ := drawParallelism(t)
		hashes := rapid.SliceOf(rapid.Uint64()).Draw(t, "hashes")
		places := slices.Clone(hashes)
		groups.PlaceAll(places)
		for i, h := range hashes {
			if places[i] != groups.Place(h) {
				t.Fatalf("place of %x is %x in a column, %x alone", h, places[i], groups.Place(h))
			}
		}
	})
}
