// The end of a text file that may be large and grow: more of it is read only when it is asked for.

/** A Tail is the text of a file from a byte on to another. */
export interface Tail {
  readonly from: number;
  readonly end: number;
  readonly text: string;
  /** The number of its first line. It falls as older ones come before, so that each line keeps its own. */
  readonly first: number;
}

/** chunk is how many bytes are read at a time. */
export const chunk = 64 << 10;

/** most is how much text is kept: a file that is followed for days must not fill the tab. */
export const most = 1 << 20;

/** startOf is where to begin with a file of a size. */
export const startOf = (size: number): number => Math.max(0, size - chunk);

/** before puts an older part in front. */
export const before = (tail: Tail, from: number, text: string): Tail => ({ ...tail, from, text: text + tail.text, first: tail.first - breaks(text) });

/** after adds what has been written since. */
export const after = (tail: Tail, end: number, text: string): Tail => ({ ...tail, end, text: tail.text + text });

const breaks = (text: string): number => text.split("\n").length - 1;

export interface TailLine {
  number: number;
  text: string;
}

/** linesOf is the whole lines of a tail: what begins in the middle of one is left out until the rest was read. */
export function linesOf({ from, text, first }: Tail): TailLine[] {
  const lines = text.split("\n").map((line, i) => ({ number: first + i, text: line }));
  if (from > 0) lines.shift();
  if (lines.at(-1)?.text === "") lines.pop();
  return lines;
}
