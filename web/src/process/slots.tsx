import type { TaskManagerRow } from "../api";
import { format } from "../route";
import { hue } from "../ui";
import { runsOf, slotsText, type Run } from "./workers";

/** Jobs is what there is to say about the jobs in slots. */
export interface Jobs {
  names: ReadonlyMap<string, string>;
  hues: ReadonlyMap<string, number>;
}

/** Slots shows who has the slots of a TaskManager: as wide as they are many. */
export function Slots({ of, jobs }: { of: TaskManagerRow; jobs: Jobs }) {
  return (
    <ul class="slot-runs" aria-label={`Slots of ${of.id}`}>
      {runsOf(of).map((run) => (
        <li key={run.first} class={run.job ? "taken" : ""} style={{ flexGrow: run.last - run.first + 1, ...hueOf(run, jobs) }}>
          <span class="quiet">{slotsText(run)}</span>
          {run.job ? <a href={format(["job", run.job])}>{jobs.names.get(run.job) ?? run.job}</a> : <span>free</span>}
        </li>
      ))}
    </ul>
  );
}

const hueOf = (run: Run, jobs: Jobs) => (run.job ? hue(jobs.hues.get(run.job) ?? 0) : {});
