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

/** longest is how many letters have room. */
const longest = 20;

/** reasonsOf says why an edge is not chained: as many of the conditions that it misses as have room, and how many more there are. */
export function reasonsOf(e: Edge): string {
  const missed = (e.stream?.chain.checks ?? []).filter((c) => !c.ok).map((c) => words[c.rule]?.(e) ?? c.rule);
  if (missed.length === 0) return "not chained";
  const text = (said: number): string =>
    missed.slice(0, said).join(" · ") + (said < missed.length ? ` · +${missed.length - said}` : "");
  let said = 1;
  while (said < missed.length && text(said + 1).length <= longest) said++;
  return text(said);
}
