import type { Edge } from "./model";

/** words are the conditions for chaining that an edge can miss, in so few words that they fit beside its line. */
const words: Record<string, (e: Edge) => string> = {
  "one-input": () => "several inputs",
  "no-union": () => "union",
  "same-parallelism": (e) => `${e.from.chain.parallelism} to ${e.to.chain.parallelism}`,
  "same-max-parallelism": () => "max parallelism",
  forward: (e) => `not ${e.partitioner === "FORWARD" ? "one to one" : "FORWARD"}`,
  "exchange-mode": () => "blocking",
  "slot-sharing-group": () => "other slot group",
  "chaining-enabled": () => "chaining off",
  "up-strategy": () => "never chains",
  "down-strategy": () => "new chain",
  "one-reader": () => "shared source",
};

const most = 2;

/** reasonsOf says why an edge is not chained: the first conditions that it misses, and how many more there are. */
export function reasonsOf(e: Edge): string {
  const missed = (e.stream?.chain.checks ?? []).filter((c) => !c.ok);
  if (missed.length === 0) return "not chained";
  const said = missed.slice(0, most).map((c) => words[c.rule]?.(e) ?? c.rule);
  return [...said, ...(missed.length > most ? [`+${missed.length - most}`] : [])].join(" · ");
}
