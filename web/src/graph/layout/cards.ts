import type { Chain, Operator } from "../model";
import { rowsHeight } from "./marks";
import { type Box, boxAt, size } from "./sizes";

/** The places of an operator: a card in layers 1 and 2, a line in layer 3. */
export interface OperatorPlace {
  operator: Operator;
  card: Box;
  line: Box;
}

const lineStep = size.line + 2;

/** boxHeight is the larger of what layers 1 and 2 need and what layer 3 needs, so that a box never changes. */
export function boxHeight(chain: Chain): number {
  const n = chain.operators.length;
  const cards = n * size.card + (n - 1) * size.joint;
  const lines = n * lineStep + 6 + rowsHeight(chain);
  return size.head + size.pad + Math.max(cards, lines);
}

/** cardHeight is that of all cards of a box, which they fill together. */
function cardTop(n: number, height: number, place: number): number {
  const inner = height - size.head - size.pad + size.joint;
  return size.head + Math.round((place * inner) / n);
}

/** portOf is how far below the upper edge of its box the middle of an operator's card is. */
export function portOf(o: Operator, height: number): number {
  const n = o.chain.operators.length;
  return Math.round((cardTop(n, height, o.place) + cardTop(n, height, o.place + 1) - size.joint) / 2);
}

export function operatorPlaces(chain: Chain, box: Box): OperatorPlace[] {
  const n = chain.operators.length;
  const x = box.x + size.pad;
  const w = box.w - 2 * size.pad;
  return chain.operators.map((operator, i) => {
    const top = cardTop(n, box.h, i);
    return {
      operator,
      card: boxAt(x, box.y + top, w, cardTop(n, box.h, i + 1) - size.joint - top),
      line: boxAt(x, box.y + size.head + i * lineStep, w, size.line),
    };
  });
}

/** rowsTop is where the subtasks of a box begin in layer 3. */
export const rowsTop = (chain: Chain, box: Box): Box => ({
  x: box.x + size.pad,
  y: box.y + size.head + chain.operators.length * lineStep + 4,
  w: box.w - 2 * size.pad,
  h: rowsHeight(chain),
});
