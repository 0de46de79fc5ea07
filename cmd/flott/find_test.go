package main

import (
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/client"
	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/id"
)

func TestChooseJob(t *testing.T) {
	jobs := []client.Job{
		{ID: id.Job{0xab, 1}, Name: "words", State: view.Finished},
		{ID: id.Job{0xab, 2}, Name: "words", State: view.Running},
		{ID: id.Job{0xac}, Name: "twins", State: view.Running},
		{ID: id.Job{0xad}, Name: "twins", State: view.Created},
		{ID: id.Job{0xae}, Name: "old", State: view.Failed},
		{ID: id.Job{0xaf}, Name: "old", State: view.Canceled},
	}
	for text, want := range map[string]string{
		jobs[0].ID.String(): jobs[0].ID.String(), "ab01": jobs[0].ID.String(), // an id names what is over, too
		"words": jobs[1].ID.String(), "ac": jobs[2].ID.String(),
		"twins": "is several jobs", "old": "is several jobs", "a": "is several jobs",
		"word": `the nearest is "words"`,
	} {
		job, err := chooseJob(jobs, text, whatever)
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && job.ID.String() != want {
			t.Errorf("%s is %s, %v", text, job.ID, err)
		}
	}
	if _, err := chooseJob(nil, "words", whatever); err == nil || !strings.Contains(err.Error(), "the cluster has none") {
		t.Errorf("without jobs: %v", err)
	}
}

// What is not near was not meant, and what is over cannot be cancelled.
func TestOnlyWhatIsLikelyIsNamed(t *testing.T) {
	jobs := []client.Job{{ID: id.Job{0xab}, Name: "words", State: view.Finished}, {ID: id.Job{0xac}, Name: "payments", State: view.Running}}
	for _, test := range []struct {
		text, want string
		likely     func(client.Job) bool
	}{
		{"word", `there is no job "word"; the nearest is "words"`, whatever},
		{"word", `there is no job "word"`, alive},
		{"paiments", `there is no job "paiments"; the nearest is "payments"`, alive},
		{"fraud", `there is no job "fraud"`, whatever},
	} {
		if _, err := chooseJob(jobs, test.text, test.likely); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}
