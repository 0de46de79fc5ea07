package flott_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flott-dev/flott"
)

// A session is a cluster of processes.
type session struct {
	t    *testing.T
	env  []string // of its processes, and of clients
	rest string   // the JobManager's address
}

// start starts a process of the cluster, which is told to end with the test, and returns its first line with this in it.
func (s *session) start(name, with string, env ...string) string {
	s.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = slices.Concat(os.Environ(), s.env, env, []string{"TEST_PROGRAM=" + name})
	log, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	said, read := make(chan string, 1), make(chan bool)
	var all strings.Builder
	go func() { // ends with the process
		defer close(read)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			fmt.Fprintln(&all, lines.Text())
			if strings.Contains(lines.Text(), with) && len(said) == 0 {
				said <- lines.Text()
			}
		}
	}()
	s.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may be over
		<-read
		if err := cmd.Wait(); err != nil {
			s.t.Errorf("a process of the cluster ended with %v and said\n%s", err, &all)
		}
	})
	select {
	case line := <-said:
		return line
	case <-read:
		s.t.Fatal("a process of the cluster ended before it was ready")
		return ""
	}
}

// startSession starts a JobManager, and TaskManagers with so many slots.
func startSession(t *testing.T, slots ...int) *session {
	t.Helper()
	s := &session{t: t, env: []string{
		"FLOTT_REST_PORT=0", "FLOTT_JOBMANAGER_RPC_PORT=0", "FLOTT_IO_TMP_DIRS=" + t.TempDir(),
		"FLOTT_TASKMANAGER_MEMORY_PROCESS_SIZE=1000t", // the race detector maps as much
	}}
	var rpc string
	if _, err := fmt.Sscanf(s.start("session jobmanager", "session ready"), "session ready %s %s", &s.rest, &rpc); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "FLOTT_REST_PORT="+port(s.rest), "FLOTT_JOBMANAGER_RPC_PORT="+port(rpc))
	for _, n := range slots {
		s.start("session taskmanager", "session ready", fmt.Sprintf("FLOTT_TASKMANAGER_NUMBEROFTASKSLOTS=%d", n))
	}
	s.env = []string{"FLOTT_JOBMANAGER=" + s.rest, "FLOTT_RUN_ENV=TEST_PROGRAM"}
	return s
}

func port(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// client is a program that submits its jobs. What env says wins.
func (s *session) client(name string, args []string, env ...string) *exec.Cmd {
	s.t.Helper()
	cmd := program(s.t, name, slices.Concat(s.env, env)...)
	cmd.Args = append(cmd.Args, args...)
	return cmd
}

// says wants a program to print exactly this.
func says(t *testing.T, cmd *exec.Cmd, want string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	got, err := cmd.Output()
	if err != nil || string(got) != want {
		t.Errorf("the program ended with %v and printed\n%s\nwant\n%s\nto stderr\n%s", err, got, want, &stderr)
	}
}

// mentions wants a program to print this, among other things.
func mentions(t *testing.T, cmd *exec.Cmd, want ...string) {
	t.Helper()
	got, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("the program ended with %v", err)
	}
	for _, w := range want {
		if !strings.Contains(string(got), w) {
			t.Errorf("%q is not in\n%s", w, got)
		}
	}
}

const counted = `before
1
2
3
Source: Sequence Source 0 3 true true
Map 3 3 true true
Sink: Print to Std. Out 3 0 true true
error: <nil>
`

// The same program as embedded, with jobs on a cluster.
func TestSession(t *testing.T) {
	s := startSession(t, 4)
	t.Run("output and result", func(t *testing.T) { says(t, s.client("count", []string{"3"}), counted) })
	t.Run("output where the program wants it", func(t *testing.T) { says(t, s.client("captured", nil), "\"1\\n2\\n\" <nil>\n") })
	t.Run("detached", s.detached)
	t.Run("several jobs", s.severalJobs)
	t.Run("two at once", func(t *testing.T) {
		mentions(t, s.client("start", nil), "1\n2\n3\n", "error: <nil>", "cancelled: true flott: job \"first\" was cancelled")
	})
	t.Run("another graph", func(t *testing.T) {
		mentions(t, s.client("differs", nil, "TEST_NAME=x"), `operator 2 was submitted as operator "map x" and is built as operator "map "`)
	})
	t.Run("types that cannot cross", func(t *testing.T) {
		mentions(t, s.client("uncrossable", nil), `true flott: job "uncrossable" has 2 mistakes:`,
			`operator "channels": type chan int cannot be encoded`, `operator "points": type flott_test.point cannot be encoded: point.n (int)`)
	})
	t.Run("cancelled by a signal", s.cancelled)
	t.Run("abandoned", s.abandoned)
	t.Run("cancelled by its context", func(t *testing.T) {
		says(t, s.client("late", nil), "true true true flott: job \"late\" was cancelled: context canceled: too late\n")
	})
	t.Run("panic", func(t *testing.T) {
		mentions(t, s.client("panics", nil), "divide (1/1) panic: runtime error: integer divide by zero\n\n", "flott_test.programPanics.func1(", `flott: job "panics" failed: operator "divide" (1/1): panic`)
	})
	t.Run("main without job", s.mainWithoutJob)
	t.Run("surroundings", s.surroundings)
	t.Run("nobody there", func(t *testing.T) {
		mentions(t, s.client("count", []string{"3"}, "FLOTT_JOBMANAGER=127.0.0.1:1"), `flott: job "count" cannot be submitted: `, "no cluster answers at http://127.0.0.1:1")
	})
}

