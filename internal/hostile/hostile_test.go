package hostile

import (
	"strings"
	"testing"
)

// A judge notes errors in place of failing.
type judge struct {
	testing.TB
	errors int
}

func (j *judge) Helper()               {}
func (j *judge) Errorf(string, ...any) { j.errors++ }

func TestPrice(t *testing.T) {
	var kept string
	for n, want := range map[int]int{1 << 10: 0, 1 << 20: 1} {
		j := &judge{TB: t}
		Price{PerByte: 8, Constant: 16 << 10}.Pay(j, 100, func() { kept = strings.Repeat("x", n) })
		if j.errors != want || len(kept) != n {
			t.Errorf("%d bytes: %d errors, want %d", n, j.errors, want)
		}
	}
}
