import type { Layout } from "./layout/layout";
import { isThin } from "./layout/marks";
import { type Box, middle } from "./layout/sizes";

/** A Stop is something that the arrow keys lead to. */
export interface Stop {
  key: string; // of its element: data-key
  column: number;
  box: Box;
}

export type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

export const operatorKey = (id: number): string => `o${id}`;

export const markKey = (chain: number, subtask: number): string => `t${chain}.${subtask}`;

export const barsKey = (chain: number): string => `b${chain}`;

/** stopsOf is what there is in a layer, from left to right and top to bottom. */
export function stopsOf(l: Layout, layer: number): Stop[] {
  const stops: Stop[] = [];
  for (const { chain, column, rows } of l.chains) {
    if (layer < 4) {
      for (const o of chain.operators) {
        const place = l.operators.get(o.id)!;
        stops.push({ key: operatorKey(o.id), column, box: layer === 3 ? place.line : place.card });
      }
    }
    if (layer < 3) continue;
    const marks = layer === 3 ? rows.all : l.places.marks[chain.index].all;
    if (marks.length === 0) continue;
    if (layer === 3 ? isThin(chain) : l.places.dense) stops.push({ key: barsKey(chain.index), column, box: marks[0].box });
    else for (const m of marks) stops.push({ key: markKey(chain.index, m.subtasks[0]), column, box: m.box });
  }
  return stops.sort((a, b) => a.column - b.column || a.box.y - b.box.y);
}

/** next is where an arrow leads: up and down in the column, right and left to what is nearest in the column beside. */
export function next(stops: Stop[], from: string | undefined, to: Direction): Stop | undefined {
  const at = stops.findIndex((s) => s.key === from);
  if (at < 0) return stops[0];
  const here = stops[at];
  const step = to === "ArrowRight" || to === "ArrowDown" ? 1 : -1;
  if (to === "ArrowUp" || to === "ArrowDown") {
    const there = stops[at + step];
    return there?.column === here.column ? there : undefined;
  }
  const beside = stops.filter((s) => s.column === here.column + step);
  const away = (s: Stop): number => Math.abs(middle(s.box) - middle(here.box));
  return beside.reduce<Stop | undefined>((best, s) => (best && away(best) <= away(s) ? best : s), undefined);
}
