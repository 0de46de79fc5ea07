import type { Chain, Edge, Model } from "../model";
import { boxesOf } from "./boxes";
import { type OperatorPlace, operatorPlaces, rowsTop } from "./cards";
import { type Lane, line } from "./curve";
import { type Joint, jointOf } from "./joints";
import { cardWish, labelsOf, largest, lineLabels, rowWish } from "./labels";
import { type Marks, rows } from "./marks";
import { type Places, placesOf } from "./places";
import { entersOf } from "./ports";
import { around, bottom, type Box, left, middle, right, size } from "./sizes";

// One geometry for all layers. A chain has a box in layers 1 to 3 that never changes; only what is in the box does. In layer 4 all
// tasks keep their x and are sorted by TaskManager and slot instead of chain and subtask. So x never changes, and y once.
//
//	columns     how far right: the longest way from a source
//	boxes       how high: order in the column, then straight lines; lanes for edges that pass columns
//	cards       operators in a box, as cards (layers 1, 2) and lines (layer 3)
//	ports       where edges end at a card
//	marks       subtasks in a box (layer 3)
//	places      subtasks in the slots of TaskManagers (layer 4)
//	labels      of edges, in the gaps between columns
//
// Nothing here knows of the DOM, or of numbers that change while a job runs.

/** A Layout is the place of everything in every layer. */
export interface Layout {
  model: Model;
  columns: Chain[][]; // chains from top to bottom
  chains: ChainPlace[]; // by index
  operators: Map<number, OperatorPlace>;
  edges: EdgePlace[];
  joints: Map<Edge, Joint>;
  places: Places;
  bounds: { boxes: Box; places: Box }; // of layers 1 to 3, and of layer 4
}

export interface ChainPlace {
  chain: Chain;
  column: number;
  box: Box;
  rows: Marks;
}

/** An EdgePlace is where an edge between boxes is. */
export interface EdgePlace {
  edge: Edge;
  index: number;
  lanes: Lane[];
  leaves: number; // y at the card that it comes from
  enters: number; // y at the card that it goes to
  stream: string; // path from card to card
  job: string; // path from box to box
  labels: { cards?: Box; rows?: Box; places?: Box };
}

/** tip is how far in front of its target a line ends, for the arrow. */
export const tip = 7;

export function layout(model: Model): Layout {
  const cut = model.edges.filter((e) => !e.chained);
  const { column, box, lanes } = boxesOf(model, cut);
  const tasks = model.chains.map((chain, i) => rowsTop(chain, box[i]));
  const chains = model.chains.map((chain, i) => ({ chain, column: column[i], box: box[i], rows: rows(chain, tasks[i]) }));
  const columns = columnsByHeight(chains);
  const operators = new Map(
    chains.flatMap((c) => operatorPlaces(c.chain, c.box).map((o) => [o.operator.id, o] as const)),
  );
  const edges = edgesOf(cut, operators, box, lanes);
  const joints = new Map<Edge, Joint>();
  for (const e of model.edges) {
    if (e.chained) joints.set(e, jointOf(operators.get(e.from.id)!, operators.get(e.to.id)!));
  }
  const height = Math.max(0, ...box.map(bottom));
  const gap = (p: EdgePlace): number => column[p.edge.to.chain.index];
  const cards = edges.map((p) => cardWish(p, gap(p)));
  const places = placesOf(model, columns, box, largest(cards));
  const layers = {
    cards: labelsOf(cards, height),
    rows: labelsOf(edges.map((p) => rowWish(p, gap(p), tasks)), height),
    places: lineLabels(cards, places.header),
  };
  for (const p of edges) {
    p.labels = { cards: layers.cards.get(p.edge), rows: layers.rows.get(p.edge), places: layers.places.get(p.edge) };
  }
  const labels = [...layers.cards.values(), ...layers.rows.values()];
  const passed = edges.flatMap((p) => p.lanes.map((l) => ({ x: left(l.column), y: l.y - 6, w: size.column, h: 12 })));
  const bounds = {
    boxes: around([...box, ...labels, ...passed]),
    places: around([...places.heads, ...layers.places.values(), ...places.bands.map((b) => b.box)]),
  };
  return { model, columns, chains, operators, edges, joints, places, bounds };
}

function columnsByHeight(chains: ChainPlace[]): Chain[][] {
  const columns: ChainPlace[][] = [];
  for (const c of chains) (columns[c.column] ??= []).push(c);
  return columns.map((column) => column.sort((a, b) => a.box.y - b.box.y).map((c) => c.chain));
}

function edgesOf(cut: Edge[], operators: Map<number, OperatorPlace>, box: Box[], lanes: Map<Edge, Lane[]>): EdgePlace[] {
  const card = (o: { id: number }): Box => operators.get(o.id)!.card;
  const comesFrom = (e: Edge): number => lanes.get(e)!.at(-1)?.y ?? middle(card(e.from));
  const offsets = entersOf(cut, comesFrom, (e) => card(e.to).h);
  return cut.map((edge, index) => {
    const [from, to] = [card(edge.from), card(edge.to)];
    const [a, b] = [box[edge.from.chain.index], box[edge.to.chain.index]];
    const leaves = Math.round(middle(from));
    const enters = Math.round(middle(to)) + offsets.get(edge)!;
    const way = lanes.get(edge)!;
    return {
      edge,
      index,
      lanes: way,
      leaves,
      enters,
      stream: line({ x: right(from), y: leaves }, { x: to.x - tip, y: enters }, way, [right(a), b.x]),
      job: line({ x: right(a), y: leaves }, { x: b.x - tip, y: enters }, way),
      labels: {},
    };
  });
}
