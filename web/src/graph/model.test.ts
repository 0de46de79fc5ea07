import type { Graphs } from "../api";
import { equal, test } from "../testing";
import { modelOf, shapeOf } from "./model";

const graphs = (streamGraph: unknown): Graphs =>
  ({
    streamGraph,
    jobGraph: {
      vertices: [
        { id: "a", key: 0, name: "Source: in -> parse", operators: [1, 2], parallelism: 1, slotSharingGroup: "default", inputs: [] },
        { id: "b", key: 1, name: "Sink: out", operators: [3], parallelism: 2, slotSharingGroup: "default", inputs: [{ vertex: "a", edge: "e2", shipStrategy: "HASH" }] },
      ],
    },
  }) as unknown as Graphs;

const stream = {
  nodes: [{ id: 1, name: "Source: in" }, { id: 2, name: "parse" }, { id: 3, name: "Sink: out" }],
  edges: [
    { id: "e1", source: 1, target: 2, partitioner: "FORWARD", chain: { chained: true } },
    { id: "e2", source: 2, target: 3, partitioner: "HASH", chain: { chained: false } },
  ],
};

test("operators, chains and edges know each other", () => {
  const m = modelOf(graphs(stream));
  equal(m.chains.map((c) => [c.name, c.operators.map((o) => o.name)]), [["in → parse", ["in", "parse"]], ["out", ["out"]]]);
  equal(m.edges.map((e) => [e.from.name, e.to.name, e.chained, e.input?.edge ?? null]), [["in", "parse", true, null], ["parse", "out", false, "e2"]]);
});

test("without a stream graph there is a card for each chain", () => {
  const m = modelOf(graphs(null));
  equal(m.chains.map((c) => c.operators.map((o) => o.name)), [["in → parse"], ["out"]]);
  equal(m.edges.map((e) => [e.id, e.from.name, e.to.name]), [["e2", "in → parse", "out"]]);
});

test("a program that does not run has no subtasks", () => {
  const m = modelOf(graphs(stream));
  equal([m.chains[0].subtasks, m.managers], [[], []]);
});

test("the shape is the same as long as nothing has to move", () => {
  equal(shapeOf(graphs(stream)), shapeOf(graphs({ ...stream, edges: [] })));
  if (shapeOf(graphs(stream)) === shapeOf(graphs(null))) throw new Error("a stream graph more makes no other shape");
});
