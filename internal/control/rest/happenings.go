package rest

import (
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

// A happening is something that has happened to the cluster or to a job.
type happening struct {
	Seq         int64              `json:"seq"`
	At          int64              `json:"at"`
	Kind        view.HappeningKind `json:"kind"`
	Level       string             `json:"level"` // info, warn, error
	Job         string             `json:"job,omitempty"`
	Name        string             `json:"name,omitempty"` // of the job
	TaskManager string             `json:"taskManager,omitempty"`
	Text        string             `json:"text"`
}

// levels of kinds that are worse than news.
var levels = map[view.HappeningKind]string{
	view.JobRestarted: "warn", view.JobFailed: "error", view.TaskManagerLost: "error",
}

// happenings is what has a greater number, newest first.
func (s *Server) happenings(after int64) []happening {
	all := []happening{}
	for _, h := range s.source.Happenings(after) {
		one := happening{Seq: h.Seq, At: h.At, Kind: h.Kind, Level: levels[h.Kind], Name: h.Name, TaskManager: h.TaskManager, Text: h.Text}
		if one.Level == "" {
			one.Level = "info"
		}
		if h.Job != (id.Job{}) {
			one.Job = h.Job.String()
		}
		all = append(all, one)
	}
	return all
}
