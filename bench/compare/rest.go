package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// get asks a cluster's REST interface.
func get(k cluster, path string, to any) (err error) {
	answer, err := http.Get(k.rest() + path) //nolint:noctx // a benchmark that hangs is ended by hand
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("%s: %s: %.300s", path, answer.Status, text)
	}
	return json.NewDecoder(answer.Body).Decode(to)
}

// patience is how long a cluster or a job may take to come up.
const patience = 3 * time.Minute

// eventually asks until it is so. Errors before do not count: the cluster may not listen yet.
func eventually(what string, so func() (bool, error)) error {
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		var yes bool
		if yes, err = so(); yes {
			return nil
		}
	}
	return errors.Join(fmt.Errorf("after %v: not %s", patience, what), err)
}

// started starts a cluster and waits until all its slots are there.
func started(k cluster, taskManagers, slots int) error {
	if err := k.start(taskManagers, slots); err != nil {
		return err
	}
	return eventually("ready", func() (bool, error) {
		var o struct {
			Slots int `json:"slots-total"`
		}
		err := get(k, "/overview", &o)
		return err == nil && o.Slots == taskManagers*slots, err
	})
}

type job struct {
	ID       string           `json:"jid"`
	State    string           `json:"state"`
	Times    map[string]int64 `json:"timestamps"`
	Vertices []struct {
		ID          string         `json:"id"`
		Parallelism int            `json:"parallelism"`
		Tasks       map[string]int `json:"tasks"`
	} `json:"vertices"`
}

func (j *job) runs() bool {
	for _, v := range j.Vertices {
		if v.Tasks["RUNNING"] != v.Parallelism {
			return false
		}
	}
	return len(j.Vertices) > 0
}

// errFailed is of a job that failed before all of it ran.
var errFailed = errors.New("the job has failed")

// running waits until all tasks of the one job that is not over run.
func running(k cluster) (j *job, err error) {
	failed := false
	if err := eventually("running", func() (bool, error) {
		var all struct{ Jobs []job }
		if err := get(k, "/jobs/overview", &all); err != nil {
			return false, err
		}
		for _, o := range all.Jobs {
			if o.State == "CANCELED" || o.State == "FINISHED" {
				continue
			}
			j = &job{}
			err := get(k, "/jobs/"+o.ID, j)
			failed = j.State == "FAILED"
			if err != nil || failed || j.runs() {
				return err == nil, err
			}
		}
		return false, nil
	}); err != nil {
		return nil, err
	}
	if failed {
		return nil, errFailed
	}
	return j, nil
}

// deployed is the time from the job's first state to the last subtask's RUNNING.
func deployed(k cluster, j *job) (time.Duration, error) {
	last := int64(0)
	for _, v := range j.Vertices {
		var times struct {
			Subtasks []struct {
				Timestamps map[string]int64 `json:"timestamps"`
			} `json:"subtasks"`
		}
		if err := get(k, "/jobs/"+j.ID+"/vertices/"+v.ID+"/subtasktimes", &times); err != nil {
			return 0, err
		}
		for _, s := range times.Subtasks {
			last = max(last, s.Timestamps["RUNNING"])
		}
	}
	return time.Duration(last-j.Times["CREATED"]) * time.Millisecond, nil
}

// cancel cancels a job and waits for its end.
func cancel(k cluster, j *job) (err error) {
	request, err := http.NewRequest(http.MethodPatch, k.rest()+"/jobs/"+j.ID+"?mode=cancel", http.NoBody) //nolint:noctx // as above
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	if err := answer.Body.Close(); err != nil {
		return err
	}
	return eventually("cancelled", func() (bool, error) {
		var now job
		err := get(k, "/jobs/"+j.ID, &now)
		return now.State == "CANCELED", err
	})
}
