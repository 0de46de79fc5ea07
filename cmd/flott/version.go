package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"

	"github.com/flott-dev/flott/internal/control/cluster"
	"github.com/flott-dev/flott/internal/control/rpc"
)

const versionUsage = `flott version

Prints the version of flott, the protocol that it speaks with programs and clusters, which must be theirs, and the Go that built it.`

func printVersion(_ context.Context, args []string, stdout, _ io.Writer) error {
	help, err := parseFlags("version", versionUsage, args, stdout, func(*flag.FlagSet) {})
	if help || err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "flott %s (protocol %d), %s %s/%s\n", cluster.Version(), rpc.Protocol, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
