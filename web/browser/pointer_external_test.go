//go:build external

package browser

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// A click opens what it is on, in each layer, and one on the ground closes that. Dragging moves the picture, and closes nothing; the wheel
// makes it larger.
func TestExternalPointer(t *testing.T) {
	tb := placeOf(t, "payments-1-stream").open(t, desk)
	tb.tolerant = true // not all that is opened was recorded
	eval[chromedp.Void](tb, pointerScript)
	for _, c := range []struct{ layer, on, opens string }{
		{"1", ".operator", "vertex="},
		{"1", "[data-edge]", "edge="},
		{"2", ".operator", "vertex="},
		{"2", "[data-edge]", "edge="},
		{"3", ".task", "subtask="},
		{"3", "[data-edge]", "edge="},
		{"4", ".task", "subtask="},
		{"4", "[data-edge]", "edge="},
		{"5", "main table button", "vertex="},
	} {
		tb.layer(c.layer)
		tb.clickOn(c.on)
		tb.until(`location.hash.includes(%s) && document.querySelector(".panel") != null`, c.opens)
		tb.settle()
		if c.layer == "5" {
			continue // which has no ground
		}
		was := eval[view](tb, "pointer.view()")
		tb.drag(60, 40)
		if is := eval[view](tb, "pointer.view()"); math.Abs(is.X-was.X-60) > 1 || math.Abs(is.Y-was.Y-40) > 1 {
			t.Errorf("layer %s: it was dragged from %v to %v", c.layer, was, is)
		}
		tb.settle()
		if !strings.Contains(tb.where(), c.opens) {
			t.Errorf("layer %s: dragging has closed what was open", c.layer)
		}
		tb.clickOn("ground")
		tb.until(`document.querySelector(".panel") == null`)
		tb.settle()
	}
	tb.layer("1")
	before := eval[view](tb, "pointer.view()")
	x, y := tb.spot("ground")
	up := func(p *input.DispatchMouseEventParams) { p.DeltaX, p.DeltaY = 1, -200 } // of which none may be 0
	tb.must(chromedp.Do(tb.ctx, chromedp.MouseEvent(chromedp.MouseWheel, x, y, up)))
	tb.until("pointer.view().K > %s", before.K)
}

// A view is how the picture lies in its window.
type view struct{ X, Y, K float64 }

// spot is a point where a pointer is on the first of some things, or on the ground.
func (tb *tab) spot(on string) (x, y float64) {
	tb.t.Helper()
	tb.until("pointer.spot(%s) != null", on)
	at := eval[[2]float64](tb, fmt.Sprintf("pointer.spot(%q)", on))
	return at[0], at[1]
}

func (tb *tab) clickOn(on string) {
	tb.t.Helper()
	x, y := tb.spot(on)
	tb.must(chromedp.Do(tb.ctx, chromedp.MouseClickXY(x, y)))
}

// drag drags the ground.
func (tb *tab) drag(dx, dy float64) {
	tb.t.Helper()
	x, y := tb.spot("ground")
	held := func(p *input.DispatchMouseEventParams) {
		p.Button, p.Buttons, p.ClickCount = input.MouseButtonLeft, 1, 1
	}
	for _, step := range []chromedp.Action[chromedp.Void]{
		chromedp.MouseEvent(chromedp.MousePressed, x, y, held),
		chromedp.MouseEvent(chromedp.MouseMoved, x+dx, y+dy, held),
		chromedp.MouseEvent(chromedp.MouseReleased, x+dx, y+dy, held),
	} {
		tb.must(chromedp.Do(tb.ctx, step))
	}
}

// pointerScript finds points to click on.
const pointerScript = `globalThis.pointer = {
  view() {
    const {e, f, a} = new DOMMatrix(document.querySelector(".world").style.transform);
    return {X: e, Y: f, K: a};
  },
  spot(on) {
    return on == "ground" ? this.ground() : [...document.querySelectorAll(on)].map(this.middle).find(Boolean) ?? null;
  },
  middle(e) {
    const r = e.getBoundingClientRect(), at = [r.x + r.width / 2, r.y + r.height / 2];
    return e.contains(document.elementFromPoint(...at)) ? at : undefined;
  },
  ground() {
    const r = document.querySelector(".port").getBoundingClientRect();
    for (let y = r.y + 10; y < r.bottom - 60; y += 15) {
      for (let x = r.x + 10; x < r.right - 80; x += 15) {
        if (document.elementFromPoint(x, y)?.matches(".port, .world")) return [x, y];
      }
    }
    return null;
  },
}`
