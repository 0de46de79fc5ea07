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

/** describe is what an operator does and what it keeps, in so few words that they fit on its card; briefly: only what it does. */
export function describe(n: StreamNode, briefly: boolean): string {
  const keeps = n.state === "positions of its splits" ? "keeps its positions" : n.state;
  return windowOf(n.description, briefly) ?? (briefly || !keeps ? does(n) : `${does(n)} · ${keeps}`);
}

function does(n: StreamNode): string {
  const named = operatorName(n.name);
  if (n.description && ![n.name, named].includes(n.description)) return n.description;
  const operation = n.operation || named;
  if (n.kind !== "operator") return named.endsWith(operation) ? (plain[operation] ?? n.kind) : `${n.kind}: ${operation}`;
  return plain[operation] ?? (operation === named ? n.kind : operation);
}

/** windowOf says how long a window is; that it keeps state goes without saying. It reads Flink's text of the assigner. */
function windowOf(text: string, briefly: boolean): string | undefined {
  const [, shape, clock, size, slide] = /(Tumbling|Sliding)(Event|Processing)TimeWindows\((\d+)(?:, (\d+))?\)/.exec(text) ?? [];
  if (!size) return undefined;
  const every = slide ? ` every ${duration(Number(slide))}` : "";
  return `${shape.toLowerCase()} ${duration(Number(size))}${every}${briefly ? "" : `, ${clock.toLowerCase()} time`}`;
}
