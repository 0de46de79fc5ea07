package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/flott-dev/flott/internal/config"
)

const configUsage = `usage: flott config

Prints each setting that a program gets that is started here, and where it stands.
Options in the program's code win over all of it.`

// printConfig prints all settings with their origins, and then fails if something there is no setting.
func printConfig(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("config", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(stdout, configUsage)
		return nil
	case err != nil || flags.NArg() > 0:
		return fmt.Errorf("%w: flott config takes no arguments and no options", errUsage)
	}
	read := config.Read(config.File, os.Environ())
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, k := range config.Keys {
		s := read.Shown(k)
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, s.Value, s.Origin)
	}
	return errors.Join(w.Flush(), errors.Join(read.Mistakes...))
}
