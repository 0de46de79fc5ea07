package cluster

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/control/transport"
	"github.com/flott-dev/flott/internal/data/network"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
	"github.com/flott-dev/flott/internal/id"
)

// A ticket is what the TaskManager tells a worker.
type ticket struct {
	header     rpc.Header
	worker     rpc.WorkerID
	jobManager string // address
	submitted  *jobgraph.Graph
	dial       transport.Options
	data       network.Options
}

// readTicket reads variables.
func readTicket() (*ticket, error) {
	t := &ticket{}
	var errs [5]error
	var token int64
	var text []byte
	token, errs[0] = strconv.ParseInt(os.Getenv("FLOTT_WORKER_TOKEN"), 10, 64)
	t.header.Token = rpc.Token(token)
	t.header.Job, errs[1] = id.ParseJob(os.Getenv("FLOTT_JOB_ID"))
	if text, errs[2] = os.ReadFile(os.Getenv("FLOTT_WORKER_GRAPH")); errs[2] == nil {
		t.submitted, errs[3] = jobdoc.Decode(text)
	}
	t.worker, t.jobManager = rpc.WorkerID(os.Getenv("FLOTT_WORKER_ID")), os.Getenv(jobManagerVariable)
	s := config.Read("", os.Environ())
	t.dial = transport.Options{Version: Version(), Security: security.From(s), Process: selfOf(t.worker), Log: slog.Default()}
	t.data, errs[4] = t.dataOptions(s)
	return t, errors.Join(errs[:]...)
}

// selfOf is this process, whose log files lie beside those of others.
func selfOf(w rpc.WorkerID) *process.Self {
	folder, file := filepath.Split(os.Getenv("FLOTT_WORKER_LOG"))
	return process.New(string(w), process.Options{Version: Version(), LogDir: folder, LogFile: file, LogPrefix: strings.TrimSuffix(file, "log")})
}
