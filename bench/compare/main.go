// Command compare runs each workload on flott, on real Apache Flink 2.3 (object reuse on) and as a handwritten loop, in turn,
// and prints CPU per record, records per second, peak memory and the ratios beside what is wanted of them.
//
// CPU per record is the difference of a long and a short run, divided by the difference of their records, so that start-up
// and just-in-time compilation do not count. Every figure is the median of -runs interleaved rounds.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	flink := flag.String("flink", "", "folder with Flink's run-bench.sh; empty: without Flink")
	runs := flag.Int("runs", 5, "rounds; the median counts")
	only := flag.String("only", "", "comma-separated workloads; empty: all")
	scale := flag.Float64("scale", 1, "factor on the number of records")
	scaling := flag.Bool("scaling", true, "also measure keyed-count at parallelism 1 and 2")
	flag.Parse()
	if err := run(*flink, *runs, *only, *scale, *scaling); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// profile is a CPU profile of all workloads, as "flottbench -cpuprofile" writes them and "go tool pprof -proto" merges them. The compiler
// is told what is hot, as a JVM finds out while it runs; the handwritten loops are built with it, too.
const profile = "flottbench/flottbench.pgo"

func run(flink string, runs int, only string, scale float64, scaling bool) (err error) {
	dir, err := os.MkdirTemp("", "flottbench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bin := filepath.Join(dir, "flottbench")
	if out, err := exec.Command("go", "build", "-pgo", profile, "-o", bin, "./flottbench").CombinedOutput(); err != nil {
		return fmt.Errorf("building flottbench: %w\n%s", err, out)
	}
	engines := []engine{flottEngine(bin), handEngine(bin)}
	if flink != "" {
		engines = append(engines, flinkEngine(filepath.Join(flink, "run-bench.sh")))
	}
	fmt.Println(header)
	for _, c := range cases {
		if only != "" && !strings.Contains(","+only+",", ","+c.name+",") {
			continue
		}
		row, err := c.measure(engines, runs, scale)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Println(row)
	}
	if scaling {
		return printScaling(bin, runs, scale)
	}
	return nil
}
