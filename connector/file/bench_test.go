package file

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flott-dev/flott/connector"
)

func BenchmarkLines(b *testing.B) {
	benchmark(b, "word and word and number %d\n", func(path string) connector.Source[string] { return Lines(path) })
}

func BenchmarkJSON(b *testing.B) {
	const line = `{"id":%d,"item":"a thing","price":2.5,"at":"2024-02-29T01:02:03Z"}` + "\n"
	benchmark(b, line, func(path string) connector.Source[order] { return JSON[order](path) })
}

func BenchmarkCSV(b *testing.B) {
	benchmark(b, "%d,a thing,2.5,2024-02-29T01:02:03Z\n", func(path string) connector.Source[order] { return CSV[order](path) })
}

// benchmark reads a file of lines, which reads well as CSV too.
func benchmark[T any](b *testing.B, line string, source func(path string) connector.Source[T]) {
	const lines = 100_000
	var text strings.Builder
	text.WriteString("id,item,price,at\n")
	if !strings.HasPrefix(line, "%") {
		text.Reset()
	}
	for i := range lines {
		fmt.Fprintf(&text, line, i)
	}
	path := filepath.Join(write(b, map[string]string{"f": text.String()}), "f")
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		got, err := readAll(b, source(path))
		if err != nil || len(got) != lines {
			b.Fatalf("read %d records, %v", len(got), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/record")
}
