package jobmanager

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// start submits a job that gets no slots.
func start(t *testing.T, d *Dispatcher, n byte) *JobMaster {
	t.Helper()
	s := submission(1)
	s.Graph.Job.ID = id.Job{n}
	m, err := d.Submit(s)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	return m
}

func cancel(m *JobMaster) {
	m.Cancel(context.Canceled)
	<-m.Done()
	time.Sleep(time.Second)
}

// knows wants just these jobs, newest first.
func knows(t *testing.T, d *Dispatcher, want string) {
	t.Helper()
	all, err := d.Jobs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, j := range all {
		got = append(got, fmt.Sprint(j.ID[0]))
	}
	if s := strings.Join(got, " "); s != want {
		t.Errorf("known are %s, want %s", s, want)
	}
}

func TestRetention(t *testing.T) {
	for _, c := range []struct {
		name              string
		archive           bool
		many, anHourLater string
	}{
		{"in memory", false, "6 5 1", "1"},
		{"in the archive", true, "6 5 4 3 1", "6 5 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Token: theToken, Logger: slog.New(slog.DiscardHandler), Retention: Retention{Jobs: 2, For: time.Hour, Archived: 2}}
			if c.archive {
				o.Archive = t.TempDir()
			}
			synctest.Test(t, func(t *testing.T) {
				d := New(o)
				long := start(t, d, 1)
				for n := byte(2); n <= 6; n++ {
					cancel(start(t, d, n))
				}
				knows(t, d, c.many)
				_, err := d.Job(t.Context(), id.Job{2})
				if !errors.Is(err, view.ErrUnknownJob) {
					t.Errorf("the oldest: %v", err)
				}
				time.Sleep(time.Hour)
				knows(t, d, c.anHourLater)
				if !c.archive {
					cancel(long)
					return
				}
				if err := d.Output(t.Context(), id.Job{6}, 0, &bytes.Buffer{}); err != nil {
					t.Error(err)
				}
				cancel(long)
				time.Sleep(time.Hour)
				knows(t, d, "6 5") // the one that was started first is deleted
				if files, err := os.ReadDir(o.Archive); err != nil || len(files) != 2 {
					t.Errorf("%v, %v", files, err)
				}
				knows(t, New(o), "6 5")
			})
		})
	}
}

func TestOutputOfJobsThatAreOverIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(Options{Token: theToken, Logger: slog.New(slog.DiscardHandler)})
		text := bytes.Repeat([]byte("0123456789abcde\n"), mostPrinted/16*2/5)
		for n := byte(1); n <= 3; n++ {
			m := start(t, d, n)
			m.output.mu.text = text
			m.output.end()
			cancel(m)
		}
		knows(t, d, "3 2 1")
		for n := byte(1); n <= 3; n++ {
			var all bytes.Buffer
			err := d.Output(t.Context(), id.Job{n}, 0, &all)
			var lost *view.NotKept
			if dropped := n == 1; dropped != errors.As(err, &lost) || dropped && lost.From != int64(len(text)) || !dropped && all.Len() != len(text) {
				t.Errorf("%d: %d bytes, %v", n, all.Len(), err)
			}
		}
	})
}
