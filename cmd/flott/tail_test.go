package main

import (
	"bytes"
	"testing"
)

func TestTailKeepsTheEnd(t *testing.T) {
	var kept tail
	var all []byte
	for i, size := range []int{10, mostTail, 1, mostTail + 1, 100} {
		p := bytes.Repeat([]byte{byte('a' + i)}, size)
		if n, err := kept.Write(p); n != size || err != nil {
			t.Errorf("wrote %d of %d, %v", n, size, err)
		}
		all = append(all, p...)
		if want := all[max(0, len(all)-mostTail):]; !bytes.Equal(kept, want) {
			t.Errorf("after %d bytes %d are kept, or others than the last %d", len(all), len(kept), len(want))
		}
	}
}
