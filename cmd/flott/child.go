package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// A child is a program that runs in place of this one: it has its stdin, stdout and stderr, gets its signals, and gives it its exit
// status.
type child struct {
	binary    string
	args      []string
	variables []string
	// detached programs print the id of their job to file descriptor 3, so that it stands alone on stdout. The rest goes to stderr.
	detached bool
}

// An exitError is the exit status of a child, which has said itself what is wrong.
type exitError int

// Error is never printed.
func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func (c child) run(stdout, stderr io.Writer) error {
	cmd := exec.Command(c.binary, c.args...) // its end is its own affair: it cancels its job first
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.variables, os.Stdin, stdout, stderr
	if c.detached {
		told, ok := stdout.(*os.File)
		if !ok {
			return errors.New("stdout is no file")
		}
		cmd.Env, cmd.Stdout, cmd.ExtraFiles = append(cmd.Env, "FLOTT_DETACHED=3"), stderr, []*os.File{told}
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with the child
	for {
		select {
		case s := <-signals:
			pass(s, cmd.Process)
		case err := <-ended:
			return exitOf(err)
		}
	}
}

// pass gives a signal to the child, unless it has it already: a terminal signals to all processes of its foreground.
func pass(s os.Signal, to *os.Process) {
	if s != syscall.SIGTERM && foreground() {
		return
	}
	_ = to.Signal(s) // or it has ended just now
}

// foreground says that a key on the terminal signals to this process and its children.
func foreground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return errors.Join(err, tty.Close()) == nil && group == unix.Getpgrp()
}

// exitOf is the exit status as a shell has it.
func exitOf(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return exitError(128 + int(status.Signal()))
	}
	return exitError(exit.ExitCode())
}
