package logbook

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func (l *Line) text() string {
	return fmt.Sprintf("%d %s %q job=%s task=%s attempt=%s %v", l.Seq, l.Level, l.Message, l.Job, l.Task, l.Attempt, l.Fields)
}

func texts(all []Line) string {
	var b strings.Builder
	for i := range all {
		b.WriteString(all[i].text() + "\n")
	}
	return b.String()
}

func TestBookKeepsRecords(t *testing.T) {
	b := New()
	log := slog.New(b.Handler())
	log.Debug("nobody wants to know")
	log.With("job", "count", "job_id", "8a6b").With("task", "map").WithGroup("net").Warn("slow", "attempt", 2, slog.Group("from", "host", "a b"), slog.Group("", "port", 12))
	log.Info("after", "error", errors.New("disk full"), "d", 1500*time.Millisecond, slog.Attr{})
	all, last := b.Lines(Filter{Limit: 10})
	want := `1 WARN "slow" job=8a6b task=map attempt= map[job:count net.attempt:2 net.from.host:a b net.port:12]
2 INFO "after" job= task= attempt= map[d:1.5s error:disk full]
`
	if got := texts(all); got != want || last != 2 || time.Since(time.UnixMilli(all[0].At)) > time.Minute {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestFilter(t *testing.T) {
	b := New()
	log := slog.New(b.Handler())
	for i := range 10 {
		log.Info("tick", "n", i)
	}
	log.Warn("Disk Full", "job_id", "8a6b", "path", "/X")
	log.Error("power cut")
	for _, c := range []struct {
		f    Filter
		want string // numbers of lines
	}{
		{Filter{Limit: 3}, "[10 11 12]"},
		{Filter{Limit: 100, After: 8}, "[9 10 11 12]"},
		{Filter{Limit: 100, After: 12}, "[]"},
		{Filter{Limit: 100, Level: slog.LevelWarn}, "[11 12]"},
		{Filter{Limit: 100, Level: slog.LevelError}, "[12]"},
		{Filter{Limit: 100, Query: "disk f"}, "[11]"},
		{Filter{Limit: 100, Query: "path=/x"}, "[11]"},
		{Filter{Limit: 100, Query: "8a6b"}, "[11]"},
		{Filter{Limit: 1, Query: "n="}, "[10]"},
	} {
		all, last := b.Lines(c.f)
		numbers := []int64{}
		for i := range all {
			numbers = append(numbers, all[i].Seq)
		}
		if got := fmt.Sprint(numbers); got != c.want || last != 12 {
			t.Errorf("%+v: %s, want %s", c.f, got, c.want)
		}
	}
}

func TestBookIsBounded(t *testing.T) {
	for name, value := range map[string]string{"many": "x", "long": strings.Repeat("é", mostValue)} {
		b := New()
		log := slog.New(b.Handler())
		for range mostLines + 1000 {
			log.Info(name, "value", value, "other", value)
		}
		all, last := b.Lines(Filter{Limit: 1 << 30})
		sum := 0
		for i := range all {
			sum += all[i].bytes()
		}
		if len(all) == 0 || len(all) > mostLines || sum > mostBytes || sum != b.mu.bytes || last != mostLines+1000 || all[len(all)-1].Seq != last {
			t.Errorf("%s: %d lines of %d bytes", name, len(all), sum)
		}
	}
}

// A line of a file says what the record said from which it was written.
func TestFilesSayWhatRecordsSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := New()
		var file bytes.Buffer
		log := slog.New(slog.NewMultiHandler(b.Handler(), slog.NewTextHandler(&file, nil)))
		word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "plain", `say "hi"`, "two words", "a=b", "line\nbreak", "é"}))
		for range rapid.IntRange(1, 5).Draw(t, "lines") {
			args := []any{"job_id", word.Draw(t, "job"), "task", word.Draw(t, "task")}
			for _, key := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z ="]{1,4}[0-9]`), 0, 3, rapid.ID).Draw(t, "keys") {
				args = append(args, key, word.Draw(t, "value"))
			}
			log.Warn(word.Draw(t, "message"), args...)
		}
		want, _ := b.Lines(Filter{Limit: 100})
		got, last, err := Read(&file, 1000, Filter{Limit: 100})
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d lines, want %d: %v", len(got), len(want), err)
		}
		for i := range want {
			g, w := &got[i], &want[i]
			if g.At != w.At || g.Level != w.Level || valid(g.Message) != valid(w.Message) || valid(g.Job) != valid(w.Job) || !maps.EqualFunc(g.Fields, w.Fields, func(x, y string) bool { return valid(x) == valid(y) }) {
				t.Fatalf("line %d is\n%s\nwant\n%s", i, g.text(), w.text())
			}
		}
		if got[len(got)-1].Seq != last || last <= 1000 {
			t.Fatalf("the last line ends at %d, and the file at %d", got[len(got)-1].Seq, last)
		}
	})
}

// valid is a text without what slog writes in another way.
func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func TestReadGoesOn(t *testing.T) {
	const file = "time=2026-11-30T12:00:00.000Z level=INFO msg=one\npanic: x\n\ngoroutine 1\ntime=2026-11-30T12:00:00.000Z level=ERROR msg=two\ntime=2026-11-30T12:00:01.000Z lev"
	all, last, err := Read(strings.NewReader(file), 0, Filter{Limit: 3, Level: slog.LevelWarn})
	if err != nil || len(all) != 3 || all[2].Message != "two" || all[1].Message != "goroutine 1" || all[1].Level != "" {
		t.Errorf("%s %v", texts(all), err)
	}
	more, end, err := Read(strings.NewReader(file[last:]+"el=INFO msg=three\n"), last, Filter{Limit: 3, After: last})
	if err != nil || len(more) != 1 || more[0].Message != "three" || end != int64(len(file)+len("el=INFO msg=three\n")) {
		t.Errorf("%s %v", texts(more), err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`time=2026-11-30T12:00:00.000Z level=INFO msg="a b" k=v`)
	f.Add(`"a=b`)
	f.Add("panic: x")
	f.Fuzz(func(t *testing.T, text string) {
		l := Parse(text)
		if l.Fields == nil || l.Level == "" && l.Message != clip(text) {
			t.Errorf("%q is %+v", text, l)
		}
	})
}
