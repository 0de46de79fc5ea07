package execgraph_test

import (
	"strings"
	"testing"

	. "github.com/flott-dev/flott/internal/graph/execgraph"
)

// allowed has a line for each state: what may follow it.
const allowed = `
CREATED      SCHEDULED CANCELED FAILED
SCHEDULED    DEPLOYING CANCELED FAILED
DEPLOYING    INITIALIZING CANCELING FAILED
INITIALIZING RUNNING CANCELING FAILED
RUNNING      FINISHED CANCELING FAILED
FINISHED
CANCELING    CANCELED FAILED
CANCELED
FAILED
`

func TestTransitions(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(allowed), "\n")
	if len(lines) != int(Failed)+1 {
		t.Fatalf("%d states in the table", len(lines))
	}
	for from := Created; from <= Failed; from++ {
		words := strings.Fields(lines[from])
		if words[0] != from.String() {
			t.Fatalf("state %d is %v, in the table %s", from, from, words[0])
		}
		for to := Created; to <= Failed; to++ {
			want := false
			for _, w := range words[1:] {
				want = want || w == to.String()
			}
			if got := from.CanBecome(to); got != want {
				t.Errorf("%v -> %v: %v", from, to, got)
			}
			e := Execution{Attempt: 3, State: from}
			if err := e.Enter(to, 7); (err == nil) != want {
				t.Errorf("entering %v from %v: %v", to, from, err)
			}
			if want && (e.State != to || e.Entered[to] != 7) || !want && (e.State != from || e.Entered[to] != 0) {
				t.Errorf("entering %v from %v ends as %+v", to, from, e)
			}
		}
		if got, want := from.Terminal(), len(words) == 1; got != want {
			t.Errorf("%v is terminal: %v", from, got)
		}
	}
}

func TestUnknownState(t *testing.T) {
	if s := (Failed + 1).String(); s != "State(9)" {
		t.Error(s)
	}
}
