import type { Layout } from "./layout/layout";
import type { Box } from "./layout/sizes";
import { farBelow, sees, type Size, type View } from "./view";

/** A Sight is what of a picture is worth drawing and painting: chains by their index. */
export interface Sight {
  near: ReadonlySet<number>; // drawn whole; of the others there is only the box and its name
  seen: ReadonlySet<number>; // in the window: their numbers are kept up to date
  far: boolean; // the numbers of single tasks are too small to read
}

/** manyChains: above it, not all boxes are drawn whole. */
const manyChains = 60;

/** sightOf is what was seen before, if nothing is different. */
export function sightOf(l: Layout, layer: number, view: View, window: Size, was: Sight): Sight {
  const near = new Set<number>();
  const seen = new Set<number>();
  l.chains.forEach((c, i) => {
    const box = layer === 4 ? placeOf(l, i) : c.box;
    if (l.chains.length <= manyChains || sees(view, box, window, 1)) near.add(i);
    if (sees(view, box, window, 0)) seen.add(i);
  });
  const far = view.k < farBelow;
  return far === was.far && same(near, was.near) && same(seen, was.seen) ? was : { near, seen, far };
}

/** placeOf is all of a column in layer 4: its tasks are all over it. */
const placeOf = (l: Layout, chain: number): Box => {
  const head = l.places.heads[chain];
  return { ...l.bounds.places, x: head.x, w: head.w };
};

const same = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => a.size === b.size && [...a].every((i) => b.has(i));
