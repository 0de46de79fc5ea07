// All TaskManagers: who has their slots, and how much of memory and processor is in use.

import "../css/pages.css";
import "../css/taskmanagers.css";
import { at, type TaskManagerRow } from "../api";
import { cores, integer, memory, plural } from "../fmt";
import { format, go } from "../route";
import { useAnswer } from "../store";
import { useTitle } from "../title";
import { Card, Dot, Figure, Figures, Meter, Show, Table, type Column } from "../ui";
import { Heartbeat } from "../process/heartbeat";
import { NoManagers } from "../process/nomanagers";
import { Slots, type Jobs } from "../process/slots";
import { useJobs } from "../process/usejobs";
import { short, useOf, workersOf } from "../process/workers";
import { WorkerTable } from "../process/workertable";

export function TaskManagers() {
  useTitle("TaskManagers");
  const managers = useAnswer(at.taskManagers, 2_000);
  const jobs = useJobs();
  return (
    <>
      <header class="page-head">
        <h1>TaskManagers</h1>
        {managers.data && managers.data.taskmanagers.length > 0 && <p class="secondary">{summary(managers.data.taskmanagers)}</p>}
      </header>
      <Show of={managers} what="The TaskManagers">
        {({ taskmanagers }) => {
          if (taskmanagers.length === 0) return <NoManagers />;
          return taskmanagers.length > few ? <Rows managers={taskmanagers} jobs={jobs} /> : <Cards managers={taskmanagers} jobs={jobs} />;
        }}
      </Show>
    </>
  );
}

/** few TaskManagers have a card each. */
const few = 8;

function summary(managers: TaskManagerRow[]): string {
  const slots = managers.reduce((n, m) => n + m.slotsNumber, 0);
  const free = managers.reduce((n, m) => n + m.freeSlots, 0);
  const full = managers.filter((m) => short(useOf(m))).map((m) => m.id);
  const warning = full.length === 0 ? "" : `. Short of memory: ${full.join(", ")}`;
  return `${plural(managers.length, "TaskManager")}, ${free} of ${plural(slots, "slot")} free${warning}`;
}

interface Some {
  managers: readonly TaskManagerRow[];
  jobs: Jobs;
}

const Cards = ({ managers, jobs }: Some) => (
  <div class="managers">
    {managers.map((m) => (
      <Card key={m.id} title={<Name of={m} />} note={m.path !== m.id && m.path} side={<Heard of={m} />}>
        <div class="body stack">
          <Uses of={m} />
          <Slots of={m} jobs={jobs} />
        </div>
        <WorkerTable of={m} jobs={jobs} />
      </Card>
    ))}
  </div>
);

function Heard({ of }: { of: TaskManagerRow }) {
  if (of.timeSinceLastHeartbeat <= 0) return <span class="quiet small">in the process of the JobManager</span>;
  return (
    <span class="quiet small">
      heard <Heartbeat at={of.timeSinceLastHeartbeat} />
    </span>
  );
}

function Uses({ of }: { of: TaskManagerRow }) {
  const use = useOf(of);
  return (
    <Figures>
      <Figure label="Cores in use" value={cores(use.cpu)} note={`of ${use.cores}`} />
      <Figure
        label="Memory of workers"
        value={memory(use.memory)}
        note={use.limit > 0 ? `of ${memory(use.limit)}${short(use) ? ", nearly full" : ""}` : undefined}
        tone={short(use) ? "amber" : "plain"}
      />
      <Figure label="Slots free" value={integer(of.freeSlots)} note={`of ${integer(of.slotsNumber)}`} />
      <Figure label="Tasks" value={integer(of.assignedTasks)} />
    </Figures>
  );
}

const Rows = ({ managers, jobs }: Some) => (
  <Card title="Connected">
    <Table label="TaskManagers" class="cards tm-table" columns={columns(jobs)} rows={managers} id={(m) => m.id} go={(m) => go(["task-manager", m.id])} />
  </Card>
);

const columns = (jobs: Jobs): Column<TaskManagerRow>[] => [
  {
    title: "TaskManager",
    cell: (m) => (
      <span class="tm-name">
        <Name of={m} />
        <span class="quiet small">{m.path}</span>
      </span>
    ),
  },
  { title: "Slots", class: "slots-cell", cell: (m) => <Slots of={m} jobs={jobs} /> },
  { title: "Memory of workers", short: "Memory", cell: (m) => <Memory of={m} /> },
  { title: "Cores in use", short: "Cores", number: true, cell: (m) => <Cores of={m} /> },
  { title: "Workers", number: true, cell: (m) => workersOf(m).length },
  { title: "Tasks", number: true, cell: (m) => integer(m.assignedTasks) },
  { title: "Heartbeat", number: true, cell: (m) => <Heartbeat at={m.timeSinceLastHeartbeat} /> },
];

function Name({ of }: { of: TaskManagerRow }) {
  const full = short(useOf(of));
  return (
    <span class="row">
      <Dot tone={full ? "amber" : "green"} label={full ? "short of memory" : "connected"} />
      <a class="strong ellipsis" href={format(["task-manager", of.id])} title={of.id}>
        {of.id}
      </a>
    </span>
  );
}

function Memory({ of }: { of: TaskManagerRow }) {
  const use = useOf(of);
  if (use.limit === 0) return <>{memory(use.memory)}</>;
  return (
    <span class={`memory num ${short(use) ? "amber" : ""}`}>
      <Meter share={use.memory / use.limit} tone={short(use) ? "amber" : "plain"} label="Memory" />
      <span>
        {memory(use.memory)} <span class="quiet">of {memory(use.limit)}</span>
      </span>
    </span>
  );
}

function Cores({ of }: { of: TaskManagerRow }) {
  const use = useOf(of);
  return (
    <>
      {cores(use.cpu)} <span class="quiet">of {use.cores}</span>
    </>
  );
}
