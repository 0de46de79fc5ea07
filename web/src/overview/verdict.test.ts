import type { Color, JobState } from "../api";
import { equal, test } from "../testing";
import { verdict, worstFirst, type Verdict } from "./verdict";

const job = (health: Color, state: JobState = "RUNNING", end = -1) => ({ state, "end-time": end, "start-time": 0, flott: { health } });
const now = 10_000_000;
const says = (name: string, jobs: ReturnType<typeof job>[], tone: Verdict["tone"], text: string) =>
  test(name, () => {
    const v = verdict(jobs, now);
    equal([v.tone, v.text], [tone, text]);
  });

says("none", [], "ended", "No job runs");
says("one", [job("green")], "green", "The job makes progress");
says("one that needs attention", [job("amber")], "amber", "The job needs attention");
says("one that stands still", [job("red")], "red", "The job makes no progress");
says("all well", [job("green"), job("green")], "green", "Both jobs make progress");
says("of each kind", [job("green"), job("red"), job("red"), job("amber"), job("unknown")], "red", "2 of 5 jobs make no progress, 1 needs attention, 1 is not known yet");
says("amber only", [job("green"), job("amber"), job("amber")], "amber", "2 of 3 jobs need attention");
says("not known is not well", [job("green"), job("unknown")], "unknown", "1 of 2 jobs is not known yet");
says("ended ones do not count", [job("green"), job("red", "FAILED", 1), job("green", "FINISHED", now)], "green", "The job makes progress");
says("failed lately", [job("green"), job("red", "FAILED", now - 1000)], "amber", "The job makes progress, 1 failed within the hour");
says("failed lately, and no other", [job("red", "FAILED", now - 1000)], "amber", "No job runs, 1 failed within the hour");

test("worst first, then newest", () => {
  const jobs = [
    { ...job("green"), "start-time": 1 },
    { ...job("green"), "start-time": 2 },
    { ...job("red"), "start-time": 0 },
  ];
  equal(worstFirst(jobs).map((j) => j["start-time"]), [0, 2, 1]);
});
