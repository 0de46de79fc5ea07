package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/flott-dev/flott/connector/sequence"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// numbers is how many a program prints that runs beside others.
const numbers = 1000

// atHalf prints numbers, and behaves somehow after half of them.
func atHalf(behave func()) func(int) *flow {
	return func(parallelism int) *flow {
		return newFlow().from(sequence.Of(1, numbers), 1).to(parallelism, func(v int64) error {
			if v == numbers/2 {
				behave()
			}
			_, err := fmt.Println(v)
			return err
		})
	}
}

// ends wants a job to end in a state, with these words in its error.
func (f *fleet) ends(job id.Job, s view.JobState, words string) {
	f.t.Helper()
	r, err := f.Result(f.t.Context(), job)
	check(f.t, err)
	if r.State != s || !strings.Contains(r.Error, words) {
		f.t.Errorf("job %s: %s: %s; want %s: %s", job, r.State, r.Error, s, words)
	}
}

// prints wants a job to finish, and to have printed all numbers, once and in order.
func (f *fleet) prints(job id.Job) {
	f.t.Helper()
	r, err := f.Result(f.t.Context(), job)
	check(f.t, err)
	var want, got strings.Builder
	for i := range numbers {
		fmt.Fprintln(&want, i+1)
	}
	check(f.t, f.Output(f.t.Context(), job, &got))
	if r.State != view.Finished || got.String() != want.String() {
		f.t.Errorf("job %s: %s: %s; it printed %.300q", job, r.State, r.Error, got.String())
	}
}

// nothingLeft wants that no process, file or socket of any worker of a TaskManager is there any more.
func (f *fleet) nothingLeft(taskManager int) {
	f.t.Helper()
	workers := f.workers()
	var left []string
	await(f.t, func() string { return fmt.Sprintf("there is left: %v", left) }, func() bool {
		left = append(processes(f.t, taskManager, workers), files(f.t, workers)...)
		sockets, err := os.ReadFile("/proc/net/unix")
		check(f.t, err)
		if strings.Contains(string(sockets), workers) {
			left = append(left, "sockets")
		}
		return len(left) == 0
	})
}

// workers is where the workers of the only TaskManager have their files.
func (f *fleet) workers() string {
	f.t.Helper()
	for _, setting := range f.env {
		if folder, ok := strings.CutPrefix(setting, "FLOTT_IO_TMP_DIRS="); ok {
			found, err := filepath.Glob(filepath.Join(folder, "*", "*", "workers"))
			check(f.t, err)
			if len(found) == 1 {
				return found[0]
			}
		}
	}
	f.t.Fatal("the TaskManager has no folder, or there are two")
	return ""
}

// processes is those whose parent is this one, and those that a worker has started, which have its environment, wherever they are now.
func processes(t *testing.T, parent int, workers string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	check(t, err)
	for _, p := range all {
		stat, _ := os.ReadFile(p + "/stat") // it may end just now, or be another user's
		environ, _ := os.ReadFile(p + "/environ")
		_, state, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(state); len(fields) > 1 && fields[1] == strconv.Itoa(parent) || strings.Contains(string(environ), "FLOTT_WORKER_FOLDER="+workers) {
			found = append(found, p)
		}
	}
	return found
}

func files(t *testing.T, folder string) (found []string) {
	t.Helper()
	check(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if path != folder && !errors.Is(err, fs.ErrNotExist) {
			found = append(found, path)
		}
		return nil
	}))
	return found
}
