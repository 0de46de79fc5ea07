// The URL is the state: what is shown stands in the hash, so that a link shows somebody else the same.
//
//   #/                                           overview
//   #/job/ID/graph?layer=3&vertex=V&subtask=2&tab=watermarks&edge=E
//   #/job/ID/exceptions                          and the other pages of a job
//   #/task-manager  #/task-manager/ID/logs  #/job-manager/logs     as Flink's pages are called: its log-url answers lead here

import { useEffect, useState } from "preact/hooks";

export interface Route {
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Query is what becomes of a query; what is null, undefined or empty is left out. */
export type Query = Record<string, string | number | null | undefined>;

export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  return { parts: path.split("/").filter(Boolean).map(decode), query: parseQuery(query) };
}

function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const pair of text.split("&").filter(Boolean)) {
    const [name = "", value = ""] = pair.split("=", 2);
    query[decode(name)] = decode(value);
  }
  return query;
}

/** decode leaves what nobody encoded as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function format(parts: readonly string[], query: Query = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value != null && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return "#/" + parts.map(encodeURIComponent).join("/") + (pairs.length > 0 ? "?" + pairs.join("&") : "");
}

export const current = (): Route => parse(location.hash);

/** go shows another page. */
export function go(parts: readonly string[], query: Query = {}): void {
  location.hash = format(parts, query);
}

/** setQuery changes some of the query and stays on the page. It makes no entry in the history: Back leads to the page before. */
export function setQuery(change: Query): void {
  const { parts, query } = current();
  history.replaceState(null, "", format(parts, { ...query, ...change }));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [route, set] = useState(current);
  useEffect(() => {
    const moved = () => set(current());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return route;
}
