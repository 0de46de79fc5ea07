package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/config"
	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/graph/jobdoc"
	"github.com/flott-dev/flott/internal/graph/program"
	"github.com/flott-dev/flott/internal/id"
)

// roles is what this test's executable does when FLOTT_ROLE says so. JobManager and TaskManager print a line when they are ready.
var roles = map[string]func() error{
	"worker": workHere,
	"jobmanager": func() error {
		return untilTold(func(ctx context.Context, s *config.Settings) error {
			return RunJobManager(ctx, s, func(rest, rpc net.Addr) { fmt.Println(portOf(rest), portOf(rpc)) })
		})
	},
	"taskmanager": func() error {
		return untilTold(func(ctx context.Context, s *config.Settings) error {
			return RunTaskManager(ctx, s, func() { fmt.Println("ready") })
		})
	},
}

// untilTold runs until SIGTERM, or the test that has started the process is gone, and with it the other end of its standard input.
func untilTold(run func(context.Context, *config.Settings) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() { // ends with the process
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	return run(ctx, config.Read("", os.Environ()))
}

// A fleet is a cluster of processes.
type fleet struct {
	*client.Client
	t          *testing.T
	env        []string
	url        string
	http       *http.Client
	hash       view.Hash
	jobManager *exec.Cmd
}

// startFleet starts a JobManager, which has the executable of workers.
func startFleet(t *testing.T, settings ...string) *fleet {
	t.Helper()
	f := &fleet{t: t, http: &http.Client{Transport: &http.Transport{}}, env: append(settings, "FLOTT_IO_TMP_DIRS="+t.TempDir(), "FLOTT_REST_PORT=0", "FLOTT_JOBMANAGER_RPC_PORT=0")}
	var said string
	f.jobManager, said = f.start("jobmanager")
	rest, rpc, _ := strings.Cut(said, " ")
	f.env = append(f.env, "FLOTT_REST_PORT="+rest, "FLOTT_JOBMANAGER_RPC_PORT="+rpc)
	f.url = "http://127.0.0.1:" + rest
	var err error
	f.Client, err = client.New(f.url, client.Options{})
	check(t, err)
	t.Cleanup(func() { f.Client.Close(); f.http.CloseIdleConnections() })
	f.hash = upload(t, f.Client)
	return f
}

// start starts a process, which is told to end with the test, and waits for its first line.
func (f *fleet) start(role string, env ...string) (c *exec.Cmd, said string) {
	f.t.Helper()
	c = exec.Command(os.Args[0])
	c.Env = append(append(append(os.Environ(), f.env...), env...), "FLOTT_ROLE="+role)
	c.WaitDelay = time.Second
	_, err := c.StdinPipe() // see untilTold
	check(f.t, err)
	out, err := c.StdoutPipe()
	check(f.t, err)
	check(f.t, c.Start())
	f.t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGCONT) // it may be over, or stopped
		_ = c.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
		defer late.Stop()
		if c.ProcessState == nil {
			if err := c.Wait(); err != nil {
				f.t.Errorf("%s: %v", role, err)
			}
		}
	})
	said, err = bufio.NewReader(out).ReadString('\n')
	check(f.t, err)
	return c, strings.TrimSpace(said)
}

// taskManager starts a TaskManager, and waits until the JobManager knows it.
func (f *fleet) taskManager(slots int) (c *exec.Cmd, name string) {
	f.t.Helper()
	before := f.taskManagers() // perhaps also one that was lost just now
	c, _ = f.start("taskmanager", "FLOTT_TASKMANAGER_NUMBEROFTASKSLOTS="+strconv.Itoa(slots))
	await(f.t, says("TaskManager"), func() bool {
		for _, name = range f.taskManagers() {
			if !slices.Contains(before, name) {
				return true
			}
		}
		return false
	})
	return c, name
}

func (f *fleet) taskManagers() []string {
	f.t.Helper()
	all, err := f.TaskManagers(f.t.Context())
	check(f.t, err)
	return all
}

// submit runs a program under an id and a name, with as many restarts.
func (f *fleet) submit(jobID, name, of string, parallelism, restarts int, delay time.Duration, env ...string) id.Job {
	f.t.Helper()
	g, _ := programs[of](parallelism).compile(f.t)
	g.Name = name
	g.Restart = program.RestartStrategy{Type: program.FixedDelay, Fixed: program.FixedRestart{Attempts: restarts, Delay: delay}}
	text, err := jobdoc.Encode(g)
	check(f.t, err)
	job, err := id.ParseJob(jobID)
	check(f.t, err)
	job, err = f.Submit(f.t.Context(), view.Submission{
		Job: job, Graph: text, Blob: f.hash, Args: arguments(of, name, parallelism), Env: env, Protocol: rpc.Protocol,
	})
	check(f.t, err)
	return job
}

// ask is a request, and its answer.
func (f *fleet) ask(method, path, body string, answer any) {
	f.t.Helper()
	check(f.t, json.Unmarshal(f.answer(method, path, body), answer))
}

func (f *fleet) answer(method, path, body string) []byte {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, strings.NewReader(body))
	check(f.t, err)
	a, err := f.http.Do(r)
	check(f.t, err)
	text, err := io.ReadAll(a.Body)
	check(f.t, errors.Join(err, a.Body.Close()))
	if a.StatusCode >= 300 {
		f.t.Fatalf("%s %s: %s: %s", method, path, a.Status, text)
	}
	return text
}

// text is an answer that is no JSON.
func (f *fleet) text(path string) string {
	f.t.Helper()
	return string(f.answer(http.MethodGet, path, ""))
}

func (f *fleet) get(path string, answer any) {
	f.t.Helper()
	f.ask(http.MethodGet, path, "", answer)
}

func (f *fleet) id(jobID string) id.Job {
	f.t.Helper()
	job, err := id.ParseJob(jobID)
	check(f.t, err)
	return job
}

// await waits until a job is in a state.
func (f *fleet) await(job string, s view.JobState) {
	f.t.Helper()
	var is struct{ Status view.JobState }
	await(f.t, func() string { return fmt.Sprintf("job %s is %s, want %s", job, is.Status, s) }, func() bool {
		f.get("/jobs/"+job+"/status", &is)
		return is.Status == s
	})
}

// await polls until something is so; else the test fails with what it says.
func await(t *testing.T, what func() string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what())
		}
	}
}

func says(what string) func() string { return func() string { return what } }
