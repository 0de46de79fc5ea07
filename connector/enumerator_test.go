package connector_test

import (
	"strings"
	"testing"

	"github.com/flott-dev/flott/connector"
)

type newEnumerator func(connector.Setup, []connector.Split) (connector.Enumerator, error)

// deal asks for subtasks in the order of asks, and notes what each gets: "0:ab 1:- 0:end".
func deal(t *testing.T, e connector.Enumerator, asks ...int) string {
	t.Helper()
	var log []string
	for _, subtask := range asks {
		splits, done, err := e.Next(t.Context(), subtask)
		if err != nil {
			t.Fatal(err)
		}
		entry := string(rune('0'+subtask)) + ":"
		for _, s := range splits {
			entry += s.ID
		}
		if done {
			entry += "."
		}
		log = append(log, entry)
	}
	return strings.Join(log, " ")
}

func splits(ids string) (splits []connector.Split) {
	for _, id := range ids {
		splits = append(splits, connector.Split{ID: string(id)})
	}
	return splits
}

func TestReadyEnumerators(t *testing.T) {
	for _, c := range []struct {
		name       string
		enumerator newEnumerator
		asks       []int
		want       string
	}{
		{"OnDemand", connector.OnDemand, []int{1, 1, 0, 1, 0, 1}, "1:a 1:b 0:c 1:d 0:e 1:."},
		{"InTurn", connector.InTurn, []int{1, 1, 0, 0}, "1:bd. 1:. 0:ace. 0:."},
	} {
		e, err := c.enumerator(connector.Setup{Parallelism: 2}, splits("abcde"))
		if err != nil {
			t.Fatal(err)
		}
		if got := deal(t, e, c.asks...); got != c.want {
			t.Errorf("%s dealt %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRestoredEnumeratorsGoOn(t *testing.T) {
	for _, c := range []struct {
		name       string
		enumerator newEnumerator
		want       string // after subtask 0 of 2 was served, restored for 3
	}{
		{"OnDemand", connector.OnDemand, "0:b 1:c 2:d"},
		{"InTurn", connector.InTurn, "0:b. 1:d. 2:."},
	} {
		e, err := c.enumerator(connector.Setup{Parallelism: 2}, splits("abcd"))
		if err != nil {
			t.Fatal(err)
		}
		deal(t, e, 0)
		state, err := e.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		restored, err := c.enumerator(connector.Setup{Parallelism: 3, Restored: state}, splits("new"))
		if err != nil {
			t.Fatal(err)
		}
		if got := deal(t, restored, 0, 1, 2); got != c.want {
			t.Errorf("%s dealt %q after it was restored, want %q", c.name, got, c.want)
		}
		if _, err := c.enumerator(connector.Setup{Parallelism: 1, Restored: []byte("x")}, nil); err == nil {
			t.Errorf("%s was restored from nonsense", c.name)
		}
	}
}
