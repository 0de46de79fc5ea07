package jobmanager

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/id"
)

// Accept starts a job that a client has sent, and whose executable is here. Submitted once more it is the same job, also when it was
// over before this process started; an id that another job has is a *view.Refusal, as is everything else that cannot be run.
func (d *Dispatcher) Accept(v view.Submission) (id.Job, error) {
	s, err := d.submissionOf(v)
	if err != nil {
		return id.Job{}, err
	}
	job := s.Graph.Job.ID
	_, err = d.Submit(s)
	// The archive is asked last: a job that is over may come there at any time.
	if over := d.archive.find(job); err != nil && over != nil && over.Program == s.Program.identity() {
		return job, nil
	}
	return job, err
}

func (d *Dispatcher) submissionOf(v view.Submission) (s Submission, err error) {
	if v.Protocol != rpc.Protocol {
		return s, refused("the program is built with flott %s (protocol %d), and this cluster is flott %s (protocol %d): they cannot work together",
			named(v.Version), v.Protocol, named(d.options.Version), rpc.Protocol)
	}
	g, err := jobdoc.Decode(v.Graph)
	if err != nil {
		return s, refused("%v", err)
	}
	if g.ID = v.Job; g.ID == (id.Job{}) {
		rand.Read(g.ID[:])
	}
	if g.Restart.Type == "" {
		g.Restart = d.options.Restart
	}
	if s.Graph, err = execgraph.From(g); err != nil {
		return s, refused("%v", err)
	}
	s.StreamGraph, s.Settings, s.SlotTimeout = v.StreamGraph, settingsOf(v), d.options.SlotTimeout
	s.Program = Program{Blob: v.Blob, Args: v.Args, Env: v.Env, Graph: v.Graph, Fingerprint: jobdoc.Fingerprint(g)}
	if len(v.Earlier) > 0 {
		s.Program.Earlier, err = json.Marshal(v.Earlier)
	}
	return s, err
}

func refused(format string, args ...any) error {
	return &view.Refusal{Reason: fmt.Sprintf(format, args...)}
}

// named is a version for people.
func named(version string) string {
	if version == "" {
		return "of an unknown version"
	}
	return version
}

// An identity is what two submissions with one id must have in common: hashes of the parts that identityParts names.
type identity [4]string

var identityParts = identity{"executable", "graph", "arguments", "environment"}

// identity does not look at the results of earlier jobs: they follow from the rest.
func (p *Program) identity() identity {
	return identity{p.Blob.String(), p.Fingerprint, digest(p.Args), digest(p.Env)}
}

func digest(words []string) string {
	sum := sha256.New()
	for _, w := range words {
		fmt.Fprintf(sum, "%d %s", len(w), w)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// conflict is the error that there is a job already that has the id.
func (i identity) conflict(job id.Job, other identity) error {
	r := &view.Refusal{Reason: fmt.Sprintf("there is a job with the id %s already", job), Conflict: true}
	var differ []string
	for part, name := range identityParts {
		if i[part] != other[part] {
			differ = append(differ, name)
		}
	}
	if differ != nil {
		r.Reason += ", which is another one: it differs in " + strings.Join(differ, ", ")
	}
	return r
}
