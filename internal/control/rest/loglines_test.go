package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/logbook"
	"github.com/flott-dev/flott/internal/control/view"
)

// said is lines as NUMBER:MESSAGE, and the last number.
func (l *logLines) said() string {
	var all []string
	for i := range l.Lines {
		all = append(all, fmt.Sprintf("%d:%s", l.Lines[i].Seq, l.Lines[i].Message))
	}
	return fmt.Sprint(all, l.Last)
}

func TestLinesOfTheJobManager(t *testing.T) {
	book := logbook.New()
	b := newBench(t, nil, Options{Book: book})
	log := slog.New(book.Handler())
	for i := range 3 {
		log.Info(fmt.Sprint("tick ", i), "job_id", running)
	}
	log.Warn("Disk full", "task", "sink", "attempt", 2)
	for query, want := range map[string]string{
		"":                    "[1:tick 0 2:tick 1 3:tick 2 4:Disk full] 4",
		"?after=2":            "[3:tick 2 4:Disk full] 4",
		"?after=4":            "[] 4",
		"?limit=1":            "[4:Disk full] 4",
		"?level=warn":         "[4:Disk full] 4",
		"?level=ERROR":        "[] 4",
		"?q=DISK":             "[4:Disk full] 4",
		"?q=" + running[:9]:   "[1:tick 0 2:tick 1 3:tick 2] 4",
		"?q=tick&after=1":     "[2:tick 1 3:tick 2] 4",
		"?limit=1&level=INFO": "[4:Disk full] 4",
	} {
		var l logLines
		if b.into("/jobmanager/flott/log"+query, &l); l.said() != want {
			t.Errorf("%s: %s, want %s", query, l.said(), want)
		}
	}
	for _, query := range []string{"?after=x", "?after=-1", "?level=loud", "?limit=0", "?limit=x"} {
		if a, _ := b.ask("GET", "/jobmanager/flott/log"+query, ""); a.StatusCode != 400 {
			t.Errorf("%s: %s", query, a.Status)
		}
	}
	none := newBench(t, nil, Options{})
	if a, body := none.ask("GET", "/jobmanager/flott/log", ""); a.StatusCode != 404 || !strings.Contains(body, "keeps") {
		t.Errorf("without a book: %s %s", a.Status, body)
	}
}

func TestEventsOfTheLog(t *testing.T) {
	book := logbook.New()
	b := newBench(t, nil, Options{Book: book})
	log := slog.New(book.Handler())
	log.Info("one")
	log.Info("two")
	next := b.events("?log=1&job=" + running)
	read := func() (l logLines) {
		if err := json.Unmarshal([]byte(next("log").data), &l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	if l := read(); l.said() != "[2:two] 2" {
		t.Errorf("at first %s", l.said())
	}
	log.Info("three")
	if l := read(); l.said() != "[3:three] 3" {
		t.Errorf("and then %s", l.said())
	}
	if a, _ := b.ask("GET", "/flott/events?log=x", ""); a.StatusCode != 400 {
		t.Errorf("a line that is none: %s", a.Status)
	}
}

// A withLog is a cluster whose TaskManager has log files.
type withLog struct {
	*cluster
	files map[string]string
}

func (w *withLog) TaskManager(string) (view.Process, error) {
	return &logging{process("tm-1"), w.files}, nil
}

type logging struct {
	process
	files map[string]string
}

func (l *logging) Logs(context.Context) (all []view.LogFile, err error) {
	for _, name := range []string{"worker-1.log", "worker-1.out", "taskmanager.log"} {
		if text, ok := l.files[name]; ok {
			all = append(all, view.LogFile{Name: name, Size: int64(len(text))})
		}
	}
	return all, nil
}

func (l *logging) Log(_ context.Context, name string, from int64) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(l.files[name][min(from, int64(len(l.files[name]))):])), nil
}

func TestLinesOfATaskManager(t *testing.T) {
	const line = "time=2026-11-30T12:00:00.000Z level=INFO msg=%s\n"
	first, second := fmt.Sprintf(line, "one"), fmt.Sprintf(line, "two")
	w := &withLog{newCluster(t), map[string]string{"taskmanager.log": first + second + "half", "worker-1.log": fmt.Sprintf(line, "work")}}
	s := New(w, nil, Options{})
	ask := func(query string) string {
		a := httptest.NewRecorder()
		s.ServeHTTP(a, httptest.NewRequest("GET", "/taskmanagers/tm-1/flott/log"+query, nil))
		var l logLines
		if err := json.Unmarshal(a.Body.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if a.Code != 200 {
			return fmt.Sprint(a.Code)
		}
		return l.said()
	}
	n := len(first)
	both := fmt.Sprintf("[%d:one %d:two] %d", n, 2*n, 2*n)
	for query, want := range map[string]string{
		"":                          both,
		fmt.Sprint("?after=", n):    fmt.Sprintf("[%d:two] %d", 2*n, 2*n),
		fmt.Sprint("?after=", 2*n):  fmt.Sprintf("[] %d", 2*n),
		fmt.Sprint("?after=", 10*n): both, // the file was begun anew
		"?file=worker-1.log":        fmt.Sprintf("[%d:work] %d", n+1, n+1),
		"?file=nope":                "404",
		"?level=warn":               fmt.Sprintf("[] %d", 2*n),
		"?q=TWO":                    fmt.Sprintf("[%d:two] %d", 2*n, 2*n),
		"?limit=1":                  fmt.Sprintf("[%d:two] %d", 2*n, 2*n),
	} {
		if got := ask(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	long := strings.Repeat(second, logTail/n+100)
	w.files["taskmanager.log"] = first + long // of a long file only the end is read, from the first whole line on
	all := ask("?limit=5000")
	if lines := strings.Count(all, ":two"); lines != 5000 || strings.Contains(all, "one") || !strings.HasSuffix(all, fmt.Sprintf("] %d", n+len(long))) {
		t.Errorf("of a long file there are %d lines, up to %s", lines, all[len(all)-20:])
	}
	w.files = nil
	if got := ask(""); got != "404" {
		t.Errorf("of a TaskManager without files: %s", got)
	}
}
