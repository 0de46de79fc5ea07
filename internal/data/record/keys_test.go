package record_test

import (
	"testing"

	"github.com/flott-dev/flott/internal/data/record"
	"pgregory.net/rapid"
)

// What is said of the group with most records is never too much, and nearly right where it has a third of them or more.
func TestKeysOfOneGroup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var k record.Keys
		hot := rapid.Uint64Range(0, 1<<16-1).Draw(t, "hot")
		share := rapid.IntRange(0, 1000).Draw(t, "share")
		groups := rapid.Uint64Range(1, 1000).Draw(t, "groups")
		rnd := rapid.Uint64().Draw(t, "seed")
		const n = 960 // less than are needed to halve the counts
		counted := map[uint64]int{}
		for range n {
			rnd = rnd*6364136223846793005 + 1442695040888963407
			group := rnd >> 33 % groups
			if int(rnd>>20%1000) < share {
				group = hot
			}
			counted[group]++
			k.Note(batch(group<<48 | rnd>>16))
		}
		place, said := k.Most()
		group := place >> 48
		if most := counted[group] * 1000 / n; said > most {
			t.Fatalf("group %d has %d of 1000, not %d", group, most, said)
		}
		if really := counted[hot] * 1000 / n; really >= 334 && counted[hot] > n/2 && (group != hot || said < really-130) {
			t.Fatalf("group %d has %d of 1000; said was that %d has %d", hot, really, group, said)
		}
	})
}

// What was long ago counts no more.
func TestKeysOfLate(t *testing.T) {
	var k record.Keys
	if _, share := k.Most(); share != 0 {
		t.Errorf("share %d of nothing", share)
	}
	for range 5000 {
		k.Note(batch(3 << 48))
	}
	for range 5000 {
		k.Note(batch(7 << 48))
	}
	if place, share := k.Most(); place != 7<<48 || share < 900 {
		t.Errorf("place %#x has %d", place, share)
	}
}

// Small batches cost nothing but an addition, and count together.
func TestKeysOfSmallBatches(t *testing.T) {
	var k record.Keys
	for range 128 * 16 {
		k.Note([]uint64{5 << 48})
	}
	if place, share := k.Most(); place != 5<<48 || share != 1000 {
		t.Errorf("place %#x has %d", place, share)
	}
}

// batch is so many records that one of them is looked at.
func batch(first uint64) []uint64 {
	all := make([]uint64, 128)
	all[0] = first
	return all
}