func (s *session) detached(t *testing.T) {
	id, err := s.client("count", []string{"3"}, "FLOTT_DETACHED=1").Output()
	job := strings.TrimPrefix(strings.TrimSpace(string(id)), "before\n")
	if err != nil || len(job) != 32 {
		t.Fatalf("a program that is detached prints %q and ends with %v", id, err)
	}
	for range 2 { // the first one may come while the job runs
		says(t, s.client("count", []string{"3"}, "FLOTT_JOB_ID="+job), counted)
	}
	other := "0123456789abcdef0123456789abcdef"
	mentions(t, s.client("count", []string{"3"}, "FLOTT_JOB_ID="+other, "TEST_LEAVES=1"), other) // and perhaps what is printed that soon
	says(t, s.client("count", []string{"3"}, "FLOTT_JOB_ID="+other), counted)
	mentions(t, s.client("count", []string{"4"}, "FLOTT_JOB_ID="+job), "there is a job with the id "+job+" already, which is another one: it differs in arguments")
}

// Each job of a program has an id that follows from the first one's, so that a client can come back to all of them.
func (s *session) severalJobs(t *testing.T) {
	first, err := s.client("chain", nil, "FLOTT_JOB_ID=fedcba9876543210fedcba9876543210").Output()
	if want := "\n30\n31\nSource: Sequence Source 0 31 "; err != nil || !strings.Contains(string(first), want) {
		t.Fatalf("the program ended with %v and printed\n%s", err, first)
	}
	says(t, s.client("chain", nil, "FLOTT_JOB_ID=fedcba9876543210fedcba9876543210"), string(first))
}

func (s *session) cancelled(t *testing.T) {
	p := runEndless(t, s.client("endless", nil))
	p.signal(t, os.Interrupt)
	p.cancelledBy(t, os.Interrupt)
}

// A signal and its echo cancel the job. When the cluster does not hear of that, a later one ends the client, which says so.
func (s *session) abandoned(t *testing.T) {
	deaf := s.through(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPatch {
			<-r.Context().Done()
		}
		return r.Method == http.MethodPatch
	})
	cmd := s.client("endless", nil, "FLOTT_JOBMANAGER="+deaf, "FLOTT_JOB_ID=00112233445566778899aabbccddeeff")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	p, ended := runEndless(t, cmd), make(chan struct{})
	first := time.Now()
	p.signal(t, os.Interrupt)
	go func() { // ends with the process
		defer close(ended)
		_ = p.Wait() // it ends by a signal, as its state says
	}()
	p.signalUntil(ended)
	status, _ := p.ProcessState.Sys().(syscall.WaitStatus)
	want := "flott: job 00112233445566778899aabbccddeeff may go on; flott cancel 00112233445566778899aabbccddeeff ends it\n"
	if !status.Signaled() || time.Since(first) < 500*time.Millisecond || !strings.Contains(stderr.String(), want) {
		t.Errorf("after %v the program ended with %v and said\n%s", time.Since(first), p.ProcessState, &stderr)
	}
	s.ask(t, http.MethodPatch, "/jobs/00112233445566778899aabbccddeeff?mode=cancel")
}

// signalUntil signals again and again to a process until it has ended.
func (p endlessProgram) signalUntil(ended <-chan struct{}) {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-ended:
			return
		case <-again.C:
			_ = p.Process.Signal(syscall.SIGTERM) // it may have ended just now
		}
	}
}

// through is the address of a proxy of the JobManager, except for requests that are answered here.
func (s *session) through(t *testing.T, answered func(http.ResponseWriter, *http.Request) bool) string {
	t.Helper()
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: s.rest})
	proxy.FlushInterval = -1
	proxy.ErrorLog = log.New(io.Discard, "", 0) // clients that go away
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answered(w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// ask sends a request to the JobManager.
func (s *session) ask(t *testing.T, method, path string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.rest+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil || a.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%v, %v", a, err)
	}
	http.DefaultClient.CloseIdleConnections()
	_ = a.Body.Close()
}

// A main that does not come to its job on a worker fails the job, and says what became of it.
func (s *session) mainWithoutJob(t *testing.T) {
	for how, want := range map[string]string{
		"panics":  "): the worker ended with exit status 2; it said last:\npanic: no job today",
		"exits":   "): the worker ended with exit status 7; it said last:\nno job today",
		"returns": "): the worker ended with exit status 0 before its job was over",
	} {
		mentions(t, s.client("ends", []string{how}), `flott: job "endless" failed: on TaskManager `, want)
	}
}

