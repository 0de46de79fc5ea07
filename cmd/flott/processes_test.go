package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// Scripts have these commands beside flott's:
//
//	jobmanager [-files N] [KEY=VALUE...]    start a JobManager on free ports, which flott then asks in this script. It cannot write files
//	                                        of more than N blocks (ulimit -f)
//	taskmanager [-files N] [KEY=VALUE...]   start a TaskManager for it, and wait until it has joined
//	await PATTERN COMMAND...                run a command until it succeeds and prints what matches
//	signal KILL|TERM|INT WHOM               send a signal: to jobmanager or taskmanager-N, from 0, and wait for its end; to all workers; or
//	                                        to the commands in the background
//	same stdout|stderr LINE...              the last command has printed exactly these lines, in which {} stands for what varies
//
// When a script ends, so do the processes of its cluster, and then none may be left of all that it has started, clients too.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"jobmanager":  func(ts *testscript.TestScript, _ bool, args []string) { clusterOf(ts).startJobManager(ts, args) },
	"taskmanager": func(ts *testscript.TestScript, _ bool, args []string) { clusterOf(ts).startTaskManager(ts, args) },
	"signal":      func(ts *testscript.TestScript, _ bool, args []string) { clusterOf(ts).signal(ts, args[0], args[1]) },
	"await":       await,
	"same":        same,
}

// patience is how long anything may take.
const patience = time.Minute

// A scriptCluster is the processes of a script.
type scriptCluster struct {
	rest, rpc string              // ports of the JobManager
	processes map[string]*started // by how scripts call them
	tasks     int                 // TaskManagers that were started
}

type clusterKey struct{}

// withCluster gives a script a cluster, still without processes.
func withCluster(e *testscript.Env) {
	c := &scriptCluster{processes: map[string]*started{}}
	e.Values[clusterKey{}] = c
	e.Defer(func() {
		if wrong := c.stop(); wrong != "" {
			e.T().Fatal(wrong)
		}
	})
}

func clusterOf(ts *testscript.TestScript) *scriptCluster {
	return ts.Value(clusterKey{}).(*scriptCluster)
}

func (c *scriptCluster) startJobManager(ts *testscript.TestScript, args []string) {
	p := startProcess(ts, "jobmanager", args, "rest.port=0", "jobmanager.rpc.port=0")
	found := regexp.MustCompile(`REST \w+://(\S+:(\d+)), RPC \S+:(\d+)`).FindStringSubmatch(p.ready(ts))
	if found == nil {
		ts.Fatalf("the JobManager is not ready:\n%s", &p.log)
	}
	c.rest, c.rpc, c.processes["jobmanager"] = found[2], found[3], p
	ts.Setenv("FLOTT_JOBMANAGER", found[1])
	ts.Setenv("RPC", c.rpc)
}

func (c *scriptCluster) startTaskManager(ts *testscript.TestScript, args []string) {
	p := startProcess(ts, "taskmanager", args, "rest.port="+c.rest, "jobmanager.rpc.port="+c.rpc)
	c.processes["taskmanager-"+strconv.Itoa(c.tasks)] = p
	c.tasks++
	if !strings.Contains(p.ready(ts), "TaskManager ready") {
		ts.Fatalf("the TaskManager is not ready:\n%s", &p.log)
	}
}

// signal ends processes.
func (c *scriptCluster) signal(ts *testscript.TestScript, name, who string) {
	s := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM, "INT": syscall.SIGINT}[name]
	var some []int
	switch who {
	case "workers":
		some = workersOf(ts.Getenv("WORK"))
	case "background":
		for _, cmd := range ts.BackgroundCmds() {
			some = append(some, cmd.Process.Pid)
		}
	default:
		p := c.processes[who]
		ts.Check(p.Process.Signal(s))
		<-p.ended
		delete(c.processes, who)
		return
	}
	if len(some) == 0 {
		ts.Fatalf("there are no %s", who)
	}
	for _, pid := range some {
		ts.Check(syscall.Kill(pid, s))
	}
}

// stop ends all processes, and says what was wrong with that.
func (c *scriptCluster) stop() string {
	var wrong strings.Builder
	for name, p := range c.processes {
		if err := p.Process.Signal(syscall.SIGTERM); err != nil {
			wrong.WriteString(name + ": " + err.Error() + "\n")
		}
	}
	for name, p := range c.processes {
		select {
		case <-p.ended:
		case <-time.After(patience):
			wrong.WriteString(name + " does not end\n")
			_ = p.Process.Kill() // it is wrong already
			<-p.ended
		}
		if !p.ProcessState.Success() {
			wrong.WriteString(name + ": " + p.ProcessState.String() + "\n" + p.log.String())
		}
	}
	return wrong.String()
}

