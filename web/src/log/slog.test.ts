import { test, equal } from "../testing";
import { choose, parseLine } from "./slog";

const joins = 'time=2026-11-30T11:37:56.009Z level=INFO msg="TaskManager joins" taskmanager=tm-1 slots=4';
const fails = 'time=2026-11-30T11:38:00.387Z level=ERROR msg="job failed" job=enrich job_id=4ccb error="bad \\"key\\"\\n\\tat \\u2013 main.go:3" empty=""';

test("a line of slog has time, level, message and fields", () => {
  equal(parseLine(joins, 7), {
    seq: 7, at: 1796038676009, level: "INFO", message: "TaskManager joins", fields: { taskmanager: "tm-1", slots: "4" },
  });
});

test("quoted values lose their escapes, and the job's id is apart", () => {
  equal(parseLine(fails, 1), {
    seq: 1, at: 1796038680387, level: "ERROR", message: "job failed", job: "4ccb",
    fields: { job: "enrich", error: 'bad "key"\n\tat – main.go:3', empty: "" },
  });
});

test("anything else is text", () => {
  for (const text of ["", "panic: out of range", "level=INFO msg=x", "time=1 level=NO msg=x", joins + " and more", 'time=1 level=INFO msg="cut']) {
    equal(parseLine(text, 0), { seq: 0, at: 0, level: null, message: text });
  }
});

test("a filter takes levels from one on, with the text that follows a line", () => {
  const lines = [joins, fails, "goroutine 7 [running]:", joins].map(parseLine);
  equal(choose(lines, { level: "WARN", text: "" }).map((l) => l.seq), [1, 2]);
  equal(choose(lines, { level: "DEBUG", text: "" }).length, 4);
});

test("a filter finds its text in the message, in a field, or in the job's id", () => {
  const lines = [joins, fails].map(parseLine);
  const found = (text: string) => choose(lines, { level: "INFO", text }).map((l) => l.seq);
  equal([found("JOB failed"), found("job=enrich"), found("4CCB"), found("slots=4")], [[1], [1], [1], [0]]);
  equal(found("failed slots=4"), []);
});
