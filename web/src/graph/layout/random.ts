import type { GraphSubtask } from "../../api";
import type { Chain, Edge, Model } from "../model";

// Random jobs for tests. All that decides is the seed.

export type Random = (n: number) => number; // 0 ... n-1

export function random(seed: number): Random {
  let state = (seed * 2654435761 + 1) >>> 0;
  return (n) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % n;
  };
}

/**
 * randomModel has chains that divide, chains that many read and that read many, unions, joins of a stream with itself, side outputs,
 * edges over many columns, parts that have nothing to do with each other, up to 300 subtasks of a chain, tasks without a slot, and
 * TaskManagers that are gone.
 */
export function randomModel(r: Random, chains: number, edgesEach = 2): Model {
  const model: Model = { chains: [], operators: new Map(), edges: [], managers: [] };
  const most = [1, 4, 9, 40, 300][r(5)];
  const usual = 1 + r(most);
  for (let i = 0; i < chains; i++) addChain(model, r, [usual, usual, 1, 1 + r(most)][r(4)]);
  const size = r(3) === 0 ? 1 + r(chains) : chains; // of each part
  for (let i = 0; i < chains; i++) if (i % size > 0) addInputs(model, r, i - (i % size), i, edgesEach);
  deploy(model, r);
  return model;
}

/** addInputs lets a chain read some of those before it, from the first of its part on. */
function addInputs(model: Model, r: Random, first: number, reader: number, edgesEach: number): void {
  if (r(5) === 0) return; // a source
  for (let k = r(12) === 0 ? 8 : 1 + r(edgesEach); k > 0; k--) {
    const popular = r(6) === 0;
    addCut(model, r, model.chains[popular ? first : first + r(reader - first)], model.chains[reader]);
  }
}

function addChain(model: Model, r: Random, parallelism: number): void {
  const index = model.chains.length;
  const chain: Chain = { index, id: `v${index}`, key: index, name: "", group: "default", parallelism, operators: [], subtasks: [] };
  model.chains.push(chain);
  for (let place = 0, n = 1 + r(4); place < n; place++) {
    const id = model.operators.size + 1;
    const operator = { id, name: `op${id}`, node: null, chain, place };
    model.operators.set(id, operator);
    chain.operators.push(operator);
    if (place > 0) addEdge(model, r(3) ? id - 1 : chain.operators[r(place)].id, id, null);
  }
}

/** addCut is an edge between chains, or several between the same two operators: of a join with itself, or with side outputs. */
function addCut(model: Model, r: Random, from: Chain, to: Chain): void {
  const out = from.operators[r(from.operators.length)].id;
  const input = to.operators[0].id;
  const wiring = r(3) === 0 ? pointwise(from.parallelism, to.parallelism) : null;
  for (let times = r(6) === 0 ? 2 + r(2) : 1; times > 0; times--) addEdge(model, out, input, { wiring });
}

function addEdge(model: Model, from: number, to: number, cut: { wiring: [number, number][] | null } | null): void {
  const input = cut && {
    vertex: "",
    edge: "",
    shipStrategy: "HASH",
    distribution: cut.wiring ? "POINTWISE" : "ALL_TO_ALL",
    resultType: "PIPELINED_BOUNDED",
    channels: 0,
    wiring: cut.wiring,
  };
  const edge: Edge = {
    id: `e${model.edges.length}`,
    from: model.operators.get(from)!,
    to: model.operators.get(to)!,
    chained: !cut,
    partitioner: "HASH",
    stream: null,
    input,
  };
  model.edges.push(edge);
}

/** pointwise is what each consumer reads of so many producers. */
function pointwise(producers: number, consumers: number): [number, number][] {
  return Array.from({ length: consumers }, (_, i) => {
    const first = Math.floor((i * producers) / consumers);
    return [first, Math.max(first, Math.floor(((i + 1) * producers) / consumers) - 1)];
  });
}

function deploy(model: Model, r: Random): void {
  const perManager = 1 + r(4);
  const managers = new Set<number>();
  for (const chain of model.chains) {
    for (let index = 0; index < chain.parallelism; index++) {
      const at = Math.floor(index / perManager);
      const somewhere = r(12) > 0;
      if (somewhere && at % 5 !== 4) managers.add(at); // the others are gone
      chain.subtasks.push({
        index,
        state: somewhere ? "RUNNING" : "SCHEDULED",
        taskManager: somewhere ? `tm${at}` : "",
        slot: somewhere ? index % perManager : -1,
      } as GraphSubtask);
    }
  }
  for (const at of [...managers].sort((a, b) => a - b)) {
    const slots = [...new Array<number>(perManager).keys()];
    model.managers.push({ id: `tm${at}`, host: "host", slots, worker: null } as unknown as Model["managers"][0]);
  }
}
