package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// What Linux says of processes.

// tick is the unit of times in /proc/PID/stat, on every machine that Go runs on.
const tick = 10 * time.Millisecond

// cpuOf is the user and system time of processes and of those children that have ended.
func cpuOf(pids []int) (all time.Duration, err error) {
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return 0, err
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		for _, f := range fields[11:15] { // utime, stime, cutime, cstime
			n, err := strconv.ParseInt(f, 10, 64)
			if err != nil {
				return 0, err
			}
			all += time.Duration(n) * tick
		}
	}
	return all, nil
}

// memoryOf is what processes have resident together, in MB.
func memoryOf(pids []int) (all float64, err error) {
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return 0, err
		}
		_, after, _ := strings.Cut(string(text), "VmRSS:")
		kB, err := strconv.Atoi(strings.Fields(after)[0])
		if err != nil {
			return 0, err
		}
		all += float64(kB) / 1024
	}
	return all, nil
}

// childrenOf is the processes that processes have started.
func childrenOf(pids []int) (all []int, err error) {
	for _, pid := range pids {
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		if err != nil {
			return nil, err
		}
		for _, t := range tasks {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, t.Name()))
			if errors.Is(err, fs.ErrNotExist) {
				continue // the thread has ended
			}
			if err != nil {
				return nil, err
			}
			for f := range strings.FieldsSeq(string(text)) {
				child, err := strconv.Atoi(f)
				if err != nil {
					return nil, err
				}
				all = append(all, child)
			}
		}
	}
	return all, nil
}

// childless waits until processes have no children: workers of a job that is over end soon, and then count to those who started them.
func childless(pids []int) error {
	return eventually("without workers", func() (bool, error) {
		children, err := childrenOf(pids)
		return len(children) == 0, err
	})
}
