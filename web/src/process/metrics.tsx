// The metrics of a process, by Flink's names.

import { at, type Metric, type ProcessPath } from "../api";
import { integer, memory } from "../fmt";
import { Card } from "../ui";
import { MetricTable } from "./metrictable";

export const Metrics = ({ of }: { of: ProcessPath }) => (
  <Card title="Metrics">
    <MetricTable at={(names) => at.metrics(of, names)} values={[{ title: "Value", number: true, cell: valueOf }]} />
  </Card>
);

/** valueOf writes sizes of memory with a unit; a limit of 0, and Flink's -1, are none. */
function valueOf({ id, value }: Metric): string {
  const n = Number(value);
  if (value === undefined || Number.isNaN(n)) return value ?? "";
  if (/\bMemory\b/.test(id)) return n < 0 || (n === 0 && id.endsWith("Limit")) ? "no limit" : memory(n);
  return Number.isInteger(n) ? integer(n) : n.toPrecision(3);
}
