import type { OperatorPlace } from "./cards";
import { bottom, type Box, type Point, size } from "./sizes";

/** A Joint is a chained edge: a line inside of a box, above the card that it calls. */
export interface Joint {
  path: string;
  tip: Point; // of its arrow
  label: Box;
}

const inset = 24;

/**
 * jointOf is straight from a card to the next one. A chain that divides has calls over other cards, too: their lines pass those in
 * the margin of the box.
 */
export function jointOf(from: OperatorPlace, to: OperatorPlace): Joint {
  const x = to.card.x + inset;
  const tip = { x, y: to.card.y };
  const label = { x: x + 10, y: to.card.y - size.joint + 4, w: to.card.w - inset - 10, h: size.joint - 8 };
  if (to.operator.place === from.operator.place + 1) return { path: `M${x} ${bottom(from.card)}V${tip.y - 5}`, tip, label };
  const margin = from.card.x - size.pad / 2;
  const turn = to.card.y - size.joint / 2 - 5;
  const y = bottom(from.card) - 14;
  return { path: `M${from.card.x} ${y}H${margin}V${turn}H${x}V${tip.y - 5}`, tip, label };
}
