package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A flinkCluster is the real one, by the scripts of its folder.
type flinkCluster struct {
	folder string
	tasks  string // jar
}

// flinkPort is the one of its REST interface that the scripts use.
const flinkPort = "28081"

func (k *flinkCluster) name() string { return "flink" }
func (k *flinkCluster) rest() string { return "http://127.0.0.1:" + flinkPort }

// start begins the script that starts all and waits by itself: whoever wants to know asks REST sooner than it does.
func (k *flinkCluster) start(taskManagers, slots int) error {
	cmd := k.script("start.sh")
	cmd.Env = append(cmd.Environ(), fmt.Sprint("TMS=", taskManagers), fmt.Sprint("SLOTS=", slots))
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // the script ends once the slots are there; that they are is what the caller waits for
	return nil
}

func (k *flinkCluster) script(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(k.folder, name), args...)
	cmd.Env = append(os.Environ(), "REST_PORT="+flinkPort)
	return cmd
}

func (k *flinkCluster) managers() (pids []int, err error) {
	files, err := filepath.Glob(filepath.Join(k.folder, "run", "[jt]m*.pid"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

func (k *flinkCluster) submit(workload string, parallelism int) error {
	jar := fmt.Sprintf("-c bench.Bench bench.jar --mode cluster --name %s --parallelism %d --records %d --reuse true", workload, parallelism, unbounded)
	if workload == "tasks" {
		jar = fmt.Sprintf("-c Tasks %s %d %d", k.tasks, parallelism, unbounded)
	}
	// The program then asks for results, which a detached client does not have, and fails.
	return k.shell(fmt.Sprintf(`said=$("$FLINK_HOME/bin/flink" run -d -m 127.0.0.1:%s %s 2>&1); echo "$said"; grep -q "has been submitted" <<<"$said"`, flinkPort, jar))
}

// compileTasks makes the jar of the workload that the folder's own does not have.
func (k *flinkCluster) compileTasks(to string) error {
	source, err := filepath.Abs("compare/java/Tasks.java")
	if err != nil {
		return err
	}
	classes := filepath.Join(to, "classes")
	k.tasks = filepath.Join(to, "tasks.jar")
	return k.shell(fmt.Sprintf(`javac -d %q -cp "$(echo "$FLINK_HOME"/lib/flink-dist-*.jar)" %q && jar cf %q -C %q .`, classes, source, k.tasks, classes))
}

// shell runs a script in Flink's folder, with its surroundings.
func (k *flinkCluster) shell(script string) error {
	cmd := exec.Command("bash", "-c", ". ./env.sh; "+script)
	cmd.Dir = k.folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", script, err, out)
	}
	return nil
}

func (k *flinkCluster) run(workload string, parallelism int, records int64) (c counted, err error) {
	cmd := k.script("run-bench.sh", workload, fmt.Sprint(parallelism), str(records), "--reuse", "true")
	cmd.Env = append(cmd.Env, "MODE=cluster")
	got, err := resultText(cmd)
	if err != nil {
		return c, err
	}
	if c.out, err = strconv.ParseInt(got["out"], 10, 64); err != nil {
		return c, err
	}
	c.sum, err = strconv.ParseInt(got["sum"], 10, 64)
	return c, err
}

func (k *flinkCluster) stop() error {
	if out, err := k.script("stop.sh").CombinedOutput(); err != nil {
		return fmt.Errorf("stop.sh: %w\n%s", err, out)
	}
	return nil
}
