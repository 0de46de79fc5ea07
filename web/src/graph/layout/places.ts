import type { GraphSubtask } from "../../api";
import type { Chain, Manager, Model } from "../model";
import { groupsOf, isThin, type Mark, type Marks, marksOf } from "./marks";
import { type Box, boxAt, size } from "./sizes";

/** Places is layer 4: a band for each TaskManager, in which every task keeps its x. */
export interface Places {
  bands: Band[];
  marks: Marks[]; // by the index of the chain
  heads: Box[]; // the names of chains, at the heads of their columns
  header: number; // height of the heads
  dense: boolean; // slots are not shown one by one
}

export interface Band {
  id: string; // "": of tasks that have no slot yet
  manager: Manager | null; // null: the job has no slot of it any more
  box: Box;
  slots: Slot[]; // none: there are too many to show
}

export interface Slot {
  index: number;
  y: number;
  h: number;
}

/** mostSlots is how many are shown one by one. */
const mostSlots = 64;

/** barsAt is how many bars there are at most for the subtasks that a chain has at a TaskManager, where slots are not shown. */
const barsAt = (managers: number): number => Math.max(8, Math.min(32, Math.floor(96 / managers)));

const headStep = 22;
const passage = 16; // free above the bands, for edges that pass all columns

type Columns = Chain[][]; // chains from top to bottom

export function placesOf(model: Model, columns: Columns, box: Box[], labels: number): Places {
  const header = Math.max(52, Math.max(0, ...columns.map((c) => c.length)) * headStep + 10, labels * size.label.line + 10);
  const marks: Mark[][] = model.chains.map(() => []);
  const frame = { x: -size.slot - size.pad, w: Math.max(0, ...box.map((b) => b.x + b.w)) + size.slot + 2 * size.pad };
  const homes = homesOf(model);
  const dense = model.chains.some(isThin) || slotCount(homes) > mostSlots;
  const bands: Band[] = [];
  let y = header + passage;
  for (const home of homes) {
    const band: Band = { id: home.id, manager: home.manager, box: { ...frame, y, h: 0 }, slots: [] };
    const fill = dense ? fillDensely(barsAt(homes.length)) : fillSlots;
    band.box.h = fill(band, bands.length, home, columns, box, marks) + 6 - y;
    y += band.box.h + 12;
    bands.push(band);
  }
  return { bands, marks: marks.map(marksOf), heads: headsOf(model, columns, box, header), header, dense };
}

/** A Home is a TaskManager and the tasks that are there. */
interface Home {
  id: string;
  manager: Manager | null;
  tasks: Map<Chain, GraphSubtask[]>;
  slots: Set<number>;
}

type Task = [Chain, GraphSubtask];

/** homesOf is the TaskManagers where the job has slots, then those that tasks ended at, then that of tasks that are nowhere. */
function homesOf(model: Model): Home[] {
  const homes = new Map<string, Home>();
  for (const m of model.managers) homes.set(m.id, homeOf(m.id, m));
  const nowhere = homeOf("", null);
  for (const chain of model.chains) {
    for (const s of chain.subtasks) {
      let home = s.taskManager ? homes.get(s.taskManager) : nowhere;
      if (!home) homes.set(s.taskManager, (home = homeOf(s.taskManager, null)));
      const tasks = home.tasks.get(chain);
      if (tasks) tasks.push(s);
      else home.tasks.set(chain, [s]);
      home.slots.add(s.slot);
    }
  }
  return nowhere.tasks.size ? [...homes.values(), nowhere] : [...homes.values()];
}

const homeOf = (id: string, manager: Manager | null): Home => ({
  id,
  manager,
  tasks: new Map(),
  slots: new Set(manager?.slots),
});

const slotCount = (homes: Home[]): number => homes.reduce((n, h) => n + h.slots.size, 0);

/** fillSlots puts each task into its slot and returns where the band's contents end. */
function fillSlots(band: Band, at: number, home: Home, columns: Columns, box: Box[], marks: Mark[][]): number {
  let y = band.box.y + size.band;
  const bySlot = columns.map((column) => tasksBySlot(home, column));
  for (const index of [...home.slots].sort((a, b) => a - b)) {
    const inSlot = bySlot.map((tasks) => tasks.get(index) ?? []);
    const lanes = Math.max(1, ...inSlot.map((tasks) => tasks.length));
    for (const tasks of inSlot) {
      const top = y + 4 + ((lanes - tasks.length) * size.place) / 2;
      tasks.forEach(([chain, { index }], i) => {
        const place = inner(box[chain.index], Math.round(top + i * size.place), size.place - 3);
        marks[chain.index].push({ chain, subtasks: [index], box: place, band: at });
      });
    }
    const h = lanes * size.place + 8;
    band.slots.push({ index, y, h });
    y += h;
  }
  return y;
}

/** fillDensely puts bars, each for some subtasks of a chain, and returns where the band's contents end. */
const fillDensely =
  (most: number): typeof fillSlots =>
  (band, at, home, columns, box, marks) => {
    const top = band.box.y + size.band;
    let end = top + size.place;
    for (const column of columns) {
      let y = top;
      for (const chain of column) {
        const subtasks = (home.tasks.get(chain) ?? []).map((t) => t.index);
        for (const group of groupsOf(subtasks, most)) {
          const place = inner(box[chain.index], y, size.bar - 1);
          marks[chain.index].push({ chain, subtasks: group, box: place, band: at });
          y += size.bar;
        }
        if (subtasks.length) y += 6;
      }
      end = Math.max(end, y);
    }
    return end;
  };

/** tasksBySlot is the tasks of a column, from top to bottom. */
function tasksBySlot(home: Home, column: Chain[]): Map<number, Task[]> {
  const slots = new Map<number, Task[]>();
  for (const c of column) {
    for (const s of home.tasks.get(c) ?? []) {
      const same = slots.get(s.slot);
      if (same) same.push([c, s]);
      else slots.set(s.slot, [[c, s]]);
    }
  }
  return slots;
}

const inner = (b: Box, y: number, h: number): Box => boxAt(b.x + size.pad, y, b.w - 2 * size.pad, h);

function headsOf(model: Model, columns: Columns, box: Box[], header: number): Box[] {
  const heads: Box[] = new Array(model.chains.length);
  for (const column of columns) {
    const top = Math.round((header - column.length * headStep) / 2);
    column.forEach((c, i) => {
      heads[c.index] = { x: box[c.index].x, y: top + i * headStep, w: size.column, h: headStep };
    });
  }
  return heads;
}

/** passageY is the height of the free way above all bands. */
export const passageY = (p: Places): number => p.header + passage / 2;
