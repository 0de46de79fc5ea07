import type { Edge } from "../model";
import type { EdgePlace } from "./layout";
import { settle, within } from "./settle";
import { type Box, left, middle, size } from "./sizes";

const apart = 6;

/** A Labelled edge is one whose label is in a gap, and how high it wants to be there. */
interface Labelled {
  edge: Edge;
  gap: number; // the column that it is in front of
  y: number; // of its middle
}

/** labelsOf puts labels into gaps, none over another. Labels of a gap that has too many are left out. */
export function labelsOf(wishes: Labelled[], height: number): Map<Edge, Box> {
  const out = new Map<Edge, Box>();
  const free = Math.max(height, 360);
  for (const same of gapsOf(wishes).values()) {
    const { w, h } = size.label;
    if (same.length * (h + apart) > free) continue;
    same.sort((a, b) => a.y - b.y);
    const things = same.map((l) => ({ want: l.y - h / 2, size: h, weight: 1 }));
    const from = (height - free) / 2;
    const at = within(settle(things, () => apart), things, apart, from, from + free);
    same.forEach((l, i) => out.set(l.edge, { x: left(l.gap) - (size.gap + w) / 2, y: Math.round(at[i]), w, h }));
  }
  return out;
}

/** most is how many labels a gap has at the head of layer 4. */
export const most = 12;

/** lineLabels puts labels of one line into the heads of the gaps. */
export function lineLabels(wishes: Labelled[], header: number): Map<Edge, Box> {
  const out = new Map<Edge, Box>();
  for (const same of gapsOf(wishes).values()) {
    if (same.length > most) continue;
    same.sort((a, b) => a.y - b.y);
    const top = Math.round((header - same.length * size.label.line) / 2);
    same.forEach((l, i) => {
      const y = top + i * size.label.line;
      out.set(l.edge, { x: left(l.gap) - (size.gap + size.label.w) / 2, y, w: size.label.w, h: size.label.line - 2 });
    });
  }
  return out;
}

/** largest is the number of labels in the fullest gap that has them in layer 4. */
export const largest = (wishes: Labelled[]): number =>
  Math.max(0, ...[...gapsOf(wishes).values()].map((same) => same.length).filter((n) => n <= most));

function gapsOf(wishes: Labelled[]): Map<number, Labelled[]> {
  const gaps = new Map<number, Labelled[]>();
  for (const l of wishes) {
    const same = gaps.get(l.gap);
    if (same) same.push(l);
    else gaps.set(l.gap, [l]);
  }
  return gaps;
}

/** cardWish is next to the middle of the line, above it where the line is nearly flat. */
export function cardWish(p: EdgePlace, gap: number): Labelled {
  const from = p.lanes.length ? p.lanes[p.lanes.length - 1].y : p.leaves;
  const flat = Math.abs(from - p.enters) < 44;
  return { edge: p.edge, gap, y: (from + p.enters) / 2 - (flat ? 32 : 0) };
}

/** rowWish is in the middle of the channels, or above them where they are few and nearly flat. */
export function rowWish(p: EdgePlace, gap: number, rows: Box[]): Labelled {
  const [from, to] = [rows[p.edge.from.chain.index], rows[p.edge.to.chain.index]];
  const leaves = p.lanes.length ? p.lanes[p.lanes.length - 1].y : middle(from);
  const y = (leaves + middle(to)) / 2;
  const h = Math.max(from.h, to.h);
  const flat = Math.abs(leaves - middle(to)) < 44 && h < 60;
  return { edge: p.edge, gap, y: flat ? y - (h + size.label.h) / 2 - apart : y };
}
