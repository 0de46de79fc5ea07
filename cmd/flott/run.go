package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/id"
)

const runUsage = `flott run [options] DIR|BINARY [-- args]
       flott run [options] --job-id ID

Runs a program whose jobs run on a cluster: it sends itself there, and prints what they print. DIR is built first, for the cluster's
operating system and architecture, too. Arguments and settings go to the workers with it; other variables only with --env. SIGINT and
SIGTERM cancel the job, the first time. The exit status is the program's.

With --job-id the job gets that id; when it is there already, the program is attached to it, and prints its output from the beginning.
Without a program, flott itself prints the output and the end of the job; a signal then leaves the job alone.`

// A runRequest is the command line of "flott run".
type runRequest struct {
	clusterFlags
	programLine // without a program it attaches to the job only
	detached    bool
	job         string
	env         []string // NAME or NAME=VALUE
}

// runProgram runs a program as a client of a cluster.
func runProgram(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	r, help, err := parseRun(args, stdout)
	if help || err != nil {
		return err
	}
	r.sends = r.program != ""
	c, err := r.client()
	if err != nil {
		return err
	}
	if r.program == "" {
		return attach(ctx, c, r.job, stdout, stderr)
	}
	return inFolder(func(dir string) error { return r.run(ctx, c, dir, stdout, stderr) })
}

func parseRun(args []string, stdout io.Writer) (r runRequest, help bool, err error) {
	r.programLine, help, err = parseProgramLine("run", runUsage, args, stdout, r.add)
	if help || err != nil {
		return r, help, err
	}
	return r, false, r.check()
}

func (r *runRequest) add(f *flag.FlagSet) {
	r.clusterFlags.add(f)
	f.BoolVar(&r.detached, "d", false, "print the id of the program's first job, and do not wait for it; what the program prints goes to stderr")
	f.StringVar(&r.job, "job-id", "", "the `id` of the program's first job, 32 hexadecimal digits")
	f.Func("env", "a variable that workers get, too, as `NAME` or NAME=VALUE; may be given several times", func(text string) error {
		if name, _, _ := strings.Cut(text, "="); name == "" || strings.Contains(text, "\n") {
			return errors.New("it must be NAME or NAME=VALUE, in one line")
		}
		r.env = append(r.env, text)
		return nil
	})
}

// check is what is wrong with the command line as a whole.
func (r *runRequest) check() error {
	problems := r.problems
	switch {
	case r.program == "" && r.job == "":
		problems = append(problems, "give the folder or the binary of a program, or the --job-id of a job")
	case r.program == "" && (r.detached || r.parallelism != "" || len(r.env) > 0 || len(r.args) > 0):
		problems = append(problems, "-d, -p, --env and arguments are for a program, which is missing")
	case r.program != "" && r.job != "":
		if _, err := id.ParseJob(r.job); err != nil {
			problems = append(problems, fmt.Sprintf("--job-id is %q; it must have 32 hexadecimal digits", r.job))
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("%w: flott run: %s", errUsage, strings.Join(problems, "; "))
	}
	return nil
}

// run builds the program, and runs it.
func (r *runRequest) run(ctx context.Context, c *client.Client, dir string, stdout, stderr io.Writer) error {
	p, err := findProgram(r.program)
	if err != nil {
		return err
	}
	there, err := c.Platform(ctx)
	if err != nil {
		return err
	}
	here, err := p.binary(ctx, filepath.Join(dir, "program"), stderr)
	if err != nil {
		return err
	}
	variables := r.environment(c.Address())
	if there.OS != runtime.GOOS || there.Arch != runtime.GOARCH {
		binary, err := p.binaryFor(ctx, there, dir, stderr)
		if err != nil {
			return err
		}
		variables = append(variables, binary...)
	}
	return child{here, r.args, variables, r.detached}.run(stdout, stderr)
}

// binaryFor builds the program for another platform, and is the variable that says where that is.
func (p program) binaryFor(ctx context.Context, there client.Platform, dir string, stderr io.Writer) ([]string, error) {
	if !p.folder {
		if os.Getenv("FLOTT_BINARY") != "" {
			return nil, nil // it is in the environment
		}
		return nil, fmt.Errorf("the cluster runs on %s/%s, this machine on %s/%s: give the folder of the program in place of %s, which is then built for both; or name a binary for the cluster by FLOTT_BINARY",
			there.OS, there.Arch, runtime.GOOS, runtime.GOARCH, p.path)
	}
	out, err := p.binary(ctx, filepath.Join(dir, "program-"+there.OS+"-"+there.Arch), stderr, "GOOS="+there.OS, "GOARCH="+there.Arch, "CGO_ENABLED=0")
	return []string{"FLOTT_BINARY=" + out}, err
}

// environment is the program's: settings of a file that was named, which variables of this process win over, and what the
// command line says, which wins over all.
func (r *runRequest) environment(address string) []string {
	var all []string
	if r.file != "" {
		for _, found := range config.Read(r.file, nil).Found {
			all = append(all, config.Key{Name: found.Key}.Variable()+"="+found.Value)
		}
	}
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); name != "FLOTT_ROLE" && name != "FLOTT_DETACHED" {
			all = append(all, e)
		}
	}
	for _, g := range r.settingFlags.given {
		all = append(all, config.Key{Name: g.key}.Variable()+"="+g.value)
	}
	all = append(all, "FLOTT_JOBMANAGER="+address)
	if r.job != "" {
		all = append(all, "FLOTT_JOB_ID="+r.job)
	}
	return append(append(all, r.variables()...), r.travelling()...)
}

// travelling is the variables of --env, and the one that says that they go to the workers.
func (r *runRequest) travelling() []string {
	if len(r.env) == 0 {
		return nil
	}
	var all, names []string
	for _, e := range r.env {
		name, _, given := strings.Cut(e, "=")
		if given {
			all = append(all, e)
		}
		names = append(names, name)
	}
	return append(all, "FLOTT_RUN_ENV="+strings.Join(names, "\n"))
}

// attach prints the output of a job, and how it ends.
func attach(ctx context.Context, c *client.Client, text string, stdout, stderr io.Writer) error {
	job, err := findJob(ctx, c, text, whatever)
	if err != nil {
		return err
	}
	err = c.Output(ctx, job.ID, stdout)
	if ctx.Err() != nil {
		return fmt.Errorf("job %s goes on; flott cancel %s ends it", job.ID, job.ID)
	}
	if err != nil {
		return err
	}
	r, err := c.Result(ctx, job.ID)
	switch {
	case err != nil:
		return err
	case r.Error != "":
		return fmt.Errorf("job %s (%s) is %s after %s: %s", r.Job, r.Name, r.State, lasting(r.RunTime), r.Error)
	}
	fmt.Fprintf(stderr, "flott: job %s (%s) is %s after %s\n", r.Job, r.Name, r.State, lasting(r.RunTime))
	return nil
}
