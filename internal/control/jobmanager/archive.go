package jobmanager

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// An archive keeps the jobs that are over in a folder, a file JOB_ID.json each, so that they can be seen after a restart of the
// JobManager. It shows those of whom nobody else knows any more: of earlier processes, and that the Dispatcher has let go.
type archive struct {
	dir  string // "": nothing is kept
	most int    // jobs; 0: there is no bound
	log  *slog.Logger
	mu   struct {
		sync.Mutex
		jobs []*archived // newest first
	}
}

// An archived is the contents of a file.
type archived struct {
	Job     *view.Job
	Result  *view.Result
	Program identity
}

// openArchive reads what is there. A file that cannot be read is left alone.
func openArchive(dir string, most int, log *slog.Logger) *archive {
	a := &archive{dir: dir, most: most, log: log}
	if dir == "" {
		return a
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		log.Error("the job archive cannot be read", "error", err)
	}
	for _, name := range names {
		job, err := readArchived(name)
		if err != nil {
			log.Error("a job of the archive cannot be read", "file", name, "error", err)
			continue
		}
		a.mu.jobs = append(a.mu.jobs, job)
	}
	a.order()
	return a
}

// order puts the newest jobs first, and deletes what is too much. Its caller has the lock.
func (a *archive) order() {
	slices.SortStableFunc(a.mu.jobs, func(x, y *archived) int { return cmp.Compare(y.Job.Start(), x.Job.Start()) })
	for a.most > 0 && len(a.mu.jobs) > a.most {
		last := len(a.mu.jobs) - 1
		if err := os.Remove(a.path(a.mu.jobs[last].Job.ID)); err != nil {
			a.log.Error("a job cannot be deleted from the archive", "error", err)
		}
		a.mu.jobs = a.mu.jobs[:last]
	}
}

func (a *archive) path(job id.Job) string { return filepath.Join(a.dir, job.String()+".json") }

func readArchived(name string) (*archived, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var job archived
	if err := json.Unmarshal(text, &job); err != nil {
		return nil, err
	}
	if job.Job == nil || job.Job.Graph == nil || job.Result == nil {
		return nil, errNotArchived
	}
	return &job, nil
}

// keep writes a job that is over. That it cannot be kept does not matter to the job.
func (a *archive) keep(m *JobMaster) (kept bool) {
	if a.dir == "" {
		return false
	}
	text, err := json.Marshal(archivedOf(m))
	if err == nil {
		err = a.write(m.header.Job, text)
	}
	if err != nil {
		m.log.Error("the job cannot be archived", "error", err)
	}
	return err == nil
}

func archivedOf(m *JobMaster) *archived {
	return &archived{m.view(), m.viewResult(), m.program.identity()}
}

// take shows a job that was kept.
func (a *archive) take(m *JobMaster) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mu.jobs = append(a.mu.jobs, archivedOf(m))
	a.order()
}

// write makes a file that is there as a whole or not at all.
func (a *archive) write(job id.Job, text []byte) error {
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return err
	}
	name := a.path(job)
	if err := os.WriteFile(name+".part", text, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}

// all is all jobs that it shows, newest first.
func (a *archive) all() []*archived {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.mu.jobs)
}

// find is a job that it shows; nil: there is none.
func (a *archive) find(job id.Job) *archived {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, j := range a.mu.jobs {
		if j.Job.ID == job {
			return j
		}
	}
	return nil
}
