package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// unbounded is more records than a run will see.
const unbounded = int64(1e15)

// A flottCluster is one of flott's, whose processes are children of this one.
type flottCluster struct {
	flott, program string // executables
	folder         string // for what the processes write
	processes      []*exec.Cmd
}

const (
	flottREST = "127.0.0.1:28481"
	flottPort = "28482" // of the JobManager, for TaskManagers and workers
)

func (k *flottCluster) name() string { return "flott" }
func (k *flottCluster) rest() string { return "http://" + flottREST }

func (k *flottCluster) start(taskManagers, slots int) error {
	_, port, _ := strings.Cut(flottREST, ":")
	shared := []string{"-D", "rest.port=" + port, "-D", "jobmanager.rpc.port=" + flottPort, "-D", "io.tmp.dirs=" + k.folder}
	if err := k.begin(append([]string{"jobmanager"}, shared...)); err != nil {
		return err
	}
	for range taskManagers {
		if err := k.begin(append([]string{"taskmanager", "--slots", fmt.Sprint(slots)}, shared...)); err != nil {
			return err
		}
	}
	return nil
}

func (k *flottCluster) begin(args []string) error {
	log, err := os.OpenFile(filepath.Join(k.folder, args[0]+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	cmd := exec.Command(k.flott, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := errors.Join(cmd.Start(), log.Close()); err != nil {
		return err
	}
	k.processes = append(k.processes, cmd)
	return nil
}

func (k *flottCluster) managers() (pids []int, err error) {
	for _, p := range k.processes {
		pids = append(pids, p.Process.Pid)
	}
	return pids, nil
}

func (k *flottCluster) submit(workload string, parallelism int) error {
	_, err := k.client("-d", k.program, "--", workload, fmt.Sprint(parallelism), str(unbounded))
	return err
}

func (k *flottCluster) run(workload string, parallelism int, records int64) (c counted, err error) {
	out, err := k.client(k.program, "--", workload, fmt.Sprint(parallelism), str(records), "-tally")
	if err != nil {
		return c, err
	}
	for line := range strings.Lines(out) {
		var part counted
		if n, _ := fmt.Sscanf(line, "TALLY out=%d sum=%d", &part.out, &part.sum); n == 2 {
			c.out, c.sum = c.out+part.out, c.sum+part.sum
		}
	}
	return c, nil
}

func (k *flottCluster) client(args ...string) (string, error) {
	out, err := exec.Command(k.flott, append([]string{"run", "-m", flottREST}, args...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("flott run: %w\n%s", err, out)
	}
	return string(out), nil
}

// stop ends the TaskManagers, then the JobManager.
func (k *flottCluster) stop() (err error) {
	for i := len(k.processes) - 1; i >= 0; i-- {
		p := k.processes[i]
		err = errors.Join(err, p.Process.Signal(syscall.SIGTERM), p.Wait())
	}
	k.processes = nil
	return err
}
