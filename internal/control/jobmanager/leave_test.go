package jobmanager

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/control/rpc"
)

// dismissed is a TaskManager that only hears that it is not needed.
type dismissed struct{ rpc.TaskManager }

func (dismissed) Dismiss(error) {}

// The log warns of a TaskManager that is lost, and only notes one that was told to end.
func TestLogOfTaskManagersThatGo(t *testing.T) {
	for want, cause := range map[string]error{
		`level=INFO msg="TaskManager leaves" taskmanager=tm`:                    nil,
		`level=WARN msg="TaskManager is lost" taskmanager=tm error="power cut"`: errors.New("power cut"),
	} {
		var log bytes.Buffer
		r := newResourceManager(Options{Token: theToken, Logger: slog.New(slog.NewTextHandler(&log, nil))}, &chronicle{})
		r.Register(rpc.Registration{ID: "tm", Slots: 1}, dismissed{})
		r.Unregister(rpc.Leave{ID: "tm", Cause: cause})
		r.timer = time.NewTimer(time.Hour)
		for _, do := range r.inbox.Take() {
			do()
		}
		if !strings.Contains(log.String(), want) || strings.Count(log.String(), "\n") != 2 {
			t.Errorf("the log is\n%s\nwant %s", &log, want)
		}
	}
}
