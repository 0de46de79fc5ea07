import { bottom, type Box, type Point, right } from "./sizes";

// Where lines and boxes meet. For tests.

/** A Stretch is a part of a path: a cubic curve by its four points. A straight one has its points on the line. */
type Stretch = [Point, Point, Point, Point];

/** stretchesOf reads a path of M, H, V, L, C and Z. What Z closes is not drawn. */
export function stretchesOf(path: string): Stretch[] {
  const all: Stretch[] = [];
  let at: Point = { x: 0, y: 0 };
  for (const part of path.match(/[MHVLC][^MHVLCZ]*/g) ?? []) {
    const n = part.slice(1).split(" ");
    const last = +n[n.length - 1];
    const to = part[0] === "H" ? { x: last, y: at.y } : { x: part[0] === "V" ? at.x : +n[n.length - 2], y: last };
    if (part[0] === "C") all.push([at, { x: +n[0], y: +n[1] }, { x: +n[2], y: +n[3] }, to]);
    else if (part[0] !== "M") all.push([at, at, to, to]);
    at = to;
  }
  return all;
}

/** frameOf holds all of a stretch, as a curve never leaves the hull of its points. */
export function frameOf([a, b, c, d]: Stretch): Box {
  const x = Math.min(a.x, b.x, c.x, d.x);
  const y = Math.min(a.y, b.y, c.y, d.y);
  return { x, y, w: Math.max(a.x, b.x, c.x, d.x) - x, h: Math.max(a.y, b.y, c.y, d.y) - y };
}

/** hit says that two boxes have some room in common. */
export const hit = (a: Box, b: Box): boolean => a.x < right(b) && b.x < right(a) && a.y < bottom(b) && b.y < bottom(a);

/** passes says that a stretch is inside of a box somewhere, by as many of its points as there are pixels on its way. */
export function passes(s: Stretch, frame: Box, b: Box): boolean {
  if (!hit(frame, b)) return false;
  if (frame.w === 0 || frame.h === 0) return true;
  const steps = Math.ceil(frame.w + frame.h);
  for (let i = 0; i <= steps; i++) {
    const [x, y] = [on(s, "x", i / steps), on(s, "y", i / steps)];
    if (x > b.x && x < right(b) && y > b.y && y < bottom(b)) return true;
  }
  return false;
}

function on([a, b, c, d]: Stretch, of: "x" | "y", t: number): number {
  const u = 1 - t;
  return u * u * u * a[of] + 3 * u * u * t * b[of] + 3 * u * t * t * c[of] + t * t * t * d[of];
}

/** A Shelf is things below each other, of one left edge and width. */
interface Shelf<T> {
  frame: Box;
  things: T[];
}

/** finder finds the things whose boxes a frame may hit: columns first, then by halves, as those of a column do not overlap. */
export function finder<T extends { box: Box }>(things: readonly T[]): (frame: Box) => T[] {
  const shelves = new Map<string, Shelf<T>>();
  for (const t of things) {
    const { x, w } = t.box;
    const shelf = shelves.get(`${x} ${w}`);
    if (shelf) shelf.things.push(t);
    else shelves.set(`${x} ${w}`, { frame: { x, w, y: -Infinity, h: Infinity }, things: [t] });
  }
  const all = [...shelves.values()];
  for (const s of all) s.things.sort((a, b) => a.box.y - b.box.y);
  return (frame) => {
    const found: T[] = [];
    for (const s of all) if (frame.x < right(s.frame) && s.frame.x < right(frame)) addBetween(found, s.things, frame);
    return found;
  };
}

function addBetween<T extends { box: Box }>(found: T[], things: T[], frame: Box): void {
  let [low, high] = [0, things.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (bottom(things[mid].box) > frame.y) high = mid;
    else low = mid + 1;
  }
  for (let i = low; i < things.length && things[i].box.y < bottom(frame); i++) found.push(things[i]);
}
