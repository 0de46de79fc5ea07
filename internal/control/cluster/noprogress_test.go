package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/view"
	"github.com/flott-dev/flott/internal/data/operator"
)

func init() {
	programs["hanging"] = func(p int) *flow {
		return newFlow().from(endless(), 1).then("call", p, operator.Func(hangs)).to(1, nothing)
	}
}

// hangs lets some records pass, and then none until it is cancelled.
func hangs(env *operator.Env) (operator.Operator, error) {
	return operator.TryMap(func(v int64) (int64, error) {
		if v >= 5000 {
			<-env.Context.Done()
			return 0, env.Context.Err()
		}
		return v, nil
	}).New(env)
}

// A job on a cluster of processes makes no progress: its cluster is red, says why, and is well again when the job is gone.
func TestHealthOfAClusterIsRed(t *testing.T) {
	t.Parallel() // it waits most of the time
	f := startFleet(t, "FLOTT_DIAGNOSIS_PATIENCE=1s")
	f.taskManager(3)
	const job = "00000000000000000000000000000077"
	f.submit(job, "hanging", "hanging", 2, 0, 0)
	f.await(job, view.Running)
	var is diagnosis
	await(t, func() string { return fmt.Sprintf("%+v", is) }, func() bool { // what else is said of a job that is so young is pending
		is = diagnosis{}
		f.get("/jobs/"+job+"/flott/diagnosis", &is)
		return is.Level == "stalled" && is.Findings[0].Kind == "progress" && is.Findings[0].Head == "call makes no progress"
	})
	if status, h := f.health(); status != http.StatusServiceUnavailable || !strings.HasPrefix(h, `red job "hanging": call makes no progress: Subtask `) || !strings.Contains(h, "a call of user code does not return") {
		t.Errorf("%d %s", status, h)
	}
	if log := f.text("/jobmanager/log"); strings.Count(log, `msg="call makes no progress"`) != 1 {
		t.Errorf("the log says %s", log)
	}
	check(t, f.Cancel(t.Context(), f.id(job)))
	f.await(job, view.Canceled)
	if status, h := f.health(); status != http.StatusOK || h != "green " {
		t.Errorf("%d %s", status, h)
	}
}

// health is the answer of /flott/health, whatever its status.
func (f *fleet) health() (int, string) {
	f.t.Helper()
	a, err := f.http.Get(f.url + "/flott/health")
	check(f.t, err)
	text, err := io.ReadAll(a.Body)
	var h struct{ Status, Reason string }
	check(f.t, errors.Join(err, a.Body.Close(), json.Unmarshal(text, &h)))
	return a.StatusCode, h.Status + " " + h.Reason
}
