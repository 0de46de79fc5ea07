import type { Overview, TaskManagerRow } from "../api";
import { integer, memory, percent, plural, unknown } from "../fmt";
import { NoManagers } from "../process/nomanagers";
import type { Jobs } from "../process/slots";
import { useJobs } from "../process/usejobs";
import { runsOf, short, slotsText, useOf, type Run } from "../process/workers";
import { format } from "../route";
import { Card, Figure, Figures, Meter, Named, hue } from "../ui";

const mostShown = 6;

/** The Cluster is its TaskManagers: which job has which slot, and what they use. */
export function Cluster({ overview, managers }: { overview: Overview; managers: readonly TaskManagerRow[] }) {
  const jobs = useJobs();
  const busiest = [...managers].sort((a, b) => share(b) - share(a) || a.id.localeCompare(b.id)).slice(0, mostShown);
  const shown = managers.length > mostShown ? busiest : managers;
  return (
    <Card title="Cluster" side={<span class="quiet small">flott {overview.flott.version}</span>} class="cluster">
      <Totals overview={overview} managers={managers} />
      {managers.length === 0 && <NoManagers />}
      {shown.map((m) => (
        <Manager key={m.id} of={m} jobs={jobs} />
      ))}
      {managers.length > mostShown && (
        <a class="rest link" href="#/task-manager">
          {plural(managers.length - mostShown, "more TaskManager")}, with less memory in use
        </a>
      )}
      <Legend managers={managers} jobs={jobs} />
    </Card>
  );
}

function Totals({ overview, managers }: { overview: Overview; managers: readonly TaskManagerRow[] }) {
  const uses = managers.map(useOf);
  const [used, limit] = [sum(uses.map((u) => u.memory)), sum(uses.map((u) => u.limit))];
  return (
    <Figures>
      <Figure label="TaskManagers" value={integer(overview.taskmanagers)} />
      <Figure label="Slots free" value={integer(overview["slots-available"])} note={`of ${integer(overview["slots-total"])}`} />
      <Figure label="Memory" value={limit > 0 ? percent(used / limit) : used > 0 ? memory(used) : unknown} />
    </Figures>
  );
}

const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

function share(of: TaskManagerRow): number {
  const use = useOf(of);
  return use.limit > 0 ? use.memory / use.limit : 0;
}

function Manager({ of, jobs }: { of: TaskManagerRow; jobs: Jobs }) {
  const use = useOf(of);
  const taken = of.slotsNumber - of.freeSlots;
  return (
    <div class="manager">
      <div class="row">
        <a class="strong grow ellipsis" href={format(["task-manager", of.id])} title={of.id}>
          {of.id}
        </a>
        <span class="secondary small num nowrap">
          {integer(taken)} of {plural(of.slotsNumber, "slot")}
        </span>
      </div>
      <Slots of={of} jobs={jobs} />
      <div class="use">
        <span>mem</span>
        {use.limit > 0 ? <Meter share={share(of)} tone={short(use) ? "amber" : "plain"} label="Memory in use" /> : <span />}
        <span class={`num ${short(use) ? "text-amber" : ""}`}>
          {memory(use.memory)}
          {use.limit > 0 && ` of ${memory(use.limit)}`}
        </span>
        <span>cpu</span>
        <Meter share={use.cpu / use.cores} label="CPU in use" />
        <span class="num">
          {percent(use.cpu / use.cores)} of {integer(use.cores)}
        </span>
      </div>
      {short(use) && <p class="small text-amber">Its workers have nearly all the memory that they may have.</p>}
    </div>
  );
}

/** mostSlots are drawn one by one; of more than that, neighbours with one job are one piece. */
const mostSlots = 32;

function Slots({ of, jobs }: { of: TaskManagerRow; jobs: Jobs }) {
  const runs = runsOf(of);
  const pieces = of.slotsNumber > mostSlots ? runs : runs.flatMap(single);
  return (
    <ul class={of.slotsNumber > mostSlots ? "slots many" : "slots"} aria-label={`Slots of ${of.id}`}>
      {pieces.map((run) => {
        const text = `${slotsText(run)}: ${run.job ? (jobs.names.get(run.job) ?? run.job) : "free"}`;
        return (
          <li key={run.first} class={run.job ? "taken" : ""} style={{ flexGrow: run.last - run.first + 1, ...(run.job ? hue(jobs.hues.get(run.job) ?? 0) : {}) }} title={text}>
            <span class="hidden">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** single is the slots of a run one by one. */
const single = ({ first, last, job }: Run): Run[] => Array.from({ length: last - first + 1 }, (_, i) => ({ first: first + i, last: first + i, job }));

/** The Legend says which colour is which job; a link beside a name is easier to hit than a slot. */
function Legend({ managers, jobs }: { managers: readonly TaskManagerRow[]; jobs: Jobs }) {
  const used = new Set(managers.flatMap((m) => m.flott?.slots.flatMap((s) => s.job ?? []) ?? []));
  if (used.size === 0) return null;
  return (
    <div class="legend">
      {[...used].map((job) => (
        <a key={job} class="key" href={format(["job", job])}>
          <i style={hue(jobs.hues.get(job) ?? 0)} />
          <Named name={jobs.names.get(job) ?? job} />
        </a>
      ))}
    </div>
  );
}
