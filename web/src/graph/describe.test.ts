import type { StreamNode } from "../api";
import { equal, test } from "../testing";
import { describe } from "./describe";

const said = (node: Partial<StreamNode>, room = 36): string =>
  describe({ name: "Map", kind: "operator", operation: "Map", state: "", description: node.name ?? "Map", ...node } as StreamNode, room).replaceAll("\u00a0", " ");

test("an operator says what it does, whatever it is called", () => {
  equal(said({}), "one record to one");
  equal(said({ name: "parse" }), "one record to one");
  equal(said({ name: "total", operation: "Keyed Reduce", state: "keyed state" }), "folds records by key · keyed state");
  equal(said({ name: "total", operation: "Keyed Reduce", state: "keyed state" }, 30), "folds records by key");
  equal(said({ name: "lookup", operation: "Async Wait" }), "Async Wait");
  equal(said({ name: "Co-Map", operation: "Co-Map" }), "operator");
});

test("a window says how long it is", () => {
  const window = (assigner: string) => said({ name: "w", operation: "w", description: `Window(${assigner}, EventTimeTrigger, ReduceFn)` });
  equal(window("TumblingProcessingTimeWindows(5000)"), "tumbling 5 s, processing time");
  equal(window("SlidingEventTimeWindows(60000, 5000)"), "sliding 1 min every 5 s, event time");
});

test("sources and sinks say what they are", () => {
  equal(said({ name: "Source: orders", kind: "source", operation: "orders", state: "positions of its splits" }), "source · keeps its positions");
  equal(said({ name: "Source: orders", kind: "source", operation: "Generator Source", state: "positions of its splits" }), "Generator Source");
  equal(said({ name: "alerts: Writer", kind: "sink", operation: "Writer" }), "writes records");
  equal(said({ name: "Sink: Print to Std. Out", kind: "sink", operation: "Print to Std. Out" }), "sink");
});

test("what the user says of it goes first", () => equal(said({ name: "score", description: "gradient trees" }), "gradient trees"));
