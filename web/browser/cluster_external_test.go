//go:build external

package browser

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
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A cluster is a JobManager and TaskManagers, each a process, and the addresses of what feeds their jobs.
type cluster struct {
	t     *testing.T
	url   string
	env   []string
	words string
}

// ids are those of the jobs, so that links to them are the same each time.
var ids = map[string]string{
	"words": strings.Repeat("a1", 16), "payments": strings.Repeat("b2", 16), "failing": strings.Repeat("c3", 16),
	"failed": strings.Repeat("d4", 16), "finished": strings.Repeat("e5", 16), "wide": strings.Repeat("f6", 16),
	"long": strings.Repeat("a7", 16), "cancelled": strings.Repeat("b8", 16), "waiting": strings.Repeat("c9", 16), "stuck": strings.Repeat("da", 16),
}

// startCluster runs a cluster until the test ends.
func startCluster(t *testing.T, taskManagers, slots int, settings ...string) *cluster {
	t.Helper()
	c := &cluster{t: t, words: feed(t)}
	c.env = append([]string{"PATH=" + os.Getenv("PATH")}, "FLOTT_IO_TMP_DIRS="+t.TempDir(), "FLOTT_REST_PORT=0", "FLOTT_JOBMANAGER_RPC_PORT=0",
		fmt.Sprintf("FLOTT_TASKMANAGER_NUMBEROFTASKSLOTS=%d", slots))
	c.env = append(c.env, settings...)
	var rest, rpc int
	if _, err := fmt.Sscanf(c.start("jobmanager"), "JobManager ready: REST http://127.0.0.1:%d, RPC 127.0.0.1:%d", &rest, &rpc); err != nil {
		t.Fatal(err)
	}
	c.url = fmt.Sprintf("http://127.0.0.1:%d", rest)
	c.env = append(c.env, fmt.Sprintf("FLOTT_REST_PORT=%d", rest), fmt.Sprintf("FLOTT_JOBMANAGER_RPC_PORT=%d", rpc))
	for range taskManagers {
		c.start("taskmanager")
	}
	return c
}

// start starts a process of the cluster, until the test ends, and waits until it is ready.
func (c *cluster) start(role string) (ready string) {
	c.t.Helper()
	cmd := exec.Command(programs.flott, role)
	cmd.Env = c.env
	ready, stop := serving(c.t, cmd, "flott: ")
	c.t.Cleanup(stop)
	return ready
}

// serving starts a process and waits for its first line, which it gives without how it begins.
func serving(t *testing.T, cmd *exec.Cmd, begins string) (line string, stop func()) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err = bufio.NewReader(out).ReadString('\n')
	line, found := strings.CutPrefix(strings.TrimSpace(line), begins)
	if !found {
		t.Fatalf("%v says %q: %v, %v", cmd.Args, line, err, cmd.Wait())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
	return line, func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", cmd.Args, err)
		}
	}
}

// run submits jobs, by their names in ids, and waits for each to come into a state.
func (c *cluster) run(jobs map[string]string) {
	c.t.Helper()
	for job := range jobs {
		c.submit(job)
	}
	for job, state := range jobs {
		c.await(job, state)
	}
}

func (c *cluster) submit(job string) {
	c.t.Helper()
	cmd := exec.Command(programs.flott, "run", "-d", "-m", strings.TrimPrefix(c.url, "http://"), "-job-id", ids[job], "-env", "WORDS", programs.jobs, "--", job)
	cmd.Env = append(c.env, "WORDS="+c.words)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("flott run: %v\n%s", err, out)
	}
}

func (c *cluster) await(job, state string) {
	c.t.Helper()
	var is struct{ State string }
	c.look(job, &is, func() bool { return is.State == state })
}

// runs waits until all tasks of a job run, each in its slot: a job is RUNNING sooner.
func (c *cluster) runs(job string) {
	c.t.Helper()
	type vertex struct {
		Parallelism int
		Tasks       map[string]int
	}
	waiting := func(v vertex) bool { return v.Tasks["RUNNING"] < v.Parallelism }
	var is struct{ Vertices []vertex }
	c.look(job, &is, func() bool { return len(is.Vertices) > 0 && !slices.ContainsFunc(is.Vertices, waiting) })
}

// look looks at a job until that is enough.
func (c *cluster) look(job string, is any, enough func() bool) {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); !enough(); time.Sleep(50 * time.Millisecond) {
		c.ask("/jobs/"+ids[job], is)
		if time.Now().After(end) {
			c.t.Fatalf("job %s is %+v, and stays so", job, is)
		}
	}
}

// ask reads an answer of the JobManager.
func (c *cluster) ask(path string, into any) {
	c.t.Helper()
	a, err := http.Get(c.url + path)
	if err != nil {
		c.t.Fatal(err)
	}
	err = json.NewDecoder(a.Body).Decode(into)
	if err := errors.Join(err, a.Body.Close()); err != nil {
		c.t.Fatalf("%s: %v", path, err)
	}
}

// feed serves lines of text to whoever connects, until the test ends.
func feed(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	t.Cleanup(func() {
		end()
		_ = l.Close()
		running.Wait()
	})
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { send(ctx, conn) })
		}
	})
	return l.Addr().String()
}

// send writes until the reader has gone.
func send(ctx context.Context, conn net.Conn) {
	defer func() { _ = conn.Close() }() // the reader is gone, or gets the end of the text
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := io.WriteString(conn, "call me ishmael some years ago never mind how long precisely\n"); err != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
