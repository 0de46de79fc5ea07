import { hue, letters } from "../../ui/mark";
import type { Chain } from "../model";
import { channelsOf, type TaskLayer } from "./channels";
import { finder, frameOf, hit, passes, stretchesOf } from "./crossing";
import type { Layout } from "./layout";
import { bottom, type Box, right } from "./sizes";

// What must hold for every picture. For tests.

type Layer = 1 | 2 | 3 | 4;

/** A Thing is a box that is drawn; things of the same owner may lie over each other. */
interface Thing {
  name: string;
  owner: string; // the thing that it lies on; "": none
  box: Box;
  label: boolean; // lines may be under it
}

/** A Stroke is a line that is drawn, and the things that it may touch. */
interface Stroke {
  name: string;
  ends: string[];
  path: string;
}

/** faults is everything that is wrong with a picture. */
export function faults(l: Layout): string[] {
  return [...faultsOf(1, l), ...faultsOf(2, l), ...faultsOf(3, l), ...faultsOf(4, l), ...moved(l), ...inBoxes(l), ...renamed(l)];
}

function faultsOf(layer: Layer, l: Layout): string[] {
  const things = thingsOf(layer, l);
  const strokes = layer < 3 ? streamStrokes(layer, l) : channelStrokes(layer as TaskLayer, l);
  const bounds = layer === 4 ? l.bounds.places : l.bounds.boxes;
  return [...overlaps(things), ...outside(things, bounds), ...crossings(strokes, things, bounds)].map((f) => `layer ${layer}: ${f}`);
}

const boxName = (c: Chain): string => `box ${c.index}`;

const taskName = (c: Chain, subtask: number): string => `task ${c.index}.${subtask}`;

function thingsOf(layer: Layer, l: Layout): Thing[] {
  return [...l.chains.flatMap((c) => (layer === 4 ? placedThings(c.chain, l) : boxedThings(c.chain, layer, l))), ...labels(layer, l)];
}

function boxedThings(c: Chain, layer: Layer, l: Layout): Thing[] {
  const { box, rows } = l.chains[c.index];
  const on = (name: string, b: Box): Thing => ({ name, owner: boxName(c), box: b, label: false });
  const operators = c.operators.map((o) => on(`operator ${o.id}`, l.operators.get(o.id)![layer === 3 ? "line" : "card"]));
  const tasks = layer === 3 ? rows.all.map((m) => on(taskName(c, m.subtasks[0]), m.box)) : [];
  return [{ name: boxName(c), owner: "", box, label: false }, ...operators, ...tasks];
}

function placedThings(c: Chain, l: Layout): Thing[] {
  const tasks = l.places.marks[c.index].all.map((m) => ({ name: taskName(c, m.subtasks[0]), owner: "", box: m.box, label: false }));
  return [{ name: `head ${c.index}`, owner: "", box: l.places.heads[c.index], label: false }, ...tasks];
}

function labels(layer: Layer, l: Layout): Thing[] {
  const kind = layer === 4 ? "places" : layer === 3 ? "rows" : "cards";
  const cut = l.edges.flatMap((p) => (p.labels[kind] ? [{ name: `label ${p.edge.id}`, owner: "", box: p.labels[kind], label: true }] : []));
  if (layer > 2) return cut;
  const calls = [...l.joints].map(([e, j]) => ({ name: `label ${e.id}`, owner: boxName(e.from.chain), box: j.label, label: true }));
  return [...cut, ...calls];
}

function streamStrokes(layer: Layer, l: Layout): Stroke[] {
  const edges = l.edges.map(({ edge, stream, job }) => ({
    name: `edge ${edge.id}`,
    ends: [boxName(edge.from.chain), boxName(edge.to.chain)],
    path: layer === 1 ? stream : job,
  }));
  const joints = [...l.joints].map(([e, joint]) => ({
    name: `joint ${e.id}`,
    ends: [boxName(e.from.chain), `operator ${e.from.id}`],
    path: joint.path,
  }));
  return [...edges, ...joints];
}

function channelStrokes(layer: TaskLayer, l: Layout): Stroke[] {
  return l.edges.flatMap((p) => {
    const [from, to] = [p.edge.from.chain, p.edge.to.chain];
    const channels = channelsOf(l, p, layer);
    const boxes = [boxName(from), boxName(to)];
    if ("ribbon" in channels) return [{ name: `ribbon ${p.edge.id}`, ends: boxes, path: channels.ribbon }];
    return channels.lines.map((c) => ({
      name: `channel ${p.edge.id}`,
      ends: [...boxes, taskName(from, c.from.subtasks[0]), taskName(to, c.to.subtasks[0])],
      path: c.path,
    }));
  });
}

