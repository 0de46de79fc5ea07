package jobmanager

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/control/rpc"
	"github.com/flott-dev/flott/internal/decide/slots"
	"github.com/flott-dev/flott/internal/id"
)

// What a job has printed may be lost with a TaskManager though its tasks have finished. Then its output says so.
func TestOutputSaysThatItsEndMayBeMissing(t *testing.T) {
	r := newResourceManager(Options{Token: theToken, Logger: slog.New(slog.DiscardHandler)}, &chronicle{})
	m := &JobMaster{header: rpc.Header{Job: theJob}, output: newOutput()}
	r.jobs[theJob] = m
	m.output.add([]byte("a line\n"))
	r.do(slots.Cut{Job: theJob, Worker: "x/1", Cause: errors.New("TaskManager x is lost")})
	r.do(slots.Cut{Job: id.Job{99}, Worker: "x/2"}) // nobody reads that any more
	text, _, _, err := m.output.after(0)
	if last, ok := strings.CutPrefix(string(text), "a line\n"); err != nil || !ok ||
		!strings.Contains(last, "x/1") || !strings.Contains(last, "may be missing: TaskManager x is lost") {
		t.Errorf("%q, %v", text, err)
	}
}
