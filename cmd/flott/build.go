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
)

// A programLine is the part of a command line that is about a program.
type programLine struct {
	program     string   // "": none was given
	args        []string // behind a --
	parallelism string   // "": none was given
	problems    []string // with it
}

// parseProgramLine reads a command line with one program at most.
func parseProgramLine(name, usage string, args []string, stdout io.Writer, define func(*flag.FlagSet)) (l programLine, help bool, err error) {
	if i := slices.Index(args, "--"); i >= 0 {
		args, l.args = args[:i], args[i+1:]
	}
	arguments, help, err := parseLine(name, usage, args, stdout, func(f *flag.FlagSet) {
		define(f)
		f.StringVar(&l.parallelism, "p", "", "`parallelism` of operators that choose none (default: what the environment or flott.yaml say, else 1)")
	})
	if len(arguments) > 0 {
		l.program = arguments[0]
	}
	if err != nil && l.program != "" {
		err = fmt.Errorf("%w; arguments of the program follow a --: flott %s %s -- args", err, name, l.program)
	}
	if len(arguments) > 1 {
		l.problems = append(l.problems, fmt.Sprintf("%q after the program: its arguments follow a --", arguments[1]))
	}
	if n, err := strconv.Atoi(l.parallelism); l.parallelism != "" && (err != nil || n < 1) {
		l.problems = append(l.problems, fmt.Sprintf("-p is %s; it must be a number of at least 1", l.parallelism))
	}
	return l, help, err
}

// variables are those by which the program knows.
func (l *programLine) variables() []string {
	if l.parallelism == "" {
		return nil
	}
	return []string{"FLOTT_PARALLELISM_DEFAULT=" + l.parallelism}
}

// A program is what a command line names: a folder, which is built, or a file that can be run.
type program struct {
	path   string
	folder bool
}

// findProgram looks what a path is.
func findProgram(path string) (program, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return program{}, fmt.Errorf("there is no program: %w", err)
	case info.IsDir():
		return program{path, true}, nil
	}
	binary, err := filepath.Abs(path)
	if err != nil {
		return program{}, err
	}
	if _, err := exec.LookPath(binary); err != nil {
		return program{}, fmt.Errorf("%w: %s is neither a folder nor a program: give the folder it is in", errUsage, path)
	}
	return program{binary, false}, nil
}

// binary is the program as a file; a folder is built into the file out, with some variables beside those of this process.
func (p program) binary(ctx context.Context, out string, stderr io.Writer, variables ...string) (string, error) {
	if !p.folder {
		return p.path, nil
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", out, ".")
	build.Dir, build.Stdout, build.Stderr = p.path, stderr, stderr
	build.Env = append(os.Environ(), variables...)
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("building %s: %w", p.path, err)
	}
	if _, err := exec.LookPath(out); err != nil { // of another package go build makes an archive
		return "", fmt.Errorf("%s is not a main package", p.path)
	}
	return out, nil
}

// inFolder runs f with a folder for what it makes, which is deleted afterwards.
func inFolder(f func(dir string) error) error {
	dir, err := os.MkdirTemp("", "flott")
	if err != nil {
		return err
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}
