import type { ExceptionEntry } from "../api";
import { equal, test } from "../testing";
import { oftenText, runsOf } from "./runs";

const failure = (timestamp: number, stacktrace: string, operator = "sink"): ExceptionEntry => ({
  exceptionName: "error", stacktrace, timestamp, failureLabels: {}, concurrentExceptions: [],
  flott: { vertex: "v", operator, tasks: 1, frames: [], restart: null, phases: [], downtime: null, note: "" },
});

test("neighbours of one cause are one run, whatever numbers they have in them", () => {
  const all = [failure(9, "row 17: full"), failure(8, "row 4: full"), failure(7, "lost"), failure(6, "row 1: full"), failure(5, "row 1: full", "map")];
  equal(runsOf(all).map((run) => run.map((e) => e.timestamp)), [[9, 8], [7], [6], [5]]);
  equal(runsOf([]), []);
});

test("how often, since when, how fast", () => {
  const [run] = runsOf([failure(3_610_000, "full"), failure(3_604_000, "full"), failure(3_600_000, "full")]);
  equal(oftenText(run!), "3 times since 01:00:00, about every 5\u00a0s");
});
