package taskmanager

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Processes that were killed are looked after for ten seconds at least: the kernel needs some time to end them, more on a busy machine, and
// those that are starting others need some rounds.
const (
	rounds = 5000
	round  = 2 * time.Millisecond
)

// endStrays ends what workers have started and what has left their process groups, such as daemons. These processes are known by a
// variable that they inherit: the folder of their worker, which is this one or in it. One whose environment was cleared is known to a
// control group only.
func endStrays(folder string) error {
	for range rounds {
		if !killStrays(folder) {
			return nil
		}
		time.Sleep(round)
	}
	return errors.New("processes that a worker has started do not end")
}

// killStrays says whether there were any.
func killStrays(folder string) (any bool) {
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, p := range processes {
		any = killIfStray(p, folder) || any
	}
	return any
}

func killIfStray(process, folder string) bool {
	if !isStray(process, folder) {
		return false
	}
	pid, err := strconv.Atoi(filepath.Base(process))
	if err != nil {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	// The number may have become somebody else's meanwhile. From here on p is the one that is looked at.
	if !isStray(process, folder) {
		return false
	}
	_ = p.Kill() // or it is over already
	return true
}

// isStray is false for processes that are over, or that this user may not look at.
func isStray(process, folder string) bool {
	environment, _ := os.ReadFile(filepath.Join(process, "environ"))
	for v := range strings.SplitSeq(string(environment), "\x00") {
		if of, ok := strings.CutPrefix(v, "FLOTT_WORKER_FOLDER="); ok {
			return of == folder || strings.HasPrefix(of, folder+string(filepath.Separator))
		}
	}
	return false
}
