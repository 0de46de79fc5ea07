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

// One geometry for four layers: nothing overlaps, no line passes a box of another, and nodes keep their place, in a thousand random
// jobs; and it is made within a frame, also of 200 vertices. The bound of time is ten times looser here.
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
	for last := 50; last <= 1000; last += 50 {
		eval[chromedp.Void](tb, fmt.Sprintf("layouts.check(%d, %d)", last-49, last))
	}
	times := eval[[]float64](tb, "layouts.times(200, 30)")
	slices.Sort(times)
	t.Logf("200 vertices take %.1f ms, at least %.1f ms", times[len(times)/2], times[0])
	if median := times[len(times)/2]; median > 10*16 {
		t.Errorf("200 vertices take %.1f ms", median)
	}
}
