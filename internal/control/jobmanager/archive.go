package jobmanager

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// An archive keeps the jobs that are over in a folder, a file JOB_ID.json each, so that they can be seen after a restart of the
// JobManager.
type archive struct {
	dir  string // "": nothing is kept
	log  *slog.Logger
	jobs []*archived // of earlier processes, newest first
}

// An archived is the contents of a file.
type archived struct {
	Job     *view.Job
	Result  *view.Result
	Program identity
}

// openArchive reads what is there. A file that cannot be read is left alone.
func openArchive(dir string, log *slog.Logger) *archive {
	a := &archive{dir: dir, log: log}
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
		a.jobs = append(a.jobs, job)
	}
	slices.SortFunc(a.jobs, func(x, y *archived) int { return cmp.Compare(y.Job.Start(), x.Job.Start()) })
	return a
}

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
func (a *archive) keep(m *JobMaster) {
	if a.dir == "" {
		return
	}
	text, err := json.Marshal(archived{m.view(), m.viewResult(), m.program.identity()})
	if err == nil {
		err = a.write(m.header.Job, text)
	}
	if err != nil {
		m.log.Error("the job cannot be archived", "error", err)
	}
}

// write makes a file that is there as a whole or not at all.
func (a *archive) write(job id.Job, text []byte) error {
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return err
	}
	name := filepath.Join(a.dir, job.String()+".json")
	if err := os.WriteFile(name+".part", text, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}

// find is a job of an earlier process; nil: there is none.
func (a *archive) find(job id.Job) *archived {
	for _, j := range a.jobs {
		if j.Job.ID == job {
			return j
		}
	}
	return nil
}
