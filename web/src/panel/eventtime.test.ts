import { test, equal } from "../testing";
import { lag, lagText, markOf, markText, slowest } from "./eventtime";

test("a watermark is none yet, a moment, or the end", () => {
  equal(markOf(null, 100), "none");
  equal(markOf(9223372036854776000, 100), "end");
  equal(markOf(60, 100), { at: 60, behind: 40 });
  equal(markOf(160, 100), { at: 160, behind: 0 });
  equal([markOf(null, 1), markOf(2 ** 63, 1), markOf(1, 4)].map(lag), [null, null, 3]);
});

test("marks in words", () => {
  equal(lagText("none"), "–");
  equal(lagText("end"), "all read");
  equal(lagText(markOf(58_000, 100_000)), "42\u00a0s");
  equal(markText("none"), "none yet");
  equal(markText(markOf(58_000, 100_000)), "00:00:58.000");
});

test("the slowest holds the others back", () => {
  equal(slowest([markOf(5, 9), markOf(3, 9), "end"])?.subtask, 1);
  equal(slowest([markOf(5, 9), "none"])?.subtask, 1);
  equal(slowest(["end", "end"]), { mark: "end", subtask: 0 });
  equal(slowest([]), null);
});
