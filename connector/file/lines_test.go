package file

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/connector"
	"github.com/flott-dev/flott/connector/connectortest"
)

func TestLinesConform(t *testing.T) {
	var want []string
	text := func(name string, n int) string {
		var b strings.Builder
		for i := range n {
			line := fmt.Sprintf("%s %d%s", name, i, strings.Repeat("x", rand.IntN(40)))
			want = append(want, line)
			b.WriteString(line + []string{"\n", "\r\n"}[i%2])
		}
		return b.String()
	}
	dir := write(t, map[string]string{
		"large.txt": text("large", 300), "small": text("small", 3), "empty.txt": "",
		"deep/a.gz": text("gzip", 100), "deep/b.zst": text("zstd", 100), "deep/_not": "not to be read\n",
	})
	connectortest.Source(t, connectortest.SourceCase[string]{
		New:  func() connector.Source[string] { return withSizes(Lines(dir), 500, 1000) },
		Want: want,
	})
}

// Whatever the ranges, the lines are those of the whole file, in their order.
func checkRanges(t interface {
	Fatalf(format string, args ...any)
}, path, text string, size int64, tb testing.TB,
) {
	whole, err := readAll(tb, Lines(path))
	if err != nil {
		t.Fatalf("reading %q whole: %v", text, err)
	}
	inRanges, err := readAll(tb, withSizes(Lines(path), size, size))
	if err != nil {
		t.Fatalf("reading %q in ranges of %d: %v", text, size, err)
	}
	if !slices.Equal(inRanges, whole) {
		t.Fatalf("%q in ranges of %d bytes has lines %q, want %q", text, size, inRanges, whole)
	}
	if got, want := len(whole), len(slices.Collect(strings.Lines(strings.TrimPrefix(text, "\ufeff")))); got != want {
		t.Fatalf("%q has %d lines, want %d", text, got, want)
	}
}

func TestAnyRangesGiveTheSameLines(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringMatching(`(a|bc|\r|\n|\r\n|`+"\ufeff"+`){0,40}`).Draw(r, "text")
		size := rapid.Int64Range(1, 50).Draw(r, "size")
		checkRanges(r, filepath.Join(write(t, map[string]string{"f": text}), "f"), text, size, t)
	})
}

func FuzzLineRanges(f *testing.F) {
	f.Add("a\nbc\r\n\n\nd", uint8(1))
	f.Add("\ufeffa\n", uint8(2))
	f.Add("no end", uint8(3))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		checkRanges(t, filepath.Join(write(t, map[string]string{"f": text}), "f"), text, int64(size)+1, t)
	})
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	for _, name := range []string{"f.txt", "f.gz", "f.zst"} {
		dir := write(t, map[string]string{name: "\ufeffa\n\ufeffb\n"})
		got, err := readAll(t, Lines(dir))
		if want := []string{"a", "\ufeffb"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: read %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestCutting(t *testing.T) {
	for _, c := range []struct {
		parallelism int
		size        int64
		name, want  string
	}{
		{1, 100, "f", "f[0:]"},
		{1, 101, "f", "f[0:100] f[100:]"},
		{2, 2000, "f", "f[0:250] f[250:500] f[500:750] f[750:1000] f[1000:1250] f[1250:1500] f[1500:1750] f[1750:]"},
		{1, 2500, "f", "f[0:500] f[500:1000] f[1000:1500] f[1500:2000] f[2000:]"},
		{9, 250, "f", "f[0:100] f[100:200] f[200:]"},
		{9, 5000, "f.gz", "f.gz[0:]"},
		{9, 5000, "f.ZSTD", "f.ZSTD[0:]"},
	} {
		var got []string
		for _, s := range cut([]found{{c.name, c.size, true}}, c.parallelism, true, sizes{least: 100, most: 500}) {
			got = append(got, s.String())
		}
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s of %d bytes at parallelism %d: %v, want %s", c.name, c.size, c.parallelism, got, c.want)
		}
	}
	for what, f := range map[string]found{"a CSV file": {"f", 5000, true}, "a pipe": {"f", 5000, false}} {
		if got := cut([]found{f}, 9, what == "a pipe", sizes{1, 1}); len(got) != 1 {
			t.Errorf("%s is cut: %v", what, got)
		}
	}
}

func FuzzParseSpan(f *testing.F) {
	f.Add("a[0:]")
	f.Add("a[b][12:34]")
	f.Add("[5:4]")
	f.Add("a[-1:]")
	f.Fuzz(func(t *testing.T, id string) {
		s, err := parseSpan(id)
		if err == nil && (s.String() != id || s.start < 0 || s.end != toEnd && s.end < s.start) {
			t.Errorf("split %q parsed as %+v", id, s)
		}
	})
}

func TestFilesThatCannotBeRead(t *testing.T) {
	dir := write(t, map[string]string{"bad.gz.txt": "no gzip", "cut.gz": "", "long.txt": "ok\n" + strings.Repeat("x", 17<<20)})
	whole := compressed(t, "f.gz", strings.Repeat("some text\n", 1000))
	rewrite(t, dir, "bad.gz", "this is no gzip file")
	rewrite(t, dir, "bad.zst", "no zstd")
	rewrite(t, dir, "cut.gz", string(whole[:len(whole)/2]))
	for name, want := range map[string]string{
		"bad.gz":   "bad.gz: gzip: invalid header",
		"bad.zst":  "magic number mismatch",
		"cut.gz":   "unexpected EOF",
		"long.txt": "long.txt:2: the line at byte 3 is longer than 16 MiB",
	} {
		_, err := readAll(t, Lines(filepath.Join(dir, name)))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}
