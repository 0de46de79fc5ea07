import { integer } from "../fmt";
import type { Layout } from "./layout/layout";
import { crowd, type Mark } from "./layout/marks";

/** layers is what there is to choose from, and what each shows. */
export const layers = [
  { id: "1", title: "Stream", hint: "1", about: "operators as you wrote them, and how records are dealt out between them" },
  { id: "2", title: "Job", hint: "2", about: "chains: operators that call each other in one task; other edges cross tasks" },
  { id: "3", title: "Execution", hint: "3", about: "one row a subtask; every line is a channel" },
  { id: "4", title: "Physical", hint: "4", about: "the same tasks by TaskManager, worker and slot" },
  { id: "5", title: "Table", hint: "5", about: "the same facts as text" },
];

/** aboutOf is what a layer shows, and where a row stands for several subtasks, of how many it is the worst. */
export function aboutOf(layer: number, layout: Layout): string {
  const many = crowd(marksIn(layer, layout));
  if (many === 1) return layers[layer - 1].about;
  const row = `a row is up to ${integer(many)} subtasks, the worst of them`;
  return layer === 3 ? row : `the same tasks by TaskManager; ${row}`;
}

function marksIn(layer: number, { chains, places }: Layout): Mark[] {
  if (layer === 3) return chains.flatMap((c) => c.rows.all);
  return layer === 4 ? places.marks.flatMap((m) => m.all) : [];
}
