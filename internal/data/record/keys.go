package record

import "sync/atomic"

// Keys estimates how many of the records that a task reads are of one key group: of the one that has most. Somebody who sees a task
// with far more work than its siblings wants to know whether that is one key.
//
// It looks at one record of a batch, and passes over small batches, and counts the groups that it meets with a handful of counters (space saving, by
// Metwally and others): who has no counter takes over the smallest, and with it how much of that count may be another's. So a count
// is never too small, and what is certain of it is never too large. All counts are halved now and then, so that they are of late.
//
// It belongs to the task's goroutine, but for Most.
type Keys struct {
	counts [counters]keyCount
	seen   uint32
	passed int           // records since the last that was looked at
	most   atomic.Uint32 // as Most says it: group above share
}

type keyCount struct {
	group    uint16 // upper bits of a place, see id.KeyGroups
	n, other uint32 // n times, of which other ones may be of other groups
}

const (
	counters  = 8
	apart     = 128     // records
	halvedAt  = 1 << 10 // samples
	published = 16      // samples between two looks at the counters
)

// Note takes in the places of a batch.
func (k *Keys) Note(places []uint64) {
	if k.passed += len(places); k.passed < apart {
		return
	}
	k.passed = 0
	k.sample(places[0])
}

func (k *Keys) sample(place uint64) {
	k.count(uint16(place >> 48))
	k.seen++
	if k.seen%published == 0 {
		k.publish()
	}
	if k.seen >= halvedAt {
		k.halve()
	}
}

func (k *Keys) count(group uint16) {
	least := 0
	for i := range k.counts {
		c := &k.counts[i]
		if c.group == group && c.n > 0 {
			c.n++
			return
		}
		if c.n < k.counts[least].n {
			least = i
		}
	}
	c := &k.counts[least]
	*c = keyCount{group, c.n + 1, c.n}
}

func (k *Keys) halve() {
	k.seen /= 2
	for i := range k.counts {
		k.counts[i].n /= 2
		k.counts[i].other /= 2
	}
}

func (k *Keys) publish() {
	var most keyCount
	for _, c := range k.counts {
		if c.n-c.other > most.n-most.other {
			most = c
		}
	}
	k.most.Store(uint32(most.group)<<16 | (most.n-most.other)*1000/k.seen)
}

// Most is the place of the key group that has most records, and at least how many of a thousand that are; 0: nothing is known yet.
// Anyone may ask.
func (k *Keys) Most() (place uint64, share int) {
	m := k.most.Load()
	return uint64(m>>16) << 48, int(m & 0xffff)
}
