import type { JobRow, JobState } from "../api";
import { test, equal } from "../testing";
import { jobHues } from "./jobhues";

const job = (jid: string, start: number, state: JobState): JobRow => ({ jid, state, "start-time": start }) as JobRow;

test("running jobs have colours by age, so that a new one changes no other's", () => {
  const rows = [job("new", 3, "CREATED"), job("over", 2, "FINISHED"), job("old", 1, "RUNNING")];
  equal([...jobHues(rows)], [["old", 0], ["new", 1]]);
});
