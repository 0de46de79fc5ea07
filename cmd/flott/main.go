// Command flott works with flott programs and clusters from the shell. "flott help" lists what it can do.
//
// Exit status: 0; 1 for an error of the program; 2 for a wrong command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const (
	success      = 0
	programError = 1
	usageError   = 2
)

// A command is what the first argument names.
type command struct {
	name, meaning string
	run           func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

// commands are in the order in which help lists them.
var commands = []command{
	{"plan", "print the graphs of a program, without running it", plan},
	{"run", "run a program whose jobs run on a cluster, or attach to a job", runProgram},
	{"list", "list the jobs of a cluster", list},
	{"info", "print how a job is", info},
	{"cancel", "cancel a job", cancel},
	{"logs", "print the log of a job, of a TaskManager or of the JobManager", logs},
	{"config", "print all settings, and where each stands", printConfig},
	{"jobmanager", "run a JobManager", jobManager},
	{"taskmanager", "run a TaskManager", taskManager},
	{"cluster", "start or stop a JobManager and TaskManagers on this machine", clusterCommand},
	{"certificates", "make what processes on several machines need for TLS", makeCertificates},
	{"version", "print which flott this is, what it speaks, and the Go that built it", printVersion},
}

func usage() string {
	var b strings.Builder
	b.WriteString("usage: flott COMMAND\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, c := range commands {
		fmt.Fprintf(w, "  %s\t%s\n", c.name, c.meaning)
	}
	_ = w.Flush() // a builder takes everything
	b.WriteString("\n\"flott COMMAND -h\" tells more.")
	return b.String()
}

// errUsage is wrapped by what is wrong with a command line.
var errUsage = errors.New("usage")

// run is main with its surroundings as arguments. The first signal asks for the end, a second one ends the process.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	if len(args) == 0 {
		fmt.Fprintln(stderr, usage())
		return usageError
	}
	for _, c := range commands {
		if c.name == args[0] {
			return exitStatus(c.name, c.run(ctx, args[1:], stdout, stderr), stderr)
		}
	}
	switch args[0] {
	case "help", "-h", "--help":
		if len(args) > 1 {
			return run([]string{args[1], "-h"}, stdout, stderr)
		}
		fmt.Fprintln(stdout, usage())
		return success
	}
	fmt.Fprintf(stderr, "flott: unknown command %q\n%s\n", args[0], usage())
	return usageError
}

func exitStatus(command string, err error, stderr io.Writer) int {
	var child exitError
	switch {
	case err == nil:
		return success
	case errors.As(err, &child):
		return int(child)
	case errors.Is(err, errUsage):
		fmt.Fprintf(stderr, "flott: %v\n\"flott %s -h\" tells more.\n", err, command)
		return usageError
	}
	fmt.Fprintln(stderr, "flott:", err)
	return programError
}
