package line

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func readAll(t testing.TB, r *Reader) (lines []string) {
	t.Helper()
	for {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines
		} else if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"\n", []string{""}},
		{"a", []string{"a"}},
		{"a\nb\n", []string{"a", "b"}},
		{"a\r\n\r\nb\r", []string{"a", "", "b"}},
		{"a\rb\r\r\n", []string{"a\rb\r"}},
		{"\n\na", []string{"", "", "a"}},
		{long + "\n" + long + "\r\nend", []string{long, long, "end"}},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "bytewise": iotest.OneByteReader(strings.NewReader(c.text)),
		} {
			lines := NewReader(r, 7)
			if got := readAll(t, lines); !slices.Equal(got, c.want) {
				t.Errorf("%.20q %s: lines %.40q, want %.40q", c.text, name, got, c.want)
			}
			if got, want := lines.Offset(), int64(7+len(c.text)); got != want {
				t.Errorf("%.20q %s: at byte %d after the end, want %d", c.text, name, got, want)
			}
		}
	}
}

func TestTooLongLineIsAnError(t *testing.T) {
	text := "ok\n" + strings.Repeat("x", Max) + "\n"
	lines := NewReader(strings.NewReader(text), 0)
	if _, err := lines.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := lines.Next(); err == nil || !strings.Contains(err.Error(), "the line at byte 3 is longer than 16 MiB") {
		t.Errorf("a line of 16 MiB and an end gave %v", err)
	}
	most := NewReader(strings.NewReader(text[4:]), 0) // one less
	if line, err := most.Next(); err != nil || len(line) != Max-1 {
		t.Errorf("the longest line gave %d bytes and %v", len(line), err)
	}
}

func TestReadErrorIsNoEnd(t *testing.T) {
	broken := errors.New("broken")
	lines := NewReader(io.MultiReader(strings.NewReader("a\nhalf"), iotest.ErrReader(broken)), 0)
	if line, err := lines.Next(); err != nil || string(line) != "a" {
		t.Fatalf("first line %q, %v", line, err)
	}
	if line, err := lines.Next(); !errors.Is(err, broken) {
		t.Errorf("half a line gave %q, %v; want the error", line, err)
	}
}

// At any byte: what Skip leaves begins behind the next end of line.
func FuzzSkip(f *testing.F) {
	f.Add([]byte("a\r\nbc\n\nd"), uint16(2))
	f.Add([]byte("abc"), uint16(1))
	f.Fuzz(func(t *testing.T, text []byte, at uint16) {
		from := min(int(at), len(text))
		lines := NewReader(bytes.NewReader(text[from:]), int64(from))
		want := len(text)
		if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
			want = from + i + 1
		}
		if err := lines.Skip(); err != nil {
			t.Fatalf("Skip in %q from %d: %v", text, from, err)
		}
		if lines.Offset() != int64(want) {
			t.Fatalf("Skip in %q from %d went to %d, want %d", text, from, lines.Offset(), want)
		}
		rest := NewReader(bytes.NewReader(text[want:]), 0)
		if got, want := readAll(t, lines), readAll(t, rest); !slices.Equal(got, want) {
			t.Errorf("after Skip in %q from %d: %q, want %q", text, from, got, want)
		}
	})
}
