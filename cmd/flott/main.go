// Command flott works with flott programs from the shell.
//
//	flott plan [options] DIR|BINARY [-- args]   print what a program compiles to, without running it
//	flott config                                print all settings, and where each stands
//	flott certificates DIR HOST...              make what processes on several machines need for TLS
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
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const (
	success      = 0
	programError = 1
	usageError   = 2
)

const usage = `usage: flott COMMAND

  plan     print the graphs of a program, without running it
  config   print all settings, and where each stands
  certificates   make what processes on several machines need for TLS

"flott COMMAND -h" tells more.`

// errUsage is wrapped by what is wrong with a command line.
var errUsage = errors.New("usage")

// run is main with its surroundings as arguments.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(args) == 0 {
		fmt.Fprintln(stderr, usage)
		return usageError
	}
	switch args[0] {
	case "plan":
		return exitStatus(plan(ctx, args[1:], stdout, stderr), stderr)
	case "config":
		return exitStatus(printConfig(args[1:], stdout), stderr)
	case "certificates":
		return exitStatus(makeCertificates(args[1:], stdout), stderr)
	case "help", "-h", "--help":
		fmt.Fprintln(stdout, usage)
		return success
	}
	fmt.Fprintf(stderr, "flott: unknown command %q\n%s\n", args[0], usage)
	return usageError
}

func exitStatus(err error, stderr io.Writer) int {
	switch {
	case err == nil:
		return success
	case errors.Is(err, errUsage):
		fmt.Fprintln(stderr, "flott:", err)
		return usageError
	}
	fmt.Fprintln(stderr, "flott:", err)
	return programError
}
