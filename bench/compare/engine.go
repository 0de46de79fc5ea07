package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A sample is one long and one short run of an engine.
type sample struct {
	cpuPerRecord float64 // ns
	mrecPerS     float64
	peakMB       float64
}

type samples []sample

func cpu(s sample) float64    { return s.cpuPerRecord }
func rate(s sample) float64   { return s.mrecPerS }
func memory(s sample) float64 { return s.peakMB }

func (all samples) median(of func(sample) float64) float64 { return median(all, of) }

func median[T any](all []T, of func(T) float64) float64 {
	var values []float64
	for _, s := range all {
		values = append(values, of(s))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// An engine runs workloads.
type engine struct {
	name    string
	command func(c comparison, records int64) *exec.Cmd
	records func(c comparison) int64 // of the long run
}

func flottEngine(bin string) engine {
	return engine{"flott", func(c comparison, n int64) *exec.Cmd { return own(bin, c, n) }, ownRecords}
}

func handEngine(bin string) engine {
	return engine{"hand", func(c comparison, n int64) *exec.Cmd { return own(bin, c, n, "-hand") }, ownRecords}
}

// own is a run of flottbench. GOGC holds for all of them where it is set.
func own(bin string, c comparison, n int64, more ...string) *exec.Cmd {
	cmd := exec.Command(bin, append([]string{c.name, "1", str(n)}, more...)...)
	if c.gc != "" && os.Getenv("GOGC") == "" {
		cmd.Env = append(os.Environ(), "GOGC="+c.gc)
	}
	return cmd
}

func flinkEngine(script string) engine {
	command := func(c comparison, n int64) *exec.Cmd {
		return exec.Command(script, c.flink, "1", str(n), "--reuse", "true")
	}
	return engine{"flink", command, func(c comparison) int64 { return c.flinkLong }}
}

func ownRecords(c comparison) int64 { return c.records }
func str(n int64) string            { return strconv.FormatInt(n, 10) }

func (e engine) sample(c comparison, scale float64) (s sample, err error) {
	long := int64(float64(e.records(c)) * scale)
	short := long / shortPart
	a, err := result(e.command(c, long))
	if err != nil {
		return s, err
	}
	b, err := result(e.command(c, short))
	if err != nil {
		return s, err
	}
	return sample{
		cpuPerRecord: (a["cpu_s"] - b["cpu_s"]) * 1e9 / float64(long-short),
		mrecPerS:     float64(long-short) / max(a["wall_s"]-b["wall_s"], 1e-3) / 1e6,
		peakMB:       a["peak_rss_mb"],
	}, nil
}

// result runs cmd and reads the numbers of its RESULT line.
func result(cmd *exec.Cmd) (map[string]float64, error) {
	texts, err := resultText(cmd)
	numbers := map[string]float64{}
	for k, v := range texts {
		if x, err := strconv.ParseFloat(v, 64); err == nil {
			numbers[k] = x
		}
	}
	return numbers, err
}

// resultText is all that stands in it.
func resultText(cmd *exec.Cmd) (map[string]string, error) {
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "RESULT "); ok {
			return fields(rest), nil
		}
	}
	return nil, fmt.Errorf("%s: no RESULT line in\n%s", strings.Join(cmd.Args, " "), out)
}

func fields(line string) map[string]string {
	m := map[string]string{}
	for _, f := range strings.Fields(line) {
		if k, v, ok := strings.Cut(f, "="); ok {
			m[k] = v
		}
	}
	return m
}