// processesLeft waits until no process of a script is left, and says which are: those of a TaskManager that was killed end after it.
func processesLeft(work string) (left []int) {
	for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if left = processesOf(work); len(left) == 0 {
			return nil
		}
	}
	return left
}

// processesOf is the processes that a script has started, in whose environment its folder is, and workers, whose executables are there.
func processesOf(work string) []int {
	return processesWhere(func(folder string) bool {
		environ, _ := os.ReadFile(folder + "/environ") // it may have ended just now, or be another user's
		return slices.Contains(strings.Split(string(environ), "\x00"), "WORK="+work) || isBelow(folder, work)
	})
}

// workersOf is the workers of a script, and programs that it has built.
func workersOf(work string) []int {
	return processesWhere(func(folder string) bool { return isBelow(folder, work) })
}

// isBelow says that a process runs an executable in a folder.
func isBelow(process, folder string) bool {
	exe, err := os.Readlink(process + "/exe")
	return err == nil && strings.HasPrefix(exe, folder+"/")
}

// processesWhere is the processes of whose folders something is so.
func processesWhere(so func(folder string) bool) (all []int) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, f := range folders {
		if so(f) {
			pid, _ := strconv.Atoi(filepath.Base(f))
			all = append(all, pid)
		}
	}
	return all
}

// A started process is one of flott's.
type started struct {
	*exec.Cmd
	first chan string   // line that it prints
	ended chan struct{} // closed
	log   logText
}

// startProcess starts flott with settings, in a shell that can limit the size of files.
func startProcess(ts *testscript.TestScript, command string, args []string, settings ...string) *started {
	limit := "unlimited"
	if len(args) > 1 && args[0] == "-files" {
		limit, args = args[1], args[2:]
	}
	tmp := filepath.Join(ts.Getenv("WORK"), "t")
	ts.Check(os.MkdirAll(tmp, 0o700))
	line := []string{"-c", "ulimit -f " + limit + `; exec flott "$@"`, "flott", command, "-D", "io.tmp.dirs=" + tmp}
	for _, s := range append(settings, args...) {
		line = append(line, "-D", s)
	}
	p := &started{Cmd: exec.Command("sh", line...), first: make(chan string, 1), ended: make(chan struct{})}
	p.Env = environment(ts)
	p.Stderr = &p.log
	out, err := p.StdoutPipe()
	ts.Check(err)
	ts.Check(p.Start())
	go func() { // ends with the process
		defer close(p.ended)
		lines := bufio.NewReader(out)
		first, _ := lines.ReadString('\n')
		p.first <- first
		_, _ = io.Copy(io.Discard, lines)
		_ = p.Wait() // ProcessState has it
	}()
	return p
}

// ready is the line that a process prints when it can be used.
func (p *started) ready(ts *testscript.TestScript) string {
	select {
	case line := <-p.first:
		return line
	case <-time.After(patience):
		ts.Fatalf("it is not ready:\n%s", &p.log)
		return ""
	}
}

// logText is what a process has written to stderr.
type logText struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write keeps p.
func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is all of it.
func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func await(ts *testscript.TestScript, _ bool, args []string) {
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	var printed []byte
	for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		cmd := exec.Command(args[1], args[2:]...)
		cmd.Dir, cmd.Env = ts.MkAbs("."), environment(ts)
		printed, err = cmd.CombinedOutput()
		if err == nil && pattern.Match(printed) {
			return
		}
	}
	ts.Fatalf("%v does not come to %q, but to %v\n%s", args[1:], args[0], err, printed)
}

func same(ts *testscript.TestScript, _ bool, args []string) {
	printed := ts.ReadFile(args[0])
	want := strings.ReplaceAll(regexp.QuoteMeta(strings.Join(args[1:], "\n")+"\n"), `\{\}`, ".*")
	if !regexp.MustCompile("^" + want + "$").MatchString(printed) {
		ts.Fatalf("%s is\n%s", args[0], printed)
	}
}

// environment is the variables of a script that matter to flott, and by which its processes are known.
func environment(ts *testscript.TestScript) []string {
	all := os.Environ()
	for _, name := range []string{"WORK", "FLOTT_JOBMANAGER", "FLOTT_SECURITY_TOKEN", "FLOTT_SECURITY_TLS_CA", "FLOTT_SECURITY_TLS_CERTIFICATE", "FLOTT_SECURITY_TLS_KEY"} {
		if value := ts.Getenv(name); value != "" {
			all = append(all, name+"="+value)
		}
	}
	return all
}
