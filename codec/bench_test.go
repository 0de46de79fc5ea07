package codec

import (
	"fmt"
	"testing"

	"github.com/twmb/avro"
)

// Bid is Nexmark's.
type Bid struct {
	Auction  int64
	Bidder   int64
	Price    int64
	Channel  string
	URL      string
	DateTime int64
	Extra    string
}

func bids() []Bid {
	b := make([]Bid, 1024)
	for i := range b {
		b[i] = Bid{
			int64(1000 + i*7), int64(i * 31), int64(100 + i*i), "Google",
			fmt.Sprintf("https://www.nexmark.com/googl/item.htm?query=%d", i), 1700000000000 + int64(i), "jfdkslafjkdlsa;fjdksla;fjkdsl;a",
		}
	}
	return b
}

func perRecord(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkAppend(b *testing.B) {
	all, c := bids(), must(Of[Bid]())
	library := avro.MustParse(c.Schema())
	dst := make([]byte, 0, 1<<20)
	b.Run("row", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d := dst
			for i := range all {
				d, _ = c.Append(d, &all[i])
			}
		}
		perRecord(b, len(all))
	})
	b.Run("block", func(b *testing.B) {
		b.ReportAllocs()
		block := BlockOf(c)
		for b.Loop() {
			_, _ = block.Append(dst, all, nil, nil)
		}
		perRecord(b, len(all))
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d := dst
			for i := range all {
				d, _ = library.AppendEncode(d, &all[i])
			}
		}
		perRecord(b, len(all))
	})
}

func BenchmarkDecode(b *testing.B) {
	all, c := bids(), must(Of[Bid]())
	library, out := avro.MustParse(c.Schema()), make([]Bid, len(bids()))
	var rows []byte
	for i := range all {
		rows = must(c.Append(rows, &all[i]))
	}
	b.Run("row", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			in := rows
			for i := range out {
				in, _ = c.Decode(in, &out[i])
			}
		}
		perRecord(b, len(all))
	})
	b.Run("block", func(b *testing.B) {
		b.ReportAllocs()
		block := BlockOf(c)
		in := must(block.Append(nil, all, nil, nil))
		var to Columns[Bid]
		for b.Loop() {
			_ = block.Decode(in, &to)
		}
		perRecord(b, len(all))
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			in := rows
			for i := range out {
				in, _ = library.Decode(in, &out[i])
			}
		}
		perRecord(b, len(all))
	})
}
