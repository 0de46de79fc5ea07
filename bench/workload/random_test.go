package workload

import "testing"

func TestEightLetters(t *testing.T) {
	for x := range uint64(256) {
		for at := 0; at < 64; at += 8 {
			h := ^uint64(0) ^ (255-x)<<at
			if got, want := byte(eightLetters(h)>>at), 'a'+byte(x%26); got != want {
				t.Fatalf("byte %d at bit %d is letter %q, want %q", x, at, got, want)
			}
		}
	}
}
