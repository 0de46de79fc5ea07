package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

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
		return program{}, fmt.Errorf("%w: there is no program: %w", errUsage, err)
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
