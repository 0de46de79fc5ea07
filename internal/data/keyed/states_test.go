package keyed_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/flott-dev/flott/backend"
	"github.com/flott-dev/flott/backend/heap"
	"github.com/flott-dev/flott/internal/data/keyed"
	"github.com/flott-dev/flott/internal/data/record"
	"github.com/flott-dev/flott/internal/halt"
	"github.com/flott-dev/flott/internal/id"
)

func newStates(b backend.Backend) *keyed.States[string] {
	return keyed.NewStates[string](b, id.KeyGroupRange{First: 0, Last: 127}, 128)
}

func TestDeclared(t *testing.T) {
	s := newStates(heap.Backend{})
	s.Value[float64]("last")
	s.List[string]("names")
	s.Map[int, []byte]("files")
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	want := `[value "last" of float64 list "names" of string map "files" of int to []uint8]`
	if got := fmt.Sprint(s.Declared()); got != want {
		t.Errorf("declared %s, want %s", got, want)
	}
}

// broken is a backend that cannot open one state.
type broken struct{ heap.Backend }

func (b broken) Open(d backend.Descriptor) (backend.Store, error) {
	if d.Name == "broken" {
		return nil, errors.New("disk full")
	}
	return b.Backend.Open(d)
}

// All mistakes come out together, and each leaves a store to go on with.
func TestMistakes(t *testing.T) {
	s := newStates(broken{})
	s.Value[int]("a")
	s.List[int]("a").Add(1)
	s.Value[int]("broken").Set(1)
	s.Map[string, int]("")
	err := s.Seal()
	for _, want := range []string{
		`the state name "a" is used twice: by value "a" of int and list "a" of int`,
		`value "broken" of int: disk full`,
		`list "a" of int is written in open`,
		`has no name: give it one`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
}

func TestLateDeclaration(t *testing.T) {
	s := newStates(heap.Backend{})
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, `value "late" of int is declared while the job runs`) {
			t.Errorf("panic %q", p)
		}
	}()
	s.Value[int]("late")
}

// Places come from the exchange where there was one, and are the same without.
func TestPlaces(t *testing.T) {
	s, err := keyed.NewSelector(func(v string) string { return v[:1] }, 128, halt.Of(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Places(&record.Batch[string]{V: []string{"ab", "ac", "b"}})
	if err != nil || found[0] != found[1] || found[0] == found[2] {
		t.Errorf("places %x", found)
	}
	given := []uint64{1, 2, 3}
	if got, err := s.Places(&record.Batch[string]{V: []string{"ab"}, H: given[:1]}); err != nil || &got[0] != &given[0] {
		t.Errorf("places %x, not those of the batch", got)
	}
	if _, err := keyed.NewSelector(func(v string) float64 { return 0 }, 128, halt.Of(t.Context())); err == nil {
		t.Error("floats make keys")
	}
}
