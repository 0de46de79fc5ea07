// Points, boxes and the sizes of everything that has a place. All of them are whole pixels, so that lines are crisp.

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

export const size = {
  column: 232, // width of a box
  gap: 150, // between columns: the room of curves and labels
  between: 44, // between boxes of a column
  lane: 12, // height of the room of an edge that passes a column
  head: 30, // of a box, where the name is
  pad: 10, // between a box and what is in it
  card: 78, // an operator in layers 1 and 2
  joint: 26, // between cards
  line: 20, // an operator in layer 3
  row: 15, // a subtask in layer 3
  bar: 4, // several subtasks in layer 3
  label: { w: 148, h: 38, line: 21 },
  slot: 72, // width of the names of slots
  place: 19, // a subtask in layer 4
  band: 28, // head of a TaskManager
};

/** stride is how far apart columns are. */
export const stride = size.column + size.gap;

export const left = (column: number): number => column * stride;

export const bottom = (b: Box): number => b.y + b.h;

export const right = (b: Box): number => b.x + b.w;

export const middle = (b: Box): number => b.y + b.h / 2;

export const boxAt = (x: number, y: number, w: number, h: number): Box => ({ x, y, w, h });

/** around is the smallest box that holds all of them. */
export function around(boxes: Box[]): Box {
  if (boxes.length === 0) return { x: 0, y: 0, w: 0, h: 0 };
  const b = { l: Infinity, t: Infinity, r: -Infinity, b: -Infinity };
  for (const k of boxes) {
    b.l = Math.min(b.l, k.x);
    b.t = Math.min(b.t, k.y);
    b.r = Math.max(b.r, right(k));
    b.b = Math.max(b.b, bottom(k));
  }
  return { x: b.l, y: b.t, w: b.r - b.l, h: b.b - b.t };
}
