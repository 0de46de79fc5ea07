//go:build external

package browser

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/animation"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/evanw/esbuild/pkg/api"
)

// A node moves straight up or down from layer to layer: it ends where the layout says, is never beside its column on the way, and keeps
// its hue and letter. Time goes a hundred times slower here, and is set by hand, so that each moment can be looked at on any machine.
func TestExternalMoves(t *testing.T) {
	tb := openMoves(t, "no-preference")
	for _, layer := range []string{"2", "3", "4", "3", "4", "1", "4", "2", "1", "3", "1"} {
		before := eval[string](tb, "moves.layer()")
		tb.turn(layer)
		tb.until("moves.underway()")
		tb.straight("on the way to layer " + layer)
		if before+layer == "34" && !eval[bool](tb, "(moves.along(0.3), moves.rising())") {
			t.Error("tasks do not move to their slots, but are there")
		}
		tb.ends(layer)
	}
	for _, layers := range [][]string{{"4", "2"}, {"3", "4", "3"}, {"1", "4", "2"}, {"4", "1"}} { // before the last move has ended
		for _, layer := range layers {
			tb.turn(layer)
			tb.until("moves.underway()")
			eval[chromedp.Void](tb, "moves.along(0.3)")
		}
		tb.straight(fmt.Sprint("on the way through layers ", layers))
		tb.ends(layers[len(layers)-1])
	}
}

// Who asks for less motion sees none.
func TestExternalMovesReduced(t *testing.T) {
	tb := openMoves(t, "reduce")
	for _, layer := range []string{"3", "4", "2", "4", "1"} {
		tb.turn(layer)
		if eval[bool](tb, "moves.underway()") {
			t.Errorf("on the way to layer %s something moves", layer)
		}
		tb.ends(layer)
	}
}

// openMoves opens a job in a page that has the layout's own code beside it.
func openMoves(t *testing.T, motion string) *tab {
	t.Helper()
	c := startCluster(t, 2, 2)
	c.run(map[string]string{"payments": "RUNNING"})
	c.runs("payments") // and no task gets a slot between the page's look and the script's
	tb := open(t, c.url, "#/job/"+ids["payments"]+"?layer=1", desk)
	_, err := chromedp.Call(tb.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-reduced-motion", Value: motion},
	}})
	tb.must(err)
	_, err = chromedp.Call(tb.ctx, animation.SetPlaybackRate, animation.SetPlaybackRateParams{PlaybackRate: 0.01})
	tb.must(err)
	tb.says("orders")
	tb.settle()
	tb.bring("moves", movesScript)
	eval[chromedp.Void](tb, fmt.Sprintf("moves.load(%q)", ids["payments"]))
	return tb
}

// bring gives the page a script that may import what the page is made of.
func (tb *tab) bring(name, script string) {
	tb.t.Helper()
	src, err := filepath.Abs("../src")
	tb.must(err)
	built := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Contents: script, ResolveDir: src, Loader: api.LoaderTS}, Bundle: true, Format: api.FormatIIFE, GlobalName: name,
	})
	if len(built.Errors) > 0 {
		tb.t.Fatal(built.Errors)
	}
	eval[chromedp.Void](tb, fmt.Sprintf("%s; globalThis.%[2]s = %[2]s; undefined", built.OutputFiles[0].Contents, name))
}

