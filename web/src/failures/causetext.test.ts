import type { ExceptionInfo } from "../api";
import { test, equal } from "../testing";
import { fileOf, headOf, hostOf, messageOf, taskOf, yours } from "./causetext";

test("a message is without the operator and without the stack", () => {
  equal(messageOf('operator "score \\"x\\"" (1/2): panic: index out of range\n\nmain.f(...)\n\t/src/main.go:3'), "panic: index out of range");
  equal(messageOf('task "a -> b" (2/2): lost'), "lost");
  equal(messageOf('enumerator of operator "in": no such file'), "no such file");
  equal(messageOf("operator is a word"), "operator is a word");
});

const failure = (operator: string | undefined, stacktrace: string): ExceptionInfo => ({
  exceptionName: "worker lost", stacktrace, timestamp: 0, failureLabels: {},
  flott: { operator, tasks: 1, frames: [], restart: null, phases: [], downtime: null, note: "" },
});

test("the head is one line: what a program's error says, or what the cluster has lost", () => {
  equal(headOf(failure("in", 'operator "in" (1/1): first\nsecond\n\nstack')), "first");
  equal(headOf(failure("in", "")), "Worker lost");
  equal(headOf(failure(undefined, "on TaskManager tm-1: signal 9")), "Worker lost");
});

test("code of the user on the stack is a fault of the program", () => {
  const e = failure(undefined, "");
  const frame = (user: boolean) => ({ ...e, flott: { ...e.flott, frames: [{ function: "main.f", file: "main.go", line: 1, user }] } });
  equal([yours(frame(true)), yours(frame(false)), yours(e)], [true, false, false]);
});

test("names of tasks, hosts and files are short", () => {
  equal(taskOf("Source: a -> b (1/2) - execution #7"), "Source: a\u00a0→ b (1/2)");
  equal(hostOf("127.0.0.1:-1"), "127.0.0.1");
  equal(hostOf("[::1]:80"), "[::1]");
  equal(hostOf("host"), "host");
  equal(fileOf("/home/me/jobs/main.go"), "jobs/main.go");
  equal(fileOf("main.go"), "main.go");
});