function overlaps(things: Thing[]): string[] {
  const sorted = [...things].sort((a, b) => a.box.y - b.box.y);
  const found: string[] = [];
  sorted.forEach((a, i) => {
    for (let k = i + 1; k < sorted.length && sorted[k].box.y < bottom(a.box); k++) {
      const b = sorted[k];
      if (hit(a.box, b.box) && a.owner !== b.name && b.owner !== a.name) found.push(`${a.name} overlaps ${b.name}`);
    }
  });
  return found;
}

function outside(things: Thing[], bounds: Box): string[] {
  return things.filter((t) => !holds(bounds, t.box)).map((t) => `${t.name} is outside`);
}

const holds = (a: Box, b: Box): boolean => a.x <= b.x && a.y <= b.y && right(a) >= right(b) && bottom(a) >= bottom(b);

function crossings(strokes: Stroke[], things: Thing[], bounds: Box): string[] {
  const near = finder(things.filter((t) => !t.label));
  const room = { x: bounds.x - 1, y: bounds.y - 1, w: bounds.w + 2, h: bounds.h + 2 };
  const found = new Set<string>();
  for (const s of strokes) {
    for (const stretch of stretchesOf(s.path)) {
      const frame = frameOf(stretch);
      if (!holds(room, frame)) found.add(`${s.name} leaves the picture`);
      for (const t of near(frame)) {
        if (!s.ends.includes(t.name) && passes(stretch, frame, t.box)) found.add(`${s.name} crosses ${t.name}`);
      }
    }
  }
  return [...found];
}

/** moved is what is not at the same x in all layers. */
function moved(l: Layout): string[] {
  return l.chains.flatMap(({ chain, box, rows }) => {
    const operators = chain.operators.map((o) => l.operators.get(o.id)!);
    const inner = [...operators.flatMap((o) => [o.card, o.line]), ...[...rows.all, ...l.places.marks[chain.index].all].map((m) => m.box)];
    const off = inner.filter((b) => b.x !== inner[0].x || b.w !== inner[0].w).map(() => `something of box ${chain.index} moves aside`);
    const head = l.places.heads[chain.index];
    return head.x === box.x && head.w === box.w ? off : [...off, `head ${chain.index} moves aside`];
  });
}

/** renamed is the boxes whose operators and tasks do not all have the box's hue and letter, and those whose letter another one has. */
function renamed(l: Layout): string[] {
  const identity = (c: Chain): string => letters(c.key) + hue(c.key)["--c"];
  const known = new Set<string>();
  return l.chains.flatMap(({ chain, rows }) => {
    const marks = [...rows.all, ...l.places.marks[chain.index].all];
    const all = new Set([chain, ...chain.operators.map((o) => l.operators.get(o.id)!.operator.chain), ...marks.map((m) => m.chain)].map(identity));
    const fault = all.size > 1 ? [`box ${chain.index} is ${[...all].join(" and ")}`] : [];
    if (known.has(letters(chain.key))) fault.push(`two boxes are ${letters(chain.key)}`);
    known.add(letters(chain.key));
    return fault;
  });
}

/** inBoxes is what is not in its box or in its TaskManager, and subtasks that nothing stands for. */
function inBoxes(l: Layout): string[] {
  const found: string[] = [];
  for (const c of l.chains) {
    for (const o of c.chain.operators) {
      const { card, line } = l.operators.get(o.id)!;
      if (!holds(c.box, card) || !holds(c.box, line)) found.push(`operator ${o.id} leaves its box`);
    }
    for (const m of c.rows.all) if (!holds(c.box, m.box)) found.push(`a task leaves box ${c.chain.index}`);
    const placed = l.places.marks[c.chain.index];
    for (const m of placed.all) if (!holds(l.places.bands[m.band].box, m.box)) found.push(`a task leaves its TaskManager`);
    for (const s of c.chain.subtasks) {
      const id = l.places.bands[placed.of[s.index]?.band]?.id;
      if (id !== s.taskManager) found.push(`task ${c.chain.index}.${s.index} is at ${id}, not at ${s.taskManager}`);
      if (!c.rows.of[s.index]) found.push(`task ${c.chain.index}.${s.index} has no row`);
    }
  }
  return found;
}
