package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A planRequest is the command line of "flott plan".
type planRequest struct {
	given         map[string]bool // options
	parallelism   int
	graph, format string
	explain       bool
	program       string
	args          []string
}

var (
	graphs  = []string{"stream", "job", "execution", "task"}
	formats = []string{"text", "json", "dot"}
)

// plan builds the program, unless it is built already, and runs it in the role "plan", in which it compiles its jobs, writes them
// to the file that FLOTT_PLAN_OUT names, and ends. What the program itself prints is shown only if there is no plan to show.
func plan(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	r, err := parsePlan(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	return inFolder(func(dir string) error { return r.run(ctx, dir, stdout, stderr) })
}

func (r *planRequest) run(ctx context.Context, dir string, stdout, stderr io.Writer) error {
	program, err := findProgram(r.program)
	if err != nil {
		return err
	}
	binary, err := program.binary(ctx, filepath.Join(dir, "program"), stderr)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "plan")
	var printed tail
	if err = r.start(ctx, binary, out, &printed, stderr); err == nil {
		err = r.show(out, stdout)
	}
	if err != nil {
		_, _ = stderr.Write(printed)
	}
	return err
}

func parsePlan(args []string, stdout io.Writer) (r planRequest, err error) {
	f := flag.NewFlagSet("flott plan", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.IntVar(&r.parallelism, "p", 0, "parallelism of operators that choose none (default: what the environment or flott.yaml say, else 1)")
	f.StringVar(&r.graph, "graph", "", "which graph: "+strings.Join(graphs, ", ")+" (default: all four)")
	f.StringVar(&r.format, "format", "text", "how: "+strings.Join(formats, ", "))
	f.BoolVar(&r.explain, "explain", false, "say what is chained, what is not and why, and what is likely a mistake")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(stdout, "usage: flott plan [options] DIR|BINARY [-- args]")
		f.SetOutput(stdout)
		f.PrintDefaults()
		return r, err
	} else if err != nil {
		return r, fmt.Errorf("%w: %w", errUsage, err)
	}
	r.given = map[string]bool{}
	f.Visit(func(option *flag.Flag) { r.given[option.Name] = true })
	return r, r.take(f.Args())
}

// take reads what follows the options, and checks all.
func (r *planRequest) take(rest []string) error {
	var problems []string
	if len(rest) == 0 {
		problems = append(problems, "give the folder or the binary of a program")
	} else {
		r.program, r.args = rest[0], rest[1:]
	}
	if len(r.args) > 0 && r.args[0] == "--" {
		r.args = r.args[1:]
	} else if len(r.args) > 0 {
		problems = append(problems, fmt.Sprintf("%q after the program: its arguments follow a --", r.args[0]))
	}
	if r.given["p"] && r.parallelism < 1 {
		problems = append(problems, fmt.Sprintf("-p is %d; it must be at least 1", r.parallelism))
	}
	if r.graph == "tasks" {
		r.graph = "task"
	}
	if r.given["graph"] && !slices.Contains(graphs, r.graph) {
		problems = append(problems, fmt.Sprintf("--graph is %q; it must be one of %s", r.graph, strings.Join(graphs, ", ")))
	}
	if !slices.Contains(formats, r.format) {
		problems = append(problems, fmt.Sprintf("--format is %q; it must be one of %s", r.format, strings.Join(formats, ", ")))
	}
	if r.explain && (r.given["graph"] || r.given["format"]) {
		problems = append(problems, "--explain is a text of its own, with no --graph or --format")
	}
	if len(problems) > 0 {
		return fmt.Errorf("%w: %s", errUsage, strings.Join(problems, "; "))
	}
	return nil
}

// start runs the program, which writes its plans to out.
func (r *planRequest) start(ctx context.Context, binary, out string, stdout, stderr io.Writer) error {
	cmd := exec.CommandContext(ctx, binary, r.args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.Env = append(os.Environ(),
		"FLOTT_ROLE=plan",
		"FLOTT_PLAN_GRAPH="+r.graph,
		"FLOTT_PLAN_FORMAT="+r.format,
		"FLOTT_PLAN_EXPLAIN="+strconv.FormatBool(r.explain),
		"FLOTT_PLAN_OUT="+out)
	if r.given["p"] {
		cmd.Env = append(cmd.Env, "FLOTT_PARALLELISM_DEFAULT="+strconv.Itoa(r.parallelism))
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", r.program, err)
	}
	return nil
}

// show prints what the program wrote.
func (r *planRequest) show(out string, stdout io.Writer) error {
	f, err := os.Open(out)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s ended without coming to Execute, Start or Plan: it has no job", r.program)
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(stdout, f)
	return errors.Join(err, f.Close())
}
