// All TaskManagers: who has their slots, and how much of memory and processor is in use.

import "../css/pages.css";
import "../css/taskmanagers.css";
import { at, type TaskManagerRow } from "../api";
import { cores, memory, plural } from "../fmt";
import { format, go } from "../route";
import { useAnswer, useFeatures } from "../store";
import { useTitle } from "../title";
import { Card, Command, Dot, Empty, Meter, Show, Table, type Column } from "../ui";
import { Heartbeat } from "../process/heartbeat";
import { Slots, type Jobs } from "../process/slots";
import { useJobs } from "../process/usejobs";
import { short, useOf, workersOf } from "../process/workers";

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
      <Card title="Connected">
        <Show of={managers} what="The TaskManagers">
          {({ taskmanagers }) => (taskmanagers.length === 0 ? <None /> : <All managers={taskmanagers} jobs={jobs} />)}
        </Show>
      </Card>
    </>
  );
}

function summary(managers: TaskManagerRow[]): string {
  const slots = managers.reduce((n, m) => n + m.slotsNumber, 0);
  const free = managers.reduce((n, m) => n + m.freeSlots, 0);
  const full = managers.filter((m) => short(useOf(m))).map((m) => m.id);
  const warning = full.length === 0 ? "" : `. Short of memory: ${full.join(", ")}`;
  return `${plural(managers.length, "TaskManager")}, ${free} of ${plural(slots, "slot")} free${warning}`;
}

function None() {
  if (useFeatures()?.flott?.plan) return <Empty title="This is a plan: nothing runs, and there are no TaskManagers" />;
  return (
    <Empty title="No TaskManager is connected">
      <p>Jobs wait until there are slots for them. This starts a TaskManager on the machine where you run it:</p>
      <Command line="flott taskmanager --slots 4" />
    </Empty>
  );
}

function All({ managers, jobs }: { managers: TaskManagerRow[]; jobs: Jobs }) {
  return (
    <Table
      label="TaskManagers"
      class="cards tm-table"
      columns={columns(jobs)}
      rows={managers}
      id={(m) => m.id}
      go={(m) => go(["task-manager", m.id])}
    />
  );
}

const columns = (jobs: Jobs): Column<TaskManagerRow>[] => [
  { title: "TaskManager", cell: (m) => <Name of={m} /> },
  { title: "Slots", class: "slots-cell", cell: (m) => <Slots of={m} jobs={jobs} /> },
  { title: "Memory of workers", short: "Memory", cell: (m) => <Memory of={m} /> },
  { title: "Cores in use", short: "Cores", number: true, cell: (m) => <Cores of={m} /> },
  { title: "Workers", number: true, cell: (m) => workersOf(m).length },
  { title: "Tasks", number: true, cell: (m) => m.assignedTasks },
  { title: "Heartbeat", number: true, cell: (m) => <Heartbeat at={m.timeSinceLastHeartbeat} /> },
];

function Name({ of }: { of: TaskManagerRow }) {
  const full = short(useOf(of));
  return (
    <span class="tm-name">
      <Dot tone={full ? "amber" : "green"} label={full ? "short of memory" : "connected"} />
      <a class="strong" href={format(["task-manager", of.id])}>
        {of.id}
      </a>
      <span class="quiet small">{of.path}</span>
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
