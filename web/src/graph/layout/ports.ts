import type { Edge } from "../model";
import { size } from "./sizes";

const apart = 14;

/**
 * entersOf says for each edge that comes to a card how far from the card's middle it ends: side by side, in the order in which they
 * come, so that two inputs of a join, or the same stream twice, stay two lines.
 */
export function entersOf(edges: Edge[], comesFrom: (e: Edge) => number, cardHeight: (e: Edge) => number): Map<Edge, number> {
  const byCard = new Map<number, Edge[]>();
  for (const e of edges) {
    const same = byCard.get(e.to.id);
    if (same) same.push(e);
    else byCard.set(e.to.id, [e]);
  }
  const offsets = new Map<Edge, number>();
  for (const same of byCard.values()) {
    same.sort((a, b) => comesFrom(a) - comesFrom(b));
    const step = Math.min(apart, (cardHeight(same[0]) - size.pad) / same.length);
    same.forEach((e, i) => offsets.set(e, Math.round((i - (same.length - 1) / 2) * step)));
  }
  return offsets;
}