// turn presses the key of a layer, and waits until the page has drawn it.
func (tb *tab) turn(layer string) {
	tb.t.Helper()
	tb.press(layer)
	tb.until("location.hash.includes(%s)", "layer="+layer)
	eval[chromedp.Void](tb, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
}

// straight wants that something is on its way, and nothing beside its column, at some moments of a move.
func (tb *tab) straight(when string) {
	tb.t.Helper()
	for _, part := range []float64{0.05, 0.3, 0.6, 0.95} {
		eval[chromedp.Void](tb, fmt.Sprintf("moves.along(%v)", part))
		for _, e := range eval[[]string](tb, "moves.beside()") {
			tb.t.Errorf("%s, after %v of the way: %s", when, part, e)
		}
	}
}

// ends lets all moves end, and wants everything to be where the layout says.
func (tb *tab) ends(layer string) {
	tb.t.Helper()
	eval[chromedp.Void](tb, "moves.end()")
	for _, e := range eval[[]string](tb, "moves.off("+layer+")") {
		tb.t.Errorf("in layer %s %s", layer, e)
	}
}

// movesScript compares what is drawn with the layout.
const movesScript = `
import { layout, type Layout } from "./graph/layout/layout";
import type { Box } from "./graph/layout/sizes";
import { modelOf } from "./graph/model";
import { stopsOf } from "./graph/stops";
import { hue, letters } from "./ui/mark";

let l: Layout;

export async function load(job: string): Promise<void> {
  l = layout(modelOf(await (await fetch("jobs/" + job + "/flott/graphs")).json()));
}

/** moves is what time moves, and not scrolling. */
const moves = (): Animation[] => document.getAnimations().filter((a) => a.timeline === document.timeline);

export const underway = (): boolean => moves().length > 0;

export function along(part: number): void {
  for (const a of moves()) {
    a.pause();
    a.currentTime = part * (a.effect!.getComputedTiming().endTime as number);
  }
}

export const end = (): void => moves().forEach((a) => a.finish());

export const layer = (): string => document.querySelector(".world")!.className.match(/layer-(.)/)![1];

const placed = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".hull, .head, .operator, .task")];

const isAt = (e: HTMLElement): DOMMatrix => new DOMMatrix(getComputedStyle(e).transform);

const name = (e: HTMLElement): string => e.className + " " + e.textContent;

/** beside is what is not in its column. */
export const beside = (): string[] =>
  placed().flatMap((e) => {
    const [is, goes] = [isAt(e).e, new DOMMatrix(e.style.transform).e];
    return Math.abs(is - goes) > 0.5 ? [name(e) + " is at x " + is + " and goes to " + goes] : [];
  });

/** rising says that a task is at another height than the one that it goes to. */
export const rising = (): boolean => placed().some((e) => e.matches(".task") && Math.abs(isAt(e).f - new DOMMatrix(e.style.transform).f) > 0.5);

/** off is what is not at its place, or looks like something else. */
export function off(layer: number): string[] {
  const found: string[] = [];
  const see = (e: HTMLElement | null | undefined, what: string, box: Box): void => {
    if (!e) return void found.push(what + " is missing");
    const { e: x, f: y } = isAt(e);
    const is = [x, y, e.offsetWidth];
    const wants = [box.x, box.y, box.w];
    if (is.some((n, i) => Math.abs(n - wants[i]) > 0.5)) found.push(what + " is at " + is + ", not at " + wants);
  };
  for (const s of stopsOf(l, layer)) see(document.querySelector<HTMLElement>('[data-key="' + s.key + '"]'), s.key, s.box);
  const heads = document.querySelectorAll<HTMLElement>(".world > .head");
  l.chains.forEach(({ chain, box }, i) => {
    see(heads[i], "head " + i, layer === 4 ? l.places.heads[i] : box);
    const letter = letters(chain.key);
    if (heads[i]?.querySelector(".letter")?.textContent !== letter) found.push("head " + i + " has not the letter " + letter);
    const own = [...chain.operators.map((o) => "o" + o.id), ...chain.subtasks.map((s) => "t" + i + "." + s.index)];
    for (const key of own) {
      const e = document.querySelector<HTMLElement>('[data-key="' + key + '"]');
      if (e && e.style.getPropertyValue("--c") !== hue(chain.key)["--c"]) found.push(key + " has another hue");
      const text = e?.querySelector(".index")?.textContent ?? "";
      if (layer === 4 && text !== "" && !text.startsWith(letter)) found.push(key + " says " + text);
    }
  });
  return found;
}
`
