import { test, equal } from "../testing";
import { fileLabel, inOrder } from "./filename";

test("files of workers are called by their jobs", () => {
  const job = "4ccbba8bf7398053b5b0523d243f0c83";
  const jobs = new Map([[job, "clicks"]]);
  equal(fileLabel(`worker-${job}-2.log`, jobs), "clicks, worker 2");
  equal(fileLabel(`worker-${job}-2.out`, jobs), "clicks, worker 2");
  equal(fileLabel(`worker-${job}-2.log`, new Map()), `worker-${job}-2.log`);
  equal(fileLabel("taskmanager.log", jobs), "taskmanager.log");
});

test("the process' own log is first, empty files are last", () => {
  const file = (name: string, size: number, mtime: number) => ({ name, size, mtime });
  const files = [file("worker-a-1.log", 0, 9), file("worker-b-1.log", 5, 1), file("taskmanager.log", 0, 0), file("worker-c-1.log", 5, 2)];
  equal(inOrder(files).map((f) => f.name), ["taskmanager.log", "worker-c-1.log", "worker-b-1.log", "worker-a-1.log"]);
});
