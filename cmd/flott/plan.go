package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/control/security"
)

const planUsage = `flott plan [options] DIR|BINARY [-- args]

Prints what a program compiles to, without running it. DIR is built first.

With --page the graphs can be looked at in a browser, until a signal ends it.`

// A planRequest is the command line of "flott plan".
type planRequest struct {
	programLine
	graph, format string // "": not given
	explain       bool
	page          string // the address to show the plan at, in place of printing it; "": print
}

var (
	graphs  = []string{"stream", "job", "execution", "task"}
	formats = []string{"text", "json", "dot"}
)

// plan builds the program, unless it is built already, and runs it in the role "plan", in which it compiles its jobs, writes them
// to the file that FLOTT_PLAN_OUT names, and ends. What the program itself prints is shown only if there is no plan to show.
func plan(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	r, help, err := parsePlan(args, stdout)
	if help || err != nil {
		return err
	}
	if r.page == "" {
		return inFolder(func(dir string) error { return r.run(ctx, dir, stdout, stderr) })
	}
	return r.serve(ctx, stdout, stderr)
}

func parsePlan(args []string, stdout io.Writer) (r planRequest, help bool, err error) {
	r.programLine, help, err = parseProgramLine("plan", planUsage, args, stdout, func(f *flag.FlagSet) {
		f.StringVar(&r.graph, "graph", "", "which `graph`: "+strings.Join(graphs, ", ")+" (default: all four)")
		f.StringVar(&r.format, "format", "", "how: "+strings.Join(formats, ", ")+" (default: text)")
		f.BoolVar(&r.explain, "explain", false, "say what is chained, what is not and why, and what is likely a mistake")
		f.StringVar(&r.page, "page", "", "show it in a browser, at this `address` of this machine, such as 127.0.0.1:8081; port 0 is any that is free")
	})
	if help || err != nil {
		return r, help, err
	}
	return r, false, r.check()
}

// check is what is wrong with the command line as a whole.
func (r *planRequest) check() error {
	problems := r.problems
	if r.program == "" {
		problems = append(problems, "give the folder or the binary of a program")
	}
	if r.explain && r.graph+r.format != "" {
		problems = append(problems, "--explain is a text of its own, with no --graph or --format")
	}
	if r.page != "" {
		problems = append(problems, r.checkPage()...)
	}
	if r.graph == "tasks" {
		r.graph = "task"
	}
	if r.graph != "" && !slices.Contains(graphs, r.graph) {
		problems = append(problems, fmt.Sprintf("--graph is %q; it must be one of %s", r.graph, strings.Join(graphs, ", ")))
	}
	if r.format == "" {
		r.format = "text"
	}
	if !slices.Contains(formats, r.format) {
		problems = append(problems, fmt.Sprintf("--format is %q; it must be one of %s", r.format, strings.Join(formats, ", ")))
	}
	if len(problems) > 0 {
		return fmt.Errorf("%w: flott plan: %s", errUsage, strings.Join(problems, "; "))
	}
	return nil
}

// checkPage wants an address that others cannot reach: there is no token.
func (r *planRequest) checkPage() (problems []string) {
	if r.explain || r.graph+r.format != "" {
		problems = append(problems, "--page shows what it can, with no --explain, --graph or --format")
	}
	if host, _, err := net.SplitHostPort(r.page); err != nil || !security.Loopback(host) {
		problems = append(problems, fmt.Sprintf("--page is %q; it must be an address of this machine only, such as 127.0.0.1:8081", r.page))
	}
	return problems
}

// run prints the plans, or whatever form of them was asked for.
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

// start runs the program, which writes its plans to out.
func (r *planRequest) start(ctx context.Context, binary, out string, stdout, stderr io.Writer) error {
	cmd := exec.CommandContext(ctx, binary, r.args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.Env = append(append(os.Environ(), r.variables()...),
		"FLOTT_ROLE=plan",
		"FLOTT_PLAN_GRAPH="+r.graph,
		"FLOTT_PLAN_FORMAT="+r.format,
		"FLOTT_PLAN_EXPLAIN="+strconv.FormatBool(r.explain),
		"FLOTT_PLAN_OUT="+out)
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
