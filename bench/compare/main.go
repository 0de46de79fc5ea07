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
	"slices"
	"strings"
	"sync"
)

func main() {
	var s settings
	flag.StringVar(&s.flink, "flink", "", "folder with Flink's scripts; empty: without Flink")
	flag.IntVar(&s.runs, "runs", 5, "rounds; the median counts")
	flag.StringVar(&s.only, "only", "", "comma-separated workloads, scaling, cluster, cluster-WORKLOAD; empty: all")
	flag.Float64Var(&s.scale, "scale", 1, "factor on the number of records")
	flag.Parse()
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	flink string
	runs  int
	only  string
	scale float64
}

func (s *settings) chosen(name string) bool {
	return s.only == "" || slices.Contains(strings.Split(s.only, ","), name)
}

// profile is a CPU profile of all workloads, as "flottbench -cpuprofile" writes them and "go tool pprof -proto" merges them. The compiler
// is told what is hot, as a JVM finds out while it runs; the handwritten loops are built with it, too.
const profile = "flottbench/flottbench.pgo"

func (s *settings) run() (err error) {
	dir, err := os.MkdirTemp("", "flottbench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bin := filepath.Join(dir, "flottbench")
	if err := build("-pgo", profile, "-o", bin, "./flottbench"); err != nil {
		return err
	}
	if err := s.compareEngines(bin); err != nil {
		return err
	}
	if s.chosen("scaling") {
		if err := printScaling(bin, s.runs, s.scale); err != nil {
			return err
		}
	}
	return s.compareClusters(bin, dir)
}

func build(args ...string) error {
	if out, err := exec.Command("go", append([]string{"build"}, args...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// compareEngines runs each workload in one process.
func (s *settings) compareEngines(bin string) error {
	engines := []engine{flottEngine(bin), handEngine(bin)}
	if s.flink != "" {
		engines = append(engines, flinkEngine(filepath.Join(s.flink, "run-bench.sh")))
	}
	head := sync.OnceFunc(func() { fmt.Println(header) })
	for _, c := range cases {
		if !s.chosen(c.name) {
			continue
		}
		head()
		row, err := c.measure(engines, s.runs, s.scale)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Println(row)
	}
	return nil
}
