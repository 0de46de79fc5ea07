package taskmanager

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flott-dev/flott/internal/control/process"
	"github.com/flott-dev/flott/internal/id"
)

// Log files of workers lie beside those of the TaskManager, so that whoever looks at its logs finds them. When a worker has ended they
// stay for a while.
//
//	worker-JOB-1.log     what the first worker of a job wrote to stderr
//	worker-JOB-1.log.1   before that file was begun anew
//	worker-JOB-1.out     what it has printed
type logs struct {
	folder string
	mu     struct {
		sync.Mutex
		open map[string]bool // of workers that run, by name without end
	}
}

// What is kept of workers that have ended: the newest, as long as none of this is more.
const (
	keptWorkers = 100
	keptBytes   = 512 << 20
	keptFor     = 7 * 24 * time.Hour
)

const (
	workerLog = "worker-"
	logEnd    = ".log"
)

// mostLogs is how many workers of a job have logs at the same time.
const mostLogs = 10_000

func openLogs(folder string) (*logs, error) {
	l := &logs{folder: folder}
	l.mu.open = map[string]bool{}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("folder for logs: %w", err)
	}
	l.clean(time.Now())
	return l, nil
}

// begin opens the files of a worker, under a name that no other one has.
func (l *logs) begin(job id.Job) (name string, log, out *process.LogFile, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := 1; n <= mostLogs; n++ {
		name = fmt.Sprintf("%s%s-%d", workerLog, job, n)
		log, err = process.NewLogFile(filepath.Join(l.folder, name+logEnd))
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return name, nil, nil, fmt.Errorf("log of the worker: %w", err)
	}
	if out, err = process.NewLogFile(filepath.Join(l.folder, name+process.Out)); err != nil {
		return name, nil, nil, errors.Join(fmt.Errorf("output of the worker: %w", err), log.Close())
	}
	l.mu.open[name] = true
	return name, log, out, nil
}

// end says that a worker has ended.
func (l *logs) end(name string) {
	l.mu.Lock()
	delete(l.mu.open, name)
	l.mu.Unlock()
	l.clean(time.Now())
}

// kept is the files of one worker.
type kept struct {
	name  string
	files []string
	bytes int64
	last  time.Time
}

// clean deletes what is too much of workers that have ended. A file that cannot be deleted is tried again the next time.
func (l *logs) clean(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var bytes int64
	for i, k := range l.ended() {
		if bytes += k.bytes; i < keptWorkers && bytes <= keptBytes && now.Sub(k.last) <= keptFor {
			continue
		}
		for _, name := range k.files {
			_ = os.Remove(filepath.Join(l.folder, name))
		}
	}
}

// ended is the workers of whom there are files and that do not run, newest first.
func (l *logs) ended() []*kept {
	entries, err := os.ReadDir(l.folder)
	if err != nil {
		return nil
	}
	var all []*kept // names come in order, so those of one worker stand together
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name(), ".")
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(name, workerLog) || l.mu.open[name] {
			continue
		}
		if len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, &kept{name: name})
		}
		k := all[len(all)-1]
		k.files, k.bytes = append(k.files, e.Name()), k.bytes+info.Size()
		if info.ModTime().After(k.last) {
			k.last = info.ModTime()
		}
	}
	slices.SortFunc(all, func(x, y *kept) int { return y.last.Compare(x.last) })
	return all
}
