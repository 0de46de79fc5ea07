package taskmanager

import (
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	var got []string
	l := &lines{to: func(b []byte) { got = append(got, string(b)) }}
	long := strings.Repeat("x", mostLine)
	for _, s := range []string{"a", "b\nc\nd", "", "e\n", "f", "\n" + long, "\n", long, "rest", "end"} {
		_, _ = l.Write([]byte(s))
	}
	l.flush()
	l.flush()
	if want := []string{"ab\nc\n", "de\n", "f\n", long + "\n", long + "\n", "restend"}; !slices.Equal(got, want) {
		t.Errorf("passed on %d: %.200q", len(got), got)
	}
}

// However what is written is cut into pieces, the mark is found.
func TestCurtain(t *testing.T) {
	for text, want := range map[string][2]string{
		"":                  {"", ""},
		"before":            {"before", ""},
		"beforeMARKafter":   {"before", "after"},
		"MARK":              {"", ""},
		"MAMARMARKMARKMARK": {"MAMAR", "MARKMARK"},
		"b\nMAR":            {"b\nMAR", ""},
	} {
		for piece := 1; piece <= len(text)+1; piece++ {
			var before, after strings.Builder
			c := &curtain{mark: []byte("MARK"), before: &before, after: &after}
			for p := range slices.Chunk([]byte(text), piece) {
				_, _ = c.Write(p)
			}
			c.flush()
			if got := [2]string{before.String(), after.String()}; got != want {
				t.Errorf("%q by %d: %q, want %q", text, piece, got, want)
			}
		}
	}
}

func TestTail(t *testing.T) {
	filler := strings.Repeat("filler\n", 20_000)
	for name, c := range map[string]struct{ text, prefix, suffix string }{
		"short": {"a\nb\n", "a\nb\n", "b\n"},
		"long":  {filler + "end", "", "end"},
		"panic": {filler + "panic: first\n" + filler, "panic: first\nfiller", ""},
	} {
		w := &tail{}
		for i := 0; i < len(c.text); i += 1000 {
			_, _ = w.Write([]byte(c.text[i:min(i+1000, len(c.text))]))
		}
		if got := w.String(); len(got) > mostTail || !strings.HasPrefix(got, c.prefix) || !strings.HasSuffix(got, c.suffix) {
			t.Errorf("%s: %d bytes, %.50q ... %q", name, len(got), got, got[max(0, len(got)-50):])
		}
	}
}
