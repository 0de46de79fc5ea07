package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/blob"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/security"
	"github.com/flott-dev/flott/internal/control/taskmanager"
	"github.com/flott-dev/flott/internal/control/transport"
)

// RunTaskManager runs workers for a JobManager, to which it keeps connected, until ctx ends. It calls ready when it has registered for
// the first time; when it returns, nothing of a worker is left.
func RunTaskManager(ctx context.Context, s *config.Settings, ready func()) (err error) {
	if err := valid(s, "taskmanager.bind-host"); err != nil {
		return err
	}
	h, err := openHome(s, "taskmanager")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if err := checkHost(ctx, s, h.log); err != nil {
		return err
	}
	o, err := taskManagerOptions(s, h)
	if err != nil {
		return err
	}
	ready = sync.OnceFunc(ready)
	var failure error
	defer clean(ctx, o.Blobs)()
	dial := transport.Options{Version: Version(), Security: security.From(s), Process: o.Self, Log: h.log}
	jobManager := address(s, "jobmanager.rpc.address", "jobmanager.rpc.port")
	err = transport.DialTaskManager(ctx, dial, jobManager, func(ctx context.Context, r rpc.ResourceManager) {
		o := o
		o.Registration.ID = taskManagerName()
		h.log.Info("the TaskManager joins", "version", Version(), "taskmanager", o.Registration.ID, "jobmanager", jobManager)
		failure = taskmanager.Run(ctx, registering{r, ready}, o)
	})
	if err == nil && ctx.Err() == nil {
		err = failure
	}
	return err
}

// clean deletes old executables until stop is called.
func clean(ctx context.Context, s *blob.Store) (stop func()) {
	ctx, end := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	return func() {
		end()
		running.Wait()
	}
}

// registering tells when the TaskManager has registered.
type registering struct {
	rpc.ResourceManager
	ready func()
}

// Register passes it on.
func (r registering) Register(reg rpc.Registration, m rpc.TaskManager) {
	r.ResourceManager.Register(reg, m)
	r.ready()
}

// taskManagerName is a new one: each time a TaskManager joins it is another one.
func taskManagerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "taskmanager"
	}
	return host + "-" + rand.Text()[:8]
}

func taskManagerOptions(s *config.Settings, h *home) (o taskmanager.Options, err error) {
	memory := cmp.Or(s.Bytes("taskmanager.memory.process.size"), WorkerMemory())
	o = taskmanager.Options{
		Registration: rpc.Registration{
			Host: ownHost(s), DataHost: ownHost(s), Slots: s.Number("taskmanager.numberOfTaskSlots"), Memory: memory,
			Version: Version(), Hardware: machine(),
		},
		Folder: h.workers(), Logs: h.logs, Self: h.self("TaskManager"), Env: workerVariables(s), Log: h.log,
		ControlGroups: controlGroups(s, h),
	}
	if err := o.ControlGroups.Check(); err != nil {
		return o, fmt.Errorf("taskmanager.cgroup: %w", err)
	}
	if o.Origin, err = originOf(s); err != nil {
		return o, err
	}
	o.Blobs, err = h.blobs(s)
	return o, err
}

// controlGroups have names of their own for each TaskManager of the machine, and the same for one that takes another one's place.
func controlGroups(s *config.Settings, h *home) taskmanager.ControlGroups {
	folder := s.Text("taskmanager.cgroup")
	if folder == "" {
		return ""
	}
	return taskmanager.ControlGroups(filepath.Join(folder, fmt.Sprintf("flott-%08x", crc32.ChecksumIEEE([]byte(h.folder)))))
}

// originOf is the JobManager, which has executables.
func originOf(s *config.Settings) (blob.Origin, error) {
	secured := security.From(s)
	t, err := secured.Client()
	if err != nil {
		return blob.Origin{}, err
	}
	o := blob.Origin{URL: "http://" + address(s, "rest.address", "rest.port"), Header: http.Header{}}
	if t != nil {
		o.URL = "https://" + address(s, "rest.address", "rest.port")
		o.Client = &http.Client{Transport: &http.Transport{TLSClientConfig: t, ForceAttemptHTTP2: true}}
	}
	if secured.Token != "" {
		o.Header.Set("Authorization", authorization(secured.Token))
	}
	return o, nil
}

// jobManagerVariable tells a worker where the JobManager is.
const jobManagerVariable = "FLOTT_WORKER_JOBMANAGER"

// workerVariables is what a worker must know of the cluster.
func workerVariables(s *config.Settings) []string {
	all := []string{jobManagerVariable + "=" + address(s, "jobmanager.rpc.address", "jobmanager.rpc.port")}
	secured := security.From(s)
	for _, v := range []struct{ key, value string }{
		{"security.token", secured.Token},
		{"security.tls.ca", secured.CA},
		{"security.tls.certificate", secured.Certificate},
		{"security.tls.key", secured.Key},
		{"taskmanager.host", ownHost(s)},
		{"taskmanager.bind-host", s.Text("taskmanager.bind-host")},
	} {
		if v.value != "" {
			all = append(all, fmt.Sprintf("%s=%s", config.Key{Name: v.key}.Variable(), v.value))
		}
	}
	return all
}