// Workers have the arguments, the settings, and of other variables those that are named. They run in an empty folder.
func (s *session) surroundings(t *testing.T) {
	folder := t.TempDir()
	settings := "execution.flush-gap: 7 ms\nparallelism.default: 2\nsecurity.token: secret\n"
	if err := os.WriteFile(filepath.Join(folder, "flott.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := s.client("tells", []string{"-a", "b c"}, "FLOTT_RUN_ENV=TEST_PROGRAM\nTEST_GIVEN=given,\nTEST_NAMED\nTEST_ABSENT", "TEST_NAMED=named", "TEST_OTHER=other")
	cmd.Dir = folder
	got, err := cmd.Output()
	lines := strings.Split(string(got), "\n")
	for i, want := range []string{"[-a b c]", "true", "given,named7 ms"} {
		if i >= len(lines) || !strings.HasSuffix(lines[i], "> "+want) { // of one of two subtasks
			t.Fatalf("a worker sees\n%s\nwant %s, %v", got, want, err)
		}
	}
}

// One job runs in workers on two TaskManagers, and each record comes to the subtask of its key.
func TestTwoTaskManagers(t *testing.T) {
	s := startSession(t, 1, 1)
	got, err := s.client("words", nil, "FLOTT_PARALLELISM_DEFAULT=2").Output()
	lines := strings.Fields(string(got)) // "1>", "3100"
	seen := map[string]bool{}
	for i := 0; i+1 < len(lines); i += 2 {
		seen[lines[i+1]] = true
	}
	if err != nil || len(lines) != 200 || len(seen) != 100 || !strings.Contains(string(got), "1> ") || !strings.Contains(string(got), "2> ") {
		t.Errorf("the program ended with %v and printed %d numbers in %d words\n%s", err, len(seen), len(lines), got)
	}
}

// A program is not sent where it cannot run.
func TestOtherPlatform(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"jvm":{"arch":"plan9/mips"}}`)
	}))
	defer server.Close()
	t.Setenv("FLOTT_JOBMANAGER", server.URL)
	env := flott.New()
	printed(env, 1)
	if _, err := env.Execute(t.Context(), "elsewhere"); err == nil || !strings.Contains(err.Error(), "the cluster runs on plan9/mips, and this program is for ") {
		t.Errorf("the error is %v", err)
	}
}

// A job that is cancelled before the cluster has it is cancelled, and not lost.
func TestCancelledBeforeItIsSubmitted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel(errLate)
		<-r.Context().Done()
	}))
	defer server.Close()
	t.Setenv("FLOTT_JOBMANAGER", server.URL)
	env := flott.New()
	printed(env, 1)
	if _, err := env.Execute(ctx, "early"); !errors.Is(err, context.Canceled) || !errors.Is(err, errLate) {
		t.Errorf("the error is %v", err)
	}
}

// An application is a program that is its own cluster. Its JobManager is cmd.
type application struct {
	*session
	cmd    *exec.Cmd
	stdout bytes.Buffer
	log    *bufio.Scanner
}

// startApplication starts a JobManager and a TaskManager.
func startApplication(t *testing.T, name string) *application {
	t.Helper()
	a := &application{session: &session{t: t, env: []string{
		"FLOTT_REST_PORT=0", "FLOTT_JOBMANAGER_RPC_PORT=0", "FLOTT_IO_TMP_DIRS=" + t.TempDir(), "FLOTT_TASKMANAGER_MEMORY_PROCESS_SIZE=1000t",
		"FLOTT_RUN_ENV=TEST_PROGRAM",
	}}}
	a.cmd = a.client(name, nil, "FLOTT_ROLE=jobmanager")
	a.cmd.Stdout = &a.stdout
	log, err := a.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a.log = bufio.NewScanner(log)
	var rest, rpc string
	_, ports, _ := strings.Cut(a.reads("JobManager ready"), "rest=")
	if _, err := fmt.Sscanf(ports, "%s rpc=%s", &rest, &rpc); err != nil {
		t.Fatal(err)
	}
	a.start(name, "TaskManager ready", "FLOTT_ROLE=taskmanager", "FLOTT_REST_PORT="+port(rest), "FLOTT_JOBMANAGER_RPC_PORT="+port(rpc))
	return a
}

// reads is the first line of the log from here on that has something in it; "": there is none.
func (a *application) reads(what string) string {
	for a.log.Scan() {
		if strings.Contains(a.log.Text(), what) {
			return a.log.Text()
		}
	}
	return ""
}

// ends waits for the program's end, and wants it to have printed these.
func (a *application) ends(want ...string) {
	a.t.Helper()
	a.reads("\n") // to its end
	err := a.cmd.Wait()
	for _, w := range want {
		if err != nil || !strings.Contains(a.stdout.String(), w) {
			a.t.Errorf("the program ended with %v and printed, without %q,\n%s", err, w, &a.stdout)
		}
	}
}

func TestApplication(t *testing.T) {
	startApplication(t, "chain").ends("\n30\n31\nSource: Sequence Source 0 31 ", "error: <nil>\n")
}

func TestApplicationThatIsCancelled(t *testing.T) {
	a := startApplication(t, "forever")
	a.reads("it runs")
	if err := a.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	a.ends("error: flott: job \"forever\" was cancelled: context canceled: signal \"terminated\"\n")
}
