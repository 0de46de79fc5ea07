package rest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flott-dev/flott/internal/graph/execgraph"
	"github.com/flott-dev/flott/internal/graph/jobgraph"
)

// The picture of a wiring has the channels that the wiring has, each once.
func TestWiringPicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := execgraph.Wiring{
			Pattern:   rapid.SampledFrom([]jobgraph.Pattern{jobgraph.Pointwise, jobgraph.AllToAll}).Draw(t, "pattern"),
			Producers: rapid.IntRange(1, 20).Draw(t, "producers"), Consumers: rapid.IntRange(1, 20).Draw(t, "consumers"),
		}
		picture := wiringPicture(w)
		if w.Pattern == jobgraph.AllToAll {
			if picture != nil || channels(w) != w.Producers*w.Consumers {
				t.Fatalf("all to all: %v, %d channels", picture, channels(w))
			}
			return
		}
		n := 0
		for q := range w.Producers {
			readers := w.ReadersOf(q)
			for i, r := range picture {
				reads := r[0] <= q && q <= r[1]
				if reads != (readers.First <= i && i < readers.End) {
					t.Fatalf("consumer %d reads %v; of producer %d the readers are %v", i, r, q, readers)
				}
				if reads {
					n++
				}
			}
		}
		if n != channels(w) {
			t.Fatalf("%d channels, the picture has %d", channels(w), n)
		}
	})
}

func TestWiringPictureOfExamples(t *testing.T) {
	if got, want := wiringPicture(execgraph.Wiring{Pattern: jobgraph.Pointwise, Producers: 4, Consumers: 2}), [][2]int{{0, 1}, {2, 3}}; !slices.Equal(got, want) {
		t.Errorf("4 to 2 is %v, want %v", got, want)
	}
}
