package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/flott-dev/flott/internal/config"
)

const configUsage = `flott config [options]

Prints each setting that a program or a process of a cluster gets that is started here, and where it stands.
Options in a program's code win over all of it.`

// printConfig prints all settings with their origins, and then fails if something there is no setting.
func printConfig(_ context.Context, args []string, stdout, _ io.Writer) error {
	var from settingFlags
	if help, err := parseFlags("config", configUsage, args, stdout, from.add); help || err != nil {
		return err
	}
	read, err := from.read(forAnybody)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, k := range config.Keys {
		s := read.Shown(k)
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, s.Value, s.Origin)
	}
	return errors.Join(w.Flush(), read.Err())
}
