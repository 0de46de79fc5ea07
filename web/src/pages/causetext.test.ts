import { test, equal } from "../testing";
import { fileOf, headOf, hostOf, messageOf, taskOf } from "./causetext";

test("a message is without the operator and without the stack", () => {
  equal(messageOf('operator "score \\"x\\"" (1/2): panic: index out of range\n\nmain.f(...)\n\t/src/main.go:3'), "panic: index out of range");
  equal(messageOf('task "a -> b" (2/2): lost'), "lost");
  equal(messageOf('enumerator of operator "in": no such file'), "no such file");
  equal(messageOf("operator is a word"), "operator is a word");
});

test("the head is one line", () => {
  equal(headOf('operator "in" (1/1): first\nsecond\n\nstack'), "first");
  equal(headOf(""), "");
});

test("names of tasks, hosts and files are short", () => {
  equal(taskOf("Source: a -> b (1/2) - execution #7"), "Source: a → b (1/2)");
  equal(hostOf("127.0.0.1:0"), "127.0.0.1");
  equal(hostOf("[::1]:80"), "[::1]");
  equal(hostOf("host"), "host");
  equal(fileOf("/home/me/jobs/main.go"), "jobs/main.go");
  equal(fileOf("main.go"), "main.go");
});
