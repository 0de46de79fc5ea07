//go:build external

package browser

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/evanw/esbuild/pkg/api"
)

// One geometry for four layers: nothing overlaps, no line passes a box of another, and nodes keep their place, hue and letter, in a
// thousand random jobs, and in jobs of 200 vertices.
func TestExternalLayout(t *testing.T) {
	web, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	built := api.Build(api.BuildOptions{
		AbsWorkingDir: web, EntryPoints: []string{"src/graph/layout/thousand.ts"}, Bundle: true, Format: api.FormatIIFE, GlobalName: "layouts",
	})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	tb := blank(t)
	eval[chromedp.Void](tb, string(built.OutputFiles[0].Contents)+"; globalThis.layouts = layouts; undefined")
	for last := 10; last <= 1000; last += 10 {
		eval[chromedp.Void](tb, fmt.Sprintf("layouts.check(%d, %d)", last-9, last))
	}
	for seed := range 5 {
		eval[chromedp.Void](tb, fmt.Sprintf("layouts.check(%d, %[1]d, seed => layouts.largeJobOf(seed, 200))", seed))
	}
	tb.quick("layouts.times(layouts.largeJobOf(5, 200), 30)")
}

// quick wants a layout of 200 vertices to take less than a frame. Machines that test may be ten times slower than those of people.
func (tb *tab) quick(expression string) {
	tb.t.Helper()
	const wanted, slower = 16, 10
	times := eval[[]float64](tb, expression)
	slices.Sort(times)
	median := times[len(times)/2]
	tb.t.Logf("200 vertices take %.1f ms, at least %.1f ms; wanted: %d ms", median, times[0], wanted)
	if median > wanted*slower {
		tb.t.Errorf("that is more than %d times too slow", slower)
	}
}
