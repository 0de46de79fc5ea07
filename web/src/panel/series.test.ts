import type { History } from "../api";
import { test, equal } from "../testing";
import { linesOf, measured, readout, summaryOf, timesOf, withLane } from "./series";

const history: History = {
  from: 10_000,
  step: 10_000,
  lanes: ["0", "1", "2"],
  series: { busy: [[1, 2], [10, 12], [2, null]], in: [[1, 1], [1, 1], [1, 1]] },
};

const hot = (h: History, name: string, subtask?: number) => linesOf(h, name, subtask).flatMap((l) => (l.hot ? [l.label] : []));

test("the outlier is in colour, or who is asked for", () => {
  equal(hot(history, "busy"), ["subtask 1"]);
  equal(hot(history, "busy", 2), ["subtask 2"]);
  equal(hot(history, "in"), []);
  equal(hot(history, "unknown"), []);
});

test("of quantiles the largest is in colour, of one line that one", () => {
  const many: History = { ...history, lanes: ["p50", "p99", "max"], series: { busy: [[1], [5], [900]] } };
  equal(linesOf(many, "busy", 0).map((l) => [l.label, l.hot]), [["p50", false], ["p99", false], ["max", true]]);
  equal(hot({ ...history, lanes: ["0"], series: { busy: [[0]] } }, "busy"), ["subtask 0"]);
});

test("a summary leaves out what was not measured", () => {
  equal(summaryOf([2, null, 4]), { now: 4, min: 2, mean: 3, max: 4 });
  equal(summaryOf([2, null]).now, null);
  equal(summaryOf([]), { now: null, min: null, mean: null, max: null });
});

test("times are those of the points", () => {
  equal(timesOf(history), [10, 20]);
  equal(timesOf({ ...history, series: {} }), []);
});

test("a readout names the lines in colour, and where the others are", () => {
  const text = (h: History, name: string, at: number) => readout(linesOf(h, name), at, (n) => (n === null ? "–" : String(n)));
  equal(text(history, "busy", 0), "subtask 1 10, others 1 to 2");
  equal(text(history, "busy", 1), "subtask 1 12, the other 2");
  equal(text(history, "in", 0), "1");
  equal(text({ ...history, lanes: ["0"], series: { busy: [[null]] } }, "busy", 0), "subtask 0 –");
});

test("a subtask stands beside the quantiles of many", () => {
  const many: History = { from: 20, step: 10, lanes: ["p50", "max"], series: { busy: [[1, 1, 1], [9, 9, 9]] } };
  const one: History = { from: 10, step: 10, lanes: ["70"], series: { busy: [[3, 4, 5]] } };
  const both = withLane(many, one);
  equal([both.lanes, both.series.busy![2]], [["p50", "max", "70"], [4, 5, null]]);
  equal(hot(both, "busy", 70), ["subtask 70"]);
  equal(hot(many, "busy"), ["max"]);
});

test("lines may have no number at all", () => {
  equal(measured(linesOf(history, "busy")), true);
  equal(measured(linesOf({ ...history, series: { busy: [[null], [null]] } }, "busy")), false);
});
