import { test, equal } from "../testing";
import { fileLabel } from "./filename";

test("files of workers are called by their jobs", () => {
  const job = "4ccbba8bf7398053b5b0523d243f0c83";
  const jobs = new Map([[job, "clicks"]]);
  equal(fileLabel(`worker-${job}-2.log`, jobs), "clicks, worker 2");
  equal(fileLabel(`worker-${job}-2.out`, jobs), "clicks, worker 2");
  equal(fileLabel(`worker-${job}-2.log`, new Map()), `worker-${job}-2.log`);
  equal(fileLabel("taskmanager.log", jobs), "taskmanager.log");
});
