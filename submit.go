package flott

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/cluster"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/text"
	"github.com/flott-dev/flott/internal/id"
)

// A submitter is the role of a process whose jobs run on a cluster. It sends each job graph, and the program itself: workers run it
// again, with the same arguments and settings, and must come to the same graph.
type submitter struct {
	connect func(*config.Settings) (*client.Client, error)
	tell    int    // the file descriptor to print the id of the first job to, and to end then; 0: it does not detach
	first   id.Job // the id of the first job; zero: any
	cancels bool   // also jobs of Start end with their context, as they could not go on without this process
}

// asClient is the role of a process that was told where a cluster is.
func (s *settings) asClient(address string) role {
	r := &submitter{first: s.firstJob()}
	s.choose("FLOTT_DETACHED", "the number of a file descriptor, 1 for standard output", func(v string) bool {
		var err error
		r.tell, err = strconv.Atoi(v)
		return err == nil && r.tell > 0 || v == ""
	})
	r.connect = func(c *config.Settings) (*client.Client, error) { return client.From(c, address, cluster.Version()) }
	return r
}

// firstJob is the id that the program's first job is to have; zero: none was chosen.
func (s *settings) firstJob() (first id.Job) {
	s.choose("FLOTT_JOB_ID", "the id of a job, 32 hexadecimal digits", func(v string) bool {
		var err error
		first, err = id.ParseJob(v)
		return err == nil || v == ""
	})
	return first
}

func (r *submitter) start(ctx context.Context, e *Environment, job string, a attachment) (*Job, error) {
	c, before := begin()
	started, err := r.submit(ctx, e, job, a, before)
	if err == nil && r.tell > 0 {
		err = r.leave(started.job)
	}
	var j *Job
	if err == nil {
		j = newJob(started.job, started)
	}
	c.ended(j, err)
	return j, err
}

// leave ends the process, whose job goes on.
func (r *submitter) leave(job id.Job) error {
	if _, err := fmt.Fprintln(os.NewFile(uintptr(r.tell), "FLOTT_DETACHED"), job); err != nil {
		return fmt.Errorf("flott: job %s was submitted, but nobody can be told: %w", job, err)
	}
	os.Exit(0)
	return nil
}

// submit sends a job, before which there were others.
func (r *submitter) submit(ctx context.Context, e *Environment, job string, a attachment, before int) (*remote, error) {
	g, err := e.compileToCross(job)
	if err != nil {
		return nil, err
	}
	s, err := r.submission(g, &e.settings, before)
	if err != nil {
		return nil, err
	}
	s.Detached = a == loose || r.tell > 0
	to, err := r.connect(e.settings.found)
	if err != nil {
		return nil, fmt.Errorf("flott: job %q cannot be submitted: %w", job, err)
	}
	j := &remote{cluster: to, stdout: e.settings.stdout, until: context.Background(), release: func() {}}
	if a == attached || r.cancels {
		lastWord := j.lastWord
		if r.cancels {
			lastWord = func() {} // the job ends with this process
		}
		j.until, j.release = cancelledBySignals(ctx, lastWord)
	}
	if err := j.submit(s); err != nil {
		if j.until.Err() != nil {
			err = cluster.ReasonOf(j.until)
		}
		j.close()
		return nil, fmt.Errorf("flott: job %q cannot be submitted: %w", job, err)
	}
	if !r.cancels && r.tell == 0 {
		j.log = slog.With("job_id", j.job.String(), "name", job)
		j.log.Info("job submitted")
	}
	return j, nil
}

func (r *submitter) submission(g *graphs, s *settings, before int) (v view.Submission, err error) {
	v = view.Submission{
		Job: nth(r.first, before), StreamGraph: text.StreamDocumentJSON(g.stream, g.job), Args: os.Args[1:], Env: s.variables(), Protocol: rpc.Protocol,
	}
	var errs [2]error
	v.Graph, errs[0] = jobdoc.Encode(g.job)
	v.Earlier, errs[1] = earlier(before)
	return v, errors.Join(errs[:]...)
}

// nth is the id of the job that comes after n others.
func nth(first id.Job, n int) id.Job {
	if n == 0 || first == (id.Job{}) {
		return first
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", first, n))
	return id.Job(sum[:len(first)])
}

// variables are those that workers have: for all settings that are made here, in whatever way, and for what FLOTT_RUN_ENV names.
func (s *settings) variables() []string {
	var all []string
	for _, k := range config.Keys {
		if found := s.found.Of(k); k.Scope == config.Program && found.Origin != "default" {
			all = append(all, k.Variable()+"="+found.Value)
		}
	}
	for entry := range strings.SplitSeq(os.Getenv("FLOTT_RUN_ENV"), "\n") {
		name, _, given := strings.Cut(entry, "=")
		if value, set := os.LookupEnv(name); set && !given {
			entry = name + "=" + value
		} else if !given {
			continue
		}
		all = append(all, entry)
	}
	return all
}
