package cluster

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/flott-dev/flott/internal/graph/program"
)

// Without settings a cluster has the numbers that a program has without any.
func TestRestartOfACluster(t *testing.T) {
	s := settings(t.TempDir())
	got, err := restartOf(s)
	check(t, err)
	if got != program.DefaultRestart() {
		t.Errorf("%+v", got)
	}
	got, err = restartOf(with(with(s, "restart-strategy.type", "fixed-delay"), "restart-strategy.fixed-delay.delay", "3 min"))
	check(t, err)
	if want := (program.FixedRestart{Attempts: 1, Delay: 3 * time.Minute}); got.Type != program.FixedDelay || got.Fixed != want {
		t.Errorf("%+v", got)
	}
}

func TestRestartThatCannotBe(t *testing.T) {
	s := with(with(settings(t.TempDir()), "restart-strategy.type", "failure-rate"), "restart-strategy.failure-rate.failure-rate-interval", "0 s")
	err := RunJobManager(t.Context(), s, func(net.Addr, net.Addr) { t.Error("it starts") })
	if err == nil || !strings.Contains(err.Error(), "the interval must be above zero") {
		t.Errorf("the error is %v", err)
	}
}
