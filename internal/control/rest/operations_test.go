package rest

import (
	"encoding/json"
	"strings"
	"testing"
)

// Flink's clients read why a checkpoint or a savepoint failed from members of different names, and wait for ever if theirs is not there.
func TestFailedOperationsHaveTheCauseThatClientsLookFor(t *testing.T) {
	b := newBench(t, nil, Options{})
	for kind, member := range map[string]string{"checkpoints": "failureCause", "savepoints": "failure-cause"} {
		if causes := b.failed(running, kind); causes[member].Class == "" || len(causes) != 1 {
			t.Errorf("%s: %+v", kind, causes)
		}
	}
}

// Flink's command line prints the cause: who has mistyped the id of a job is not to read of checkpoints.
func TestOperationsOnUnknownJobsFailForThat(t *testing.T) {
	b := newBench(t, nil, Options{})
	for job, want := range map[string]string{
		running: "org.apache.flink.runtime.checkpoint.CheckpointException",
		nobody:  "org.apache.flink.runtime.messages.FlinkJobNotFoundException",
	} {
		if cause := b.failed(job, "savepoints")["failure-cause"]; cause.Class != want || !strings.HasPrefix(cause.Stack, want+": ") {
			t.Errorf("%s: %+v, want %s", job, cause, want)
		}
	}
}

// failed triggers something for a job, and is how it failed.
func (b *bench) failed(job, kind string) map[string]failureCause {
	b.t.Helper()
	a, text := b.ask("POST", "/jobs/"+job+"/"+kind, `{}`)
	var begun triggered
	if err := json.Unmarshal([]byte(text), &begun); err != nil || a.StatusCode != 202 {
		b.t.Fatalf("%s: %d %s", kind, a.StatusCode, text)
	}
	var end struct{ Operation map[string]failureCause }
	b.into("/jobs/"+job+"/"+kind+"/"+begun.RequestID, &end)
	return end.Operation
}
