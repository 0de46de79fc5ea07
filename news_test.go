package flott_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flott-dev/flott"
)

func init() { programs["stumbles"] = programStumbles }

// programStumbles fails once, of which it leaves a file as a mark, and then waits for another file.
func programStumbles() {
	failed, open := os.Args[1], os.Args[2]
	env := flott.New(flott.RestartFixed(1, 0))
	env.From(flott.Sequence(1, 1)).To(flott.ForEach(func(int64) error {
		if f, err := os.OpenFile(failed, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			return errors.Join(errors.New("it stumbles"), f.Close())
		}
		for {
			if _, err := os.Stat(open); err == nil {
				return nil
			}
			time.Sleep(10 * time.Millisecond)
		}
	}))
	_, err := env.Execute(context.Background(), "stumbles")
	fmt.Println("error:", err)
}

// A client logs what becomes of its job, and prints what it would print anyway.
func TestNews(t *testing.T) {
	s := startSession(t, 2)
	t.Run("waits", s.waits)
	t.Run("starts again", s.startsAgain)
	t.Run("unreached", s.unreached)
}

func (s *session) waits(t *testing.T) {
	first := runEndless(t, s.client("endless", nil)) // has all slots
	p := follow(t, s.client("count", []string{"3"}))
	p.reads(t, "INFO job submitted job_id=")
	p.reads(t, "lacks 1 of 1 slot")
	first.signal(t, os.Interrupt)
	first.cancelledBy(t, os.Interrupt)
	p.ends(t, counted)
}

func (s *session) startsAgain(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	p := follow(t, s.client("stumbles", []string{filepath.Join(t.TempDir(), "failed"), open}))
	line := p.reads(t, "WARN the job starts again: without checkpoints sources start again from their beginning")
	if !strings.Contains(line, "it stumbles") {
		t.Errorf("the cause is not in %s", line)
	}
	if err := os.WriteFile(open, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.ends(t, "error: <nil>\n")
}

func (s *session) unreached(t *testing.T) {
	var away atomic.Bool
	address := s.through(t, func(http.ResponseWriter, *http.Request) bool {
		if away.Load() {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	p := follow(t, s.client("endless", nil, "FLOTT_JOBMANAGER="+address))
	p.reads(t, "INFO job submitted")
	away.Store(true)
	p.reads(t, "WARN the JobManager does not answer; it is tried for a minute")
	away.Store(false)
	p.reads(t, "INFO the JobManager answers again")
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.ends(t, "was cancelled: context canceled: signal \"interrupt\"\n")
}

// A followed program is one whose log is read while it runs.
type followed struct {
	*exec.Cmd
	stdout bytes.Buffer
	log    *bufio.Scanner
	read   strings.Builder
}

func follow(t *testing.T, cmd *exec.Cmd) *followed {
	t.Helper()
	p := &followed{Cmd: cmd}
	cmd.Stdout = &p.stdout
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.log = bufio.NewScanner(log)
	return p
}

// reads is the first line of the log from here on that has something in it.
func (p *followed) reads(t *testing.T, what string) string {
	t.Helper()
	for p.log.Scan() {
		fmt.Fprintln(&p.read, p.log.Text())
		if strings.Contains(p.log.Text(), what) {
			return p.log.Text()
		}
	}
	t.Fatalf("%q is not in\n%s", what, &p.read)
	return ""
}

// ends reads the log to its end, and wants the program to have printed this. A state may not be logged twice in succession.
func (p *followed) ends(t *testing.T, want string) {
	t.Helper()
	for p.log.Scan() {
		fmt.Fprintln(&p.read, p.log.Text())
	}
	if err := p.Wait(); err != nil || !strings.HasSuffix(p.stdout.String(), want) {
		t.Errorf("the program ended with %v and printed\n%s\nand logged\n%s", err, &p.stdout, &p.read)
	}
	last := ""
	for line := range strings.Lines(p.read.String()) {
		text := line[min(len(line), len("2006/01/02 15:04:05")):]
		if text == last {
			t.Errorf("twice: %s", line)
		}
		last = text
	}
}
