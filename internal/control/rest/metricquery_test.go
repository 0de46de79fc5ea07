package rest

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/flott-dev/flott/internal/hostile"
)

func subtasksOf(query string) ([]bool, error) {
	c := &call{Request: httptest.NewRequest("GET", "/?subtasks="+query, nil)}
	return c.subtasks(4)
}

func TestSubtasksOfAQuery(t *testing.T) {
	for query, want := range map[string][]bool{
		"":                        {true, true, true, true},
		"1":                       {false, true, false, false},
		"0-1,1-2":                 {true, true, true, false},
		"2,0":                     {true, false, true, false},
		"2-1":                     {false, false, false, false},
		"4":                       {false, false, false, false},
		"3-9223372036854775807":   {false, false, false, true},
		"9223372036854775807":     {false, false, false, false},
		"0-9223372036854775807,1": {true, true, true, true},
	} {
		if got, err := subtasksOf(query); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", query, got, err)
		}
	}
	for _, query := range []string{"x", "-1", "0-", "0-x", "9223372036854775808"} {
		if got, err := subtasksOf(query); err == nil {
			t.Errorf("%q: %v", query, got)
		}
	}
}

// Ranges cost what they are written with, however wide they are.
func TestRangesOfSubtasksAreCheap(t *testing.T) {
	query := strings.Repeat("0-65535,", 1000) + "0"
	hostile.Price{PerByte: 64, Constant: 64 << 10}.Pay(t, len(query), func() {
		if _, err := subtasksOf(query); err != nil {
			t.Error(err)
		}
	})
}
