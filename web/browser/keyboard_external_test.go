//go:build external

package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Whoever opens a dialog by a key is kept in it, and is back where they were when it closes.
func TestExternalDialogs(t *testing.T) {
	tb := placeOf(t, "payments-1-stream").open(t, desk)
	for _, opener := range []string{"Cancel", "Keys", "Find"} {
		tb.until(`(() => {
		  const opener = [...document.querySelectorAll("button")].find(b => (b.ariaLabel || b.innerText).startsWith(%s));
		  opener?.focus();
		  globalThis.opener = opener;
		  return !!opener;
		})()`, opener)
		tb.press(kb.Enter)
		tb.until(`document.activeElement.closest("dialog[open]") != null`)
		for range 12 {
			tb.press(kb.Tab)
			if !eval[bool](tb, `document.activeElement == document.body || document.activeElement.closest("dialog[open]") != null`) {
				t.Errorf("%s: the Tab key leads out of the dialog", opener)
			}
		}
		tb.press(kb.Escape)
		tb.until(`document.querySelector("dialog[open]") == null`)
		tb.until(`document.activeElement == opener`)
	}
}

// Keys that write a character do nothing when they are switched off, also after a reload; others still do.
func TestExternalKeysThatAreOff(t *testing.T) {
	tb := placeOf(t, "payments-1-stream").open(t, desk)
	keys(tb)
	tb.press(kb.Tab) // from the button that closes it
	tb.until(`document.activeElement.type == "checkbox" && document.activeElement.checked`)
	tb.press(" ")
	tb.until(`!document.activeElement.checked`)
	tb.press(kb.Escape)
	tb.until(`document.querySelector("dialog[open]") == null`)
	for _, when := range []string{"at once", "after a reload"} {
		tb.press("3", kb.ArrowRight)
		tb.until(`document.activeElement.closest(".world") != null`)
		if where := tb.where(); !strings.Contains(where, "layer=1") {
			t.Errorf("%s a key leads to %s", when, where)
		}
		tb.must(chromedp.Do(tb.ctx, chromedp.Reload()))
		tb.says("orders")
		tb.settle()
	}
}

// placeOf is a place by its name.
func placeOf(t *testing.T, name string) place {
	t.Helper()
	i := slices.IndexFunc(everyPlace, func(p place) bool { return p.name == name })
	if i < 0 {
		t.Fatalf("there is no place %q", name)
	}
	return everyPlace[i]
}

// The graph is one stop of the Tab key. Arrows lead from there to everything in it, and to where it can be seen; Enter opens it, and Esc
// closes that and leads back.
func TestExternalArrows(t *testing.T) {
	tb := placeOf(t, "payments-1-stream").open(t, desk)
	tb.tolerant = true // not all that is opened was recorded
	tb.bring("arrows", arrowsScript)
	eval[chromedp.Void](tb, fmt.Sprintf("arrows.load(%q)", ids["payments"]))
	for _, layer := range []string{"1", "2", "3", "4"} {
		tb.layer(layer)
		tb.press("+", "+", "+") // so that not all is in the window
		for _, lost := range eval[[]string](tb, "arrows.unreachable("+layer+")") {
			t.Errorf("layer %s: no arrow leads to %s", layer, lost)
		}
		for _, to := range []string{"Right", "Down", "Right", "Right", "Down", "Down", "Up", "Right", "Left", "Down", "Left", "Left", "Left", "Up", "Up"} {
			before := eval[string](tb, "arrows.at()")
			tb.press(map[string]string{"Right": kb.ArrowRight, "Left": kb.ArrowLeft, "Down": kb.ArrowDown, "Up": kb.ArrowUp}[to])
			want := eval[string](tb, fmt.Sprintf("arrows.next(%s, %q, 'Arrow%s')", layer, before, to))
			tb.until("arrows.at() == %s", want)
			tb.until("arrows.inSight()")
			if n := eval[int](tb, `document.querySelectorAll('.world [tabindex="0"]').length`); n != 1 {
				t.Errorf("layer %s: the graph is %d stops of the Tab key", layer, n)
			}
		}
		at := eval[string](tb, "arrows.at()")
		tb.press(kb.Enter)
		tb.goes(".*vertex=.*")
		tb.press(kb.Escape)
		tb.until(`!location.hash.includes("vertex=")`)
		tb.until("arrows.at() == %s", at)
	}
}

// arrowsScript is where arrows lead, by the graph's own code.
const arrowsScript = `
import { layout, type Layout } from "./graph/layout/layout";
import { modelOf } from "./graph/model";
import { next as nextStop, stopsOf, type Direction } from "./graph/stops";

let l: Layout;

export async function load(job: string): Promise<void> {
  l = layout(modelOf(await (await fetch("jobs/" + job + "/flott/graphs")).json()));
}

export const at = (): string => (document.activeElement as HTMLElement).dataset.key ?? "";

/** next is where an arrow leads; where it leads nowhere it stays. */
export const next = (layer: number, from: string, to: Direction): string => nextStop(stopsOf(l, layer), from || undefined, to)?.key ?? from;

/** unreachable is what no way of arrows leads to. */
export function unreachable(layer: number): string[] {
  const stops = stopsOf(l, layer);
  const reached = new Set<string>([stops[0].key]);
  for (const key of reached) {
    for (const to of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const) reached.add(next(layer, key, to));
  }
  return stops.map((s) => s.key).filter((key) => !reached.has(key));
}

/** inSight says that what has the focus is in the window of the graph. */
export function inSight(): boolean {
  const [e, port] = [document.activeElement!, document.querySelector(".port")!].map((e) => e.getBoundingClientRect());
  return e.left >= port.left - 1 && e.right <= port.right + 1 && e.top >= port.top - 1 && e.bottom <= port.bottom + 1;
}
`
