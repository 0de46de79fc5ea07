import { useMemo } from "preact/hooks";
import { at } from "../api";
import { useAnswer } from "../store";
import { jobHues } from "./jobhues";
import type { Jobs } from "./slots";

/** useJobs is the names and colours of all jobs. */
export function useJobs(): Jobs {
  const { data } = useAnswer(at.jobs, 10_000);
  return useMemo(() => {
    const rows = data?.jobs ?? [];
    return { names: new Map(rows.map((j) => [j.jid, j.name])), hues: jobHues(rows) };
  }, [data]);
}
