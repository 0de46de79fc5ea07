import { equal, test } from "../testing";
import type { Edge } from "./model";
import { reasonsOf } from "./reasons";

const edge = (...missed: string[]): Edge =>
  ({
    partitioner: "HASH",
    from: { chain: { parallelism: 1 } },
    to: { chain: { parallelism: 2 } },
    stream: { chain: { checks: [{ rule: "one-reader", ok: true }, ...missed.map((rule) => ({ rule, ok: false }))] } },
  }) as unknown as Edge;

test("what fits is said", () => {
  equal(reasonsOf(edge("forward")), "not FORWARD");
  equal(reasonsOf(edge("same-parallelism", "forward")), "1 to 2 · not FORWARD");
});

test("what does not fit is counted", () => {
  equal(reasonsOf(edge("forward", "no-union")), "not FORWARD · union");
  equal(reasonsOf(edge("forward", "no-union", "one-input")), "not FORWARD · +2");
  equal(reasonsOf(edge("slot-sharing-group", "chaining-enabled")), "other slot group · +1");
});

test("a condition that is new has its own name", () => equal(reasonsOf(edge("moon-phase")), "moon-phase"));

test("without conditions there is nothing to say", () => equal(reasonsOf(edge()), "not chained"));
