package taskmanager

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
)

// What a worker has said is there when it has ended, also when many workers of the job did.
func TestLogsOutliveWorkers(t *testing.T) {
	h := start(t, nil)
	for n, how := range []string{"log", "count", "log"} {
		h.run(rpc.WorkerID(fmt.Sprint(n)), how)
		<-h.exits
	}
	for name, want := range map[string]string{"1.log": "a word\n", "1.out": "main prints\n", "2.log": "", "2.out": "main prints\nline 0\nline 1\n", "3.log": "a word\n"} {
		text, err := os.ReadFile(filepath.Join(h.folder, "../log", "worker-"+job.String()+"-"+name))
		if err != nil || !strings.HasPrefix(string(text), want) || (len(text) == 0) != (want == "") {
			t.Errorf("%s is %.20q, %v; want %q", name, text, err, want)
		}
	}
}

// age makes the files of a worker so old, and so large.
func (l *logs) age(t *testing.T, name string, before time.Duration, size int64) {
	t.Helper()
	at := time.Now().Add(-before)
	for _, end := range []string{".log", ".out", ".out.1"} {
		path := filepath.Join(l.folder, name+end)
		f, err := os.Create(path)
		check(t, err)
		check(t, f.Truncate(size/3)) // which takes no room
		check(t, f.Close())
		check(t, os.Chtimes(path, at, at))
	}
}

// left is the workers of whom files are there.
func (l *logs) left(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(l.folder, "*.out.1"))
	check(t, err)
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".out.1"))
	}
	return strings.Join(names, " ")
}

func TestLogsAreBounded(t *testing.T) {
	l, err := openLogs(t.TempDir())
	check(t, err)
	l.age(t, "worker-a-1", keptFor+time.Hour, 3)
	l.age(t, "worker-a-2", keptFor-time.Hour, 3)
	l.age(t, "worker-a-3", time.Minute, keptBytes/2)
	l.age(t, "worker-a-4", 2*time.Minute, keptBytes)
	l.age(t, "taskmanager", keptFor+time.Hour, 3)
	l.mu.open["worker-b-1"] = true
	l.age(t, "worker-b-1", keptFor+time.Hour, keptBytes)
	l.clean(time.Now())
	// The one that is too large takes all that are older with it.
	if got, want := l.left(t), "taskmanager worker-a-3 worker-b-1"; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	for n := range keptWorkers + 10 {
		l.age(t, fmt.Sprintf("worker-c-%03d", n), time.Duration(n)*time.Second, 3)
	}
	l.end("worker-b-1") // now it is too old, and worker-a-3 is among the newest
	if got := strings.Fields(l.left(t)); len(got) != keptWorkers+1 || got[keptWorkers] != fmt.Sprintf("worker-c-%03d", keptWorkers-2) {
		t.Errorf("left are %d: %v", len(got), got)
	}
}
