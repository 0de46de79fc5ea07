package codec

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

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

// Count is a word and how often it came.
type Count struct {
	Word string
	N    int64
}

const perBlock = 1024

func bids() []Bid {
	b := make([]Bid, perBlock)
	for i := range b {
		b[i] = Bid{
			int64(1000 + i*7), int64(i * 31), int64(100 + i*i), "Google",
			fmt.Sprintf("https://www.nexmark.com/googl/item.htm?query=%d", i), 1700000000000 + int64(i), "jfdkslafjkdlsa;fjdksla;fjkdsl;a",
		}
	}
	return b
}

func counts() []Count {
	c := make([]Count, perBlock)
	for i := range c {
		c[i] = Count{fmt.Sprint("word", i*i), int64(i)}
	}
	return c
}

func spots() []Point {
	p := make([]Point, perBlock)
	for i := range p {
		p[i] = Point{float64(i), 1 / float64(i+1)}
	}
	return p
}

// BenchmarkBeside runs the prototype, ours and the library in turn, so that what else the machine does meets all of them, and reports the
// median of each, in nanoseconds a record, and that of ours as so many times the prototype's. "copied" is the prototype on a copy of
// the bytes, which others may then overwrite: what it gives is its own then, as with ours. The heap is as large as a worker's may be:
// that of a benchmark is so small that garbage is collected all the time.
func BenchmarkBeside(b *testing.B) {
	heap := make([]byte, 64<<20)
	defer runtime.KeepAlive(heap)
	b.Run("Bid", func(b *testing.B) { beside(b, bids()) })
	b.Run("Count", func(b *testing.B) { beside(b, counts()) })
	b.Run("Point", func(b *testing.B) { beside(b, spots()) })
}

func beside[T any](b *testing.B, all []T) {
	c, p := must(Of[T]()), prototypeOf[T]()
	library, block := avro.MustParse(c.Schema()), BlockOf(c)
	dst, out, to := make([]byte, 0, 1<<20), make([]T, len(all)), Columns[T]{}
	rows, columns := encodeAll(c, all), p.appendBlock(nil, all)
	framed := must(block.Append(nil, all, nil, nil))
	b.Run("append/row", inTurn(
		way{"prototype", func() { each(all, dst, p.append) }},
		way{"ours", func() { each(all, dst, func(d []byte, v *T) []byte { return must(c.Append(d, v)) }) }},
		way{"library", func() { each(all, dst, func(d []byte, v *T) []byte { return must(library.AppendEncode(d, v)) }) }},
	))
	b.Run("append/block", inTurn(
		way{"prototype", func() { p.appendBlock(dst, all) }},
		way{"ours", func() { must(block.Append(dst, all, nil, nil)) }},
	))
	b.Run("decode/row", inTurn(
		way{"prototype", func() { each(out, rows, p.decode) }},
		way{"ours", func() { each(out, rows, func(in []byte, v *T) []byte { return must(c.Decode(in, v)) }) }},
		way{"copied", func() { each(out, bytes.Clone(rows), p.decode) }},
		way{"library", func() { each(out, rows, func(in []byte, v *T) []byte { return must(library.Decode(in, v)) }) }},
	))
	b.Run("decode/block", inTurn(
		way{"prototype", func() { p.decodeBlock(columns, out) }},
		way{"ours", func() { noError(block.Decode(framed, &to)) }},
		way{"copied", func() { p.decodeBlock(bytes.Clone(columns), out) }},
	))
}

// A way is one of several to do something for perBlock records.
type way struct {
	name string
	do   func()
}

func inTurn(ways ...way) func(*testing.B) {
	return func(b *testing.B) {
		took := make([][]float64, len(ways))
		for b.Loop() {
			for i, w := range ways {
				start := time.Now()
				w.do()
				took[i] = append(took[i], float64(time.Since(start))/perBlock)
			}
		}
		for i, w := range ways {
			b.ReportMetric(median(took[i]), w.name+"-ns")
		}
		b.ReportMetric(median(took[1])/median(took[0]), "ours/prototype")
		b.ReportMetric(0, "ns/op")
	}
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

func each[T any](v []T, rest []byte, f func([]byte, *T) []byte) {
	for i := range v {
		rest = f(rest, &v[i])
	}
}

func encodeAll[T any](c Codec[T], all []T) (rows []byte) {
	for i := range all {
		rows = must(c.Append(rows, &all[i]))
	}
	return rows
}

func noError(err error) {
	if err != nil {
		panic(err)
	}
}
