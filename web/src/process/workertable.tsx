import type { TaskManagerRow } from "../api";
import { cores, integer, memory, percent } from "../fmt";
import { format } from "../route";
import { Empty, Named, Table, hue, type Column } from "../ui";
import type { Jobs } from "./slots";
import { workersOf, type Worker } from "./workers";

/** A WorkerTable is the processes that run the tasks of a TaskManager, and what each uses. */
export function WorkerTable({ of, jobs }: { of: TaskManagerRow; jobs: Jobs }) {
  const workers = workersOf(of);
  if (workers.length === 0) return <Empty title="No job has a slot here" />;
  return <Table label={`Worker processes of ${of.id}`} class="cards" columns={columns(of, jobs)} rows={workers} id={(w) => w.figures.pid} />;
}

const columns = (of: TaskManagerRow, jobs: Jobs): Column<Worker>[] => [
  { title: "Worker", cell: (w) => <span class="num">{w.figures.pid}</span> },
  { title: "Job", cell: (w) => <Job id={w.job} jobs={jobs} /> },
  { title: "Slots", number: true, cell: (w) => integer(w.slots.length) },
  { title: "Tasks", number: true, cell: (w) => integer(w.tasks) },
  { title: "Cores", number: true, cell: (w) => cores(w.figures.cpu) },
  { title: "Memory", number: true, class: "nowrap", cell: (w) => <Memory of={w} /> },
  ...(of.timeSinceLastHeartbeat > 0 ? [log(of)] : []), // one in the JobManager's process has no files
];

const log = (of: TaskManagerRow): Column<Worker> => ({ title: "Log", cell: (w) => <Log of={of} job={w.job} /> });

const Job = ({ id, jobs }: { id: string; jobs: Jobs }) => (
  <a class="key" href={format(["job", id])}>
    <i style={hue(jobs.hues.get(id) ?? 0)} />
    <Named name={jobs.names.get(id) ?? id} />
  </a>
);

function Memory({ of: { figures } }: { of: Worker }) {
  return (
    <>
      {memory(figures.rss)}
      {figures.limit > 0 && <span class="quiet" title={`limit ${memory(figures.limit)}`}> {percent(figures.rss / figures.limit)}</span>}
    </>
  );
}

const Log = ({ of, job }: { of: TaskManagerRow; job: string }) => (
  <a class="link" href={format(["task-manager", of.id, "logs"], { file: `worker-${job}-1.log` })}>
    log
  </a>
);
