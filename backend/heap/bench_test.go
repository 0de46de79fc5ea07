package heap_test

import (
	"fmt"
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/heap"
	"github.com/flott-dev/flott/internal/id"
	"github.com/flott-dev/flott/state"
)

var groups = id.KeyGroupsOf(128)

// mix is the splitmix64 finaliser, which is also the hash of integer keys.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func place(k int64) uint64 { return groups.Place(mix(uint64(k))) }

func whole() heap.Span { return heap.SpanOf(id.KeyGroupRange{First: 0, Last: 127}, 128) }

// draws are random keys with their places, as an exchange delivers them.
func draws(keys, n int) (k []int64, h []uint64) {
	k, h = make([]int64, n), make([]uint64, n)
	for i := range k {
		k[i] = int64(mix(uint64(i)*0x9E3779B97F4A7C15) >> 1 % uint64(keys))
		h[i] = place(k[i])
	}
	return k, h
}

const drawn = 1 << 18

// BenchmarkTable counts records per key: in the table, through a state's handle, and in a Go map for comparison.
func BenchmarkTable(b *testing.B) {
	for _, keys := range []int{10_000, 100_000, 1_000_000} {
		k, h := draws(keys, drawn)
		b.Run(fmt.Sprintf("keys=%d/table", keys), func(b *testing.B) {
			t := heap.NewTable[int64, int64](whole())
			for i := 0; b.Loop(); i++ {
				v, _ := t.Ref(h[i%drawn], k[i%drawn])
				*v++
			}
		})
		b.Run(fmt.Sprintf("keys=%d/handle", keys), func(b *testing.B) {
			var key backend.Key[int64]
			v := state.NewValue(heap.NewValue[int64, int64](&key, whole()))
			for i := 0; b.Loop(); i++ {
				key.K, key.Place = k[i%drawn], h[i%drawn]
				n, _ := v.Get()
				v.Set(n + 1)
			}
		})
		b.Run(fmt.Sprintf("keys=%d/map", keys), func(b *testing.B) {
			m := map[int64]int64{}
			for i := 0; b.Loop(); i++ {
				n := m[k[i%drawn]]
				m[k[i%drawn]] = n + 1
			}
		})
	}
}
