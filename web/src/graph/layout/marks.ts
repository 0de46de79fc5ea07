import type { Chain } from "../model";
import { type Box, boxAt, size } from "./sizes";

/** A Mark stands for one subtask, or in a chain of many for several: then it is thinner, and shows the worst of them. */
export interface Mark {
  chain: Chain;
  subtasks: number[];
  box: Box;
  band: number; // of its TaskManager; -1 in layer 3, which has none
}

/** Marks are those of a chain in a layer, and which of them stands for a subtask. */
export interface Marks {
  all: Mark[];
  of: Mark[];
}

export function marksOf(all: Mark[]): Marks {
  const of: Mark[] = [];
  for (const mark of all) for (const s of mark.subtasks) of[s] = mark;
  return { all, of };
}

/** crowd is for how many subtasks a mark stands at most. */
export const crowd = (marks: Mark[]): number => marks.reduce((most, m) => Math.max(most, m.subtasks.length), 1);

/** most is how many subtasks of a chain have a row each. */
export const most = 32;

export const isThin = (chain: Chain): boolean => chain.parallelism > most;

/** groupsOf divides subtasks into at most so many groups of neighbours. */
export function groupsOf(subtasks: number[], groups: number): number[][] {
  const from = (group: number): number => Math.floor((group * subtasks.length) / groups);
  if (subtasks.length <= groups) return subtasks.map((s) => [s]);
  return Array.from({ length: groups }, (_, g) => subtasks.slice(from(g), from(g + 1)));
}

/** rowsHeight is the room that the subtasks of a chain need in layer 3. */
export const rowsHeight = (chain: Chain): number =>
  isThin(chain) ? most * size.bar : chain.parallelism * size.row;

/** rows is the marks of a chain in layer 3, from the top of a box. */
export function rows(chain: Chain, at: Box): Marks {
  const all = [...new Array<number>(chain.parallelism).keys()];
  const pitch = isThin(chain) ? size.bar : size.row;
  const marks = groupsOf(all, most).map((subtasks, i) => {
    const box = boxAt(at.x, at.y + i * pitch, at.w, pitch - 1);
    return { chain, subtasks, box, band: -1 };
  });
  return marksOf(marks);
}
