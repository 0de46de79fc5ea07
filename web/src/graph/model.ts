import type { GraphInput, Graphs, GraphSubtask, StreamEdge, StreamNode } from "../api";
import { operatorName, vertexName } from "../panel/names";

/** A Manager is a TaskManager where the job has slots. */
export type Manager = Graphs["physical"]["taskManagers"][number];

/** A Model is what the graphs answer says, with references in place of ids. */
export interface Model {
  chains: Chain[];
  operators: Map<number, Operator>;
  edges: Edge[];
  managers: Manager[];
}

/** A Chain is a vertex of the job graph: operators that call each other. */
export interface Chain {
  index: number;
  id: string;
  key: number; // its letter and hue
  name: string;
  group: string; // that shares slots
  parallelism: number;
  operators: Operator[];
  subtasks: GraphSubtask[]; // none: the program does not run
}

export interface Operator {
  id: number;
  name: string;
  node: StreamNode | null;
  chain: Chain;
  place: number; // in its chain
}

export interface Edge {
  id: string;
  from: Operator;
  to: Operator;
  chained: boolean;
  partitioner: string;
  stream: StreamEdge | null;
  input: GraphInput | null; // null: chained
}

/** blocks says that the receiver waits until all has been sent. */
export const blocks = (e: Edge): boolean => e.input?.resultType.startsWith("BLOCKING") ?? false;

export function modelOf(graphs: Graphs): Model {
  const operators = new Map<number, Operator>();
  const nodes = new Map(graphs.streamGraph?.nodes.map((n) => [n.id, n]));
  const subtasks = new Map(graphs.executionGraph?.vertices.map((v) => [v.id, v.subtasks]));
  const chains = graphs.jobGraph.vertices.map((v, index) => {
    const chain: Chain = {
      index,
      id: v.id,
      key: v.key,
      name: vertexName(v.name),
      group: v.slotSharingGroup,
      parallelism: v.parallelism,
      operators: [],
      subtasks: subtasks.get(v.id) ?? [],
    };
    // A job that came without its stream graph shows one card for each chain.
    for (const id of graphs.streamGraph ? v.operators : v.operators.slice(0, 1)) {
      const node = nodes.get(id) ?? null;
      const operator = { id, name: node ? operatorName(node.name) : chain.name, node, chain, place: chain.operators.length };
      chain.operators.push(operator);
      operators.set(id, operator);
    }
    return chain;
  });
  const edges = graphs.streamGraph ? streamEdges(graphs, operators) : jobEdges(graphs, chains);
  return { chains, operators, edges, managers: graphs.physical?.taskManagers ?? [] };
}

function streamEdges(graphs: Graphs, operators: Map<number, Operator>): Edge[] {
  const inputs = new Map(graphs.jobGraph.vertices.flatMap((v) => v.inputs.map((i) => [i.edge, i])));
  const edges: Edge[] = [];
  for (const e of graphs.streamGraph!.edges) {
    const [from, to] = [operators.get(e.source), operators.get(e.target)];
    if (!from || !to) continue; // of an operator that is not in the job graph
    const input = inputs.get(e.id) ?? null;
    edges.push({ id: e.id, from, to, chained: e.chain.chained, partitioner: e.partitioner, stream: e, input });
  }
  return edges;
}

function jobEdges(graphs: Graphs, chains: Chain[]): Edge[] {
  const byID = new Map(chains.map((c) => [c.id, c]));
  return graphs.jobGraph.vertices.flatMap((v, i) =>
    v.inputs.map((input) => ({
      id: input.edge,
      from: byID.get(input.vertex)!.operators[0],
      to: chains[i].operators[0],
      chained: false,
      partitioner: input.shipStrategy,
      stream: null,
      input,
    })),
  );
}

/** shapeOf is what the picture is made of, as a text: while it is the same, nothing has to move. */
export function shapeOf(graphs: Graphs): string {
  const places = graphs.executionGraph?.vertices.map((v) => v.subtasks.map((s) => [s.taskManager, s.slot]));
  const nodes = graphs.streamGraph?.nodes.map((n) => n.id);
  return JSON.stringify([nodes, graphs.jobGraph, places, graphs.physical?.taskManagers.map((m) => [m.id, m.slots])]);
}
