package rest

import (
	"encoding/json"
	"testing"
)

// Flink's clients read why a checkpoint or a savepoint failed from members of different names, and wait for ever if theirs is not there.
func TestFailedOperationsHaveTheCauseThatClientsLookFor(t *testing.T) {
	b := newBench(t, nil, Options{})
	for kind, member := range map[string]string{"checkpoints": "failureCause", "savepoints": "failure-cause"} {
		a, text := b.ask("POST", "/jobs/"+running+"/"+kind, `{}`)
		var begun triggered
		if err := json.Unmarshal([]byte(text), &begun); err != nil || a.StatusCode != 202 {
			t.Fatalf("%s: %d %s", kind, a.StatusCode, text)
		}
		_, text = b.ask("GET", "/jobs/"+running+"/"+kind+"/"+begun.RequestID, "")
		var end struct{ Operation map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(text), &end); err != nil || end.Operation[member] == nil || len(end.Operation) != 1 {
			t.Errorf("%s: %s", kind, text)
		}
	}
}
