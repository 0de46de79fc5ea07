package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// launched is a process that was started, and of which nothing was heard yet.
type launched struct {
	name string
	pid  int
	said *os.File
	cmd  *exec.Cmd
}

// launch starts this program as a process in the background.
func (c *crew) launch(name string, args []string) (*launched, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	said, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, args...)
	cmd.Stdout, cmd.Stderr = theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // it outlives the terminal
	if err := errors.Join(cmd.Start(), theirs.Close()); err != nil {
		return nil, errors.Join(err, said.Close())
	}
	l := &launched{name, cmd.Process.Pid, said, cmd}
	started, err := startOf(l.pid)
	if err == nil {
		err = os.WriteFile(filepath.Join(c.folder, name+".pid"), fmt.Appendln(nil, l.pid, started), 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, cmd.Process.Kill(), cmd.Wait(), said.Close())
	}
	return l, nil
}

// startPatience is how long a process may take to be ready.
const startPatience = 30 * time.Second

var errOver = errors.New("it has ended")

// ready waits for the line that says so, and passes it on. What else the process has said is told if there is none.
func (l *launched) ready(ctx context.Context, stdout io.Writer) (line string, err error) {
	defer func() { _ = l.said.Close() }() // from now on it speaks to its log file only
	if err := l.said.SetReadDeadline(time.Now().Add(startPatience)); err != nil {
		return "", err
	}
	defer context.AfterFunc(ctx, func() { _ = l.said.SetReadDeadline(time.Now()) })()
	var said strings.Builder
	lines := bufio.NewScanner(l.said)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "flott: ") && strings.Contains(lines.Text(), " ready: ") {
			fmt.Fprintf(stdout, "%s (pid %d)\n", lines.Text(), l.pid)
			return lines.Text(), l.cmd.Process.Release()
		}
		fmt.Fprintln(&said, lines.Text())
	}
	return "", fmt.Errorf("%s is not ready: %w\n%s", l.name, cmp.Or(ctx.Err(), lines.Err(), errOver), strings.TrimSpace(said.String()))
}
