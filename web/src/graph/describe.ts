import type { StreamNode } from "../api";
import { duration } from "../fmt";
import { operatorName } from "../panel/names";

/** plain is what operations do, by Flink's names of them. */
const plain: Record<string, string> = {
  Map: "one record to one",
  "Flat Map": "one record to several",
  Filter: "lets some records pass",
  "Keyed Reduce": "folds records by key",
  "Keyed Aggregation": "aggregates by key",
  KeyedProcess: "your function, by key",
  Writer: "writes records",
  Committer: "commits what was written",
};

/** describe is what an operator does and what it keeps, as far as there is room for so many letters. */
export function describe(n: StreamNode, room: number): string {
  const [what, more] = windowOf(n.description) ?? [does(n), keeps(n)];
  return more !== "" && what.length + more.length <= room ? what + more : what;
}

function keeps({ state }: StreamNode): string {
  return state && ` · ${state === "positions of its splits" ? "keeps its positions" : state}`;
}

function does(n: StreamNode): string {
  const named = operatorName(n.name);
  if (n.description && ![n.name, named].includes(n.description)) return n.description;
  const operation = n.operation || named;
  if (n.kind !== "operator") return named.endsWith(operation) ? (plain[operation] ?? n.kind) : operation;
  return plain[operation] ?? (operation === named ? n.kind : operation);
}

/** windowOf says how long a window is, and by which clock; that it keeps state goes without saying. It reads Flink's text of the assigner. */
function windowOf(text: string): [string, string] | undefined {
  const [, shape, clock, size, slide] = /(Tumbling|Sliding)(Event|Processing)TimeWindows\((\d+)(?:, (\d+))?\)/.exec(text) ?? [];
  if (!size) return undefined;
  const every = slide ? ` every ${duration(Number(slide))}` : "";
  return [`${shape.toLowerCase()} ${duration(Number(size))}${every}`, `, ${clock.toLowerCase()} time`];
}
