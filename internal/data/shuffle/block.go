package shuffle

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/flott-dev/flott/internal/data/record"
)

const (
	credit    = 4 // blocks of a producer that may be away; then it is back-pressured
	overdraft = 1 // one more, to finish the batch that it is at

	blockRecords    = 1024 // least records of a block, if they fit
	maxBlockRecords = 16384
	recordsPerPart  = 16
	blockBytes      = 256 << 10 // most bytes of a block, without what records point to
	firstRecords    = 64        // columns start with so many and double until the block's size
)

// blockSize is how many records of T a block for so many consumers holds: enough for a view of 16 records for each, but no more
// than stays in the cache.
func blockSize[T any](consumers int) int {
	var v T
	row := int(unsafe.Sizeof(v)) + 8 + 8 // with timestamp and hash
	n := min(max(recordsPerPart*consumers, blockRecords), maxBlockRecords)
	return max(1, min(n, blockBytes/row))
}

// Columns hold records. They are as long as there is room, not as there are records; ts and h are nil until they are needed.
type columns[T any] struct {
	v  []T
	ts []int64
	h  []uint64
}

// fit makes room for n records, and keeps the first used ones.
func (c *columns[T]) fit(n, used int, timed, keyed bool) {
	c.v = fit(c.v, n, used)
	if timed {
		c.ts = fit(c.ts, n, used)
	}
	if keyed {
		c.h = fit(c.h, n, used)
	}
}

func fit[E any](s []E, n, used int) []E {
	if len(s) >= n {
		return s
	}
	bigger := make([]E, n)
	copy(bigger, s[:min(used, len(s))])
	return bigger
}

// A block holds the records of one flush. Until it is back in its pool its readers own disjoint ranges of it.
//
// What records in a block at home point to stays alive until they are overwritten: a block per credit at most. Clearing them would
// cost each record a few per cent for what matters only while the producer is idle.
type block[T any] struct {
	columns[T]
	timed   bool // the ts column counts
	keyed   bool // the h column counts
	readers atomic.Int32
	home    *pool[T]
	wire    []byte // encoded runs, for consumers in other processes
}

func (b *block[T]) read() {
	if b.readers.Add(-1) == 0 {
		b.home.put(b)
	}
}

// lend points batch at the records from..to. Their columns are cut off, so that appending to them leaves the next range alone.
func (b *block[T]) lend(batch *record.Batch[T], from, to int, shared bool) {
	*batch = record.Batch[T]{V: b.v[from:to:to], Shared: shared}
	if b.timed {
		batch.TS = b.ts[from:to:to]
	}
	if b.keyed {
		batch.H = b.h[from:to:to]
	}
}

// A pool holds the free blocks of one writer. They are made when they are needed for the first time, and the last one to come back
// is the first to go: a producer whose consumers keep up uses one or two.
type pool[T any] struct {
	box *Mailbox // the producer's
	mu  struct {
		sync.Mutex
		free   []*block[T]
		away   int  // blocks taken
		wanted bool // the producer waits for a block
	}
}

// take takes a block if fewer than limit are away; else the producer's mailbox will say when one came back.
func (p *pool[T]) take(limit int) *block[T] {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mu.wanted = p.mu.away >= limit
	if p.mu.wanted {
		return nil
	}
	p.mu.away++
	last := len(p.mu.free) - 1
	if last < 0 {
		return &block[T]{home: p}
	}
	b := p.mu.free[last]
	p.mu.free = p.mu.free[:last]
	return b
}

// put brings a block home. It may be called from any goroutine.
func (p *pool[T]) put(b *block[T]) {
	p.mu.Lock()
	p.mu.free = append(p.mu.free, b)
	p.mu.away--
	wanted := p.mu.wanted
	p.mu.wanted = false
	p.mu.Unlock()
	if wanted {
		p.box.raise(Returns)
	}
}
