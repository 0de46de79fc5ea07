import type { Flame } from "../api";
import { originOf, shortName, type Origin } from "./origin";

/** Folded is a flame in which one frame may stand for a run of frames. */
export interface Folded extends Flame {
  children: Folded[];
  /** How many frames it stands for, besides its own. */
  more?: number;
}

/**
 * fold takes runs of frames together that nobody but the engine's authors tells apart: functions of flott, or of Go, that only
 * call each other. Of flott the innermost one stands for the run, as what it does there; of Go the outermost, as what was asked of it.
 */
export function fold(flame: Flame): Folded {
  const origin = originOfFrame(flame.name);
  const run: Flame[] = [flame];
  for (let last = flame; foldable(last, origin); run.push(last)) last = last.children[0]!;
  const shown = origin === "flott" ? run.at(-1)! : flame;
  return { name: shown.name, value: flame.value, children: run.at(-1)!.children.map(fold), more: run.length - 1 };
}

function foldable(f: Flame, origin: Origin): boolean {
  const [only, ...others] = f.children;
  if (!only || others.length > 0 || only.value < f.value || isHeading(f) || isHeading(only)) return false;
  const next = originOfFrame(only.name);
  // Where Go calls back into flott it is part of the way there.
  return origin !== "user" && (next === origin || (origin === "flott" && next === "go" && only.children.length === 1 && originOfFrame(only.children[0]!.name) === "flott"));
}

/** isHeading says that a frame is no function. */
const isHeading = (f: Flame): boolean => f.name === "root" || f.name.startsWith(operator);

/** A bar of the picture. x and width are shares of the picture's. */
export interface Bar {
  flame: Folded;
  parent: Bar | null;
  children: Bar[];
  depth: number;
  x: number;
  width: number;
  origin: Origin;
  label: string;
}

/** Bars narrower than this share would not be a pixel wide. */
const narrowest = 0.0015;

/**
 * barsOf is the picture of a flame, zoomed to the focus: the functions that lead there keep the whole width, what it calls is laid
 * out below, and everything else is left out. Bars are in the order of a reader: outermost first, left before right.
 */
export function barsOf(root: Folded, focus: Folded = root): Bar[] {
  const way = pathTo(root, focus) ?? [root];
  const bars: Bar[] = [];
  let last: Bar | null = null;
  for (const flame of way) last = add(bars, flame, last, 0, 1);
  if (last) spread(bars, last);
  return bars.sort((a, b) => a.depth - b.depth || a.x - b.x);
}

function spread(bars: Bar[], of: Bar): void {
  let x = of.x;
  for (const child of of.flame.children) {
    const width = of.flame.value > 0 ? (of.width * child.value) / of.flame.value : 0;
    if (width >= narrowest) spread(bars, add(bars, child, of, x, width));
    x += width;
  }
}

function add(bars: Bar[], flame: Folded, parent: Bar | null, x: number, width: number): Bar {
  const depth = parent ? parent.depth + 1 : 0;
  const bar: Bar = { flame, parent, children: [], depth, x, width, origin: originOfFrame(flame.name), label: labelOf(flame) };
  parent?.children.push(bar);
  bars.push(bar);
  return bar;
}

/** pathTo is the functions from the root to one, both included; null: it is not there. */
export function pathTo(root: Folded, to: Folded): Folded[] | null {
  if (root === to) return [root];
  for (const child of root.children) {
    const rest = pathTo(child, to);
    if (rest) return [root, ...rest];
  }
  return null;
}

/** sameWay finds in newer samples the function that is reached by the same names, as far as there is one. */
export function sameWay(root: Folded, names: readonly string[]): Folded {
  let at = root;
  for (const name of names.slice(1)) {
    const next = at.children.find((c) => c.name === name);
    if (!next) break;
    at = next;
  }
  return at;
}

export type Direction = "up" | "down" | "left" | "right";

/** stepFrom is the bar that an arrow key goes to; the same one where there is none. */
export function stepFrom(bars: readonly Bar[], at: Bar, to: Direction): Bar {
  switch (to) {
    case "up":
      return at.parent ?? at;
    case "down":
      return at.children.reduce<Bar | null>((most, c) => (most && most.width >= c.width ? most : c), null) ?? at;
    default: {
      const row = bars.filter((b) => b.depth === at.depth);
      return row[row.indexOf(at) + (to === "left" ? -1 : 1)] ?? at;
    }
  }
}

/** shareMatching is which part of the samples has a function in its stack whose name has the text in it. */
export function shareMatching(root: Flame, text: string): number {
  const wanted = text.trim().toLowerCase();
  if (!wanted || !root.value) return 0;
  const sum = (f: Flame): number => (matches(f, wanted) ? f.value : f.children.reduce((n, c) => n + sum(c), 0));
  return sum(root) / root.value;
}

export function matches(flame: Flame, text: string): boolean {
  return flame.name.toLowerCase().includes(text);
}

/** A Function has the samples that end in it, and all that it is in. */
export interface Function {
  name: string;
  own: number;
  total: number;
}

/** functionsOf is the functions with their samples; those with most of their own come first. */
export const functionsOf = (root: Flame): Function[] => sums(root).sort((a, b) => b.own - a.own || b.total - a.total);

/** sums adds up the samples of each function, once also where it calls itself; the outer one before those that it calls. */
function sums(root: Flame): Function[] {
  const by = new Map<string, Function>();
  for (const child of root.children) addUp(child, new Set(), by);
  return [...by.values()];
}

function addUp(f: Flame, above: ReadonlySet<string>, by: Map<string, Function>): void {
  if (f.name.startsWith(operator)) return f.children.forEach((c) => addUp(c, above, by));
  const name = withoutLine(f.name);
  const one = by.get(name) ?? { name, own: 0, total: 0 };
  by.set(name, one);
  one.own += f.value - f.children.reduce((n, c) => n + c.value, 0);
  if (!above.has(name)) one.total += f.value;
  const here = new Set(above).add(name);
  for (const c of f.children) addUp(c, here, by);
}

/** hottest is the function of the job's own code that most samples are in, the innermost of such, and its share; null: none is in it. */
export function hottest(root: Flame): { name: string; share: number } | null {
  const own = sums(root).filter((f) => originOf(f.name) === "user");
  const most = own.reduce<Function | null>((a, b) => (a && a.total > b.total ? a : b), null);
  return most && { name: most.name, share: most.total / root.value };
}

/** What stands in front of the name of an operator, which is the outermost frame of what it does. */
const operator = "operator ";

function originOfFrame(name: string): Origin {
  return name === "root" || name.startsWith(operator) ? "flott" : originOf(withoutLine(name));
}

function withoutLine(name: string): string {
  return name.replace(/:\d+$/, "");
}

function labelOf({ name, more }: Folded): string {
  if (name === "root") return "all samples";
  if (name.startsWith(operator)) return name.slice(operator.length);
  return shortName(withoutLine(name)) + (more ? ` +${more}` : "");
}
