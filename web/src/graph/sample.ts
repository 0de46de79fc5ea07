import type { Graphs } from "../api";
import { type Chain, type Model, modelOf } from "./model";

/** layoutModel is a small job for tests: a, a source with a chained operator, feeds b. */
export function layoutModel(): { model: Model; a: Chain; b: Chain } {
  const model = modelOf({
    streamGraph: {
      nodes: [{ id: 1, name: "Source: in" }, { id: 2, name: "parse" }, { id: 3, name: "out" }],
      edges: [
        { id: "e1", source: 1, target: 2, partitioner: "FORWARD", chain: { chained: true } },
        { id: "e2", source: 2, target: 3, partitioner: "HASH", chain: { chained: false } },
      ],
    },
    jobGraph: {
      vertices: [
        { id: "a", key: 0, name: "Source: in -> parse", operators: [1, 2], parallelism: 1, inputs: [] },
        { id: "b", key: 1, name: "out", operators: [3], parallelism: 1, inputs: [{ vertex: "a", edge: "e2" }] },
      ],
    },
  } as unknown as Graphs);
  const [a, b] = model.chains;
  return { model, a, b };
}
