package flott_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott"
)

// sockets is those that this process has open.
func sockets(t *testing.T) (open []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if to, err := os.Readlink(f); err == nil && strings.HasPrefix(to, "socket:") { // else it was the one that Glob read
			open = append(open, to)
		}
	}
	slices.Sort(open)
	return open
}

// socketsOfAJob are those that are there while a job of several tasks runs, and were not there before.
func socketsOfAJob(t *testing.T) (opened []string) {
	t.Helper()
	before := sockets(t)
	runs := make(chan []string, 1)
	env := flott.New(flott.Parallelism(2))
	env.From(flott.Sequence(1, 1<<62)).KeyBy(flott.Identity).Reduce(func(a, _ int64) int64 { return a }).To(flott.ForEach(func(int64) error {
		select {
		case runs <- sockets(t):
		default:
		}
		return nil
	}))
	job, err := env.Start(t.Context(), "without sockets")
	if err != nil {
		t.Fatal(err)
	}
	old := func(s string) bool { return slices.Contains(before, s) } // those of tests before this may be closed meanwhile
	opened = slices.DeleteFunc(<-runs, old)
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := slices.DeleteFunc(sockets(t), old); len(left) > 0 {
		t.Errorf("a job leaves sockets: %v", left)
	}
	return opened
}

func TestEmbeddedJobOpensNoSocket(t *testing.T) {
	inFolder(t, "")
	if opened := socketsOfAJob(t); len(opened) > 0 {
		t.Errorf("an embedded job opens sockets: %v", opened)
	}
}

// One that is to be looked at has the socket for that alone.
func TestEmbeddedJobThatIsServedOpensOneSocket(t *testing.T) {
	onFreePort(t)
	if opened := socketsOfAJob(t); len(opened) != 1 {
		t.Errorf("an embedded job with a REST port opens %v", opened)
	}
}
