// One TaskManager: its slots and workers, and what can be asked of its process.

import "../css/pages.css";
import "../css/taskmanagers.css";
import { at, taskManager, type TaskManagerDetails } from "../api";
import { cores, integer, memory, moment, plural } from "../fmt";
import { format } from "../route";
import { useAnswer } from "../store";
import { useTitle } from "../title";
import { Card, Dot, Figure, Figures, LinkTabs, Show } from "../ui";
import { Files, WorkerOutput } from "../log/files";
import { Goroutines } from "./goroutines";
import { Heartbeat } from "../process/heartbeat";
import { Metrics } from "../process/metrics";
import { Pairs } from "../process/pairs";
import { Profiler } from "../process/profiler";
import { Slots } from "../process/slots";
import { useJobs } from "../process/usejobs";
import { short, useOf } from "../process/workers";
import { WorkerTable } from "../process/workertable";

const tabs = { overview: "Overview", metrics: "Metrics", logs: "Logs", stdout: "Output", goroutines: "Goroutines", profiler: "Profiler" };

export function TaskManager({ id, tab }: { id: string; tab: string }) {
  const details = useAnswer(at.taskManager(id), 2_000);
  useTitle(id);
  return (
    <>
      <header class="page-head">
        <p class="row wrap">
          {details.data && <Dot tone={short(useOf(details.data)) ? "amber" : "green"} label={short(useOf(details.data)) ? "short of memory" : "connected"} />}
          <h1>{id}</h1>
          {details.data && <Where of={details.data} />}
        </p>
        <LinkTabs
          label={`Pages of ${id}`}
          tabs={Object.entries(tabs).map(([name, title]) => ({ title, href: format(["task-manager", id, name]), current: name === tab }))}
        />
      </header>
      <Page id={id} tab={tab} details={details} />
    </>
  );
}

function Where({ of }: { of: TaskManagerDetails }) {
  if (of.timeSinceLastHeartbeat <= 0) return <span class="secondary">in the process of the JobManager</span>;
  return (
    <span class="secondary">
      at {of.path}, heard <Heartbeat at={of.timeSinceLastHeartbeat} />
    </span>
  );
}

function Page({ id, tab, details }: { id: string; tab: string; details: ReturnType<typeof useAnswer<TaskManagerDetails>> }) {
  const of = taskManager(id);
  switch (tab) {
    case "metrics":
      return <Metrics of={of} />;
    case "logs":
      return <Files of={of} />;
    case "stdout":
      return <WorkerOutput of={of} />;
    case "goroutines":
      return <Goroutines of={of} />;
    case "profiler":
      return <Profiler of={of} />;
  }
  return (
    <Show of={details} what={`TaskManager ${id}`}>
      {(manager) => <Overview of={manager} />}
    </Show>
  );
}

function Overview({ of }: { of: TaskManagerDetails }) {
  const jobs = useJobs();
  return (
    <div class="stack">
      <Card title="Slots" note={`${of.freeSlots} of ${plural(of.slotsNumber, "slot")} free`}>
        <div class="body">
          <Slots of={of} jobs={jobs} />
        </div>
      </Card>
      <Card title="What it uses">
        <div class="body">
          <Usage of={of} />
        </div>
      </Card>
      <Card title="Worker processes" note="one a job">
        <WorkerTable of={of} jobs={jobs} />
      </Card>
      <Card title="Machine and process">
        <Machine of={of} />
      </Card>
    </div>
  );
}

function Usage({ of }: { of: TaskManagerDetails }) {
  const use = useOf(of);
  const { hardware, flott } = of;
  return (
    <Figures>
      <Figure label="Cores in use" value={cores(use.cpu)} note={`of ${use.cores}`} tone={use.cpu > 0.9 * use.cores ? "amber" : "plain"} />
      <Figure label="Memory of workers" value={memory(use.memory)} note={use.limit > 0 ? `of ${memory(use.limit)}` : undefined} tone={short(use) ? "amber" : "plain"} />
      {hardware.physicalMemory > 0 && (
        <Figure label="Memory of the machine" value={memory(hardware.physicalMemory - hardware.freeMemory)} note={`of ${memory(hardware.physicalMemory)}`} />
      )}
      <Figure label="The process itself" value={memory(flott?.process.rss)} note={`heap ${memory(flott?.process.goHeap)}`} />
      <Figure label="Goroutines" value={integer(flott?.process.goroutines)} />
    </Figures>
  );
}

function Machine({ of }: { of: TaskManagerDetails }) {
  const limit = of.memoryConfiguration.totalProcessMemory;
  const gc = of.metrics.garbageCollectors[0];
  return (
    <Pairs
      rows={[
        ["Process", of.flott?.process.pid],
        ["Address", of.path],
        ["Cores", of.hardware.cpuCores],
        ["Memory of each slot", limit > 0 ? memory(limit / of.slotsNumber) : "no limit"],
        ["Garbage collections", gc && `${integer(gc.count)}, ${integer(gc.time)} ms in all`],
        ["Last heartbeat", moment(of.timeSinceLastHeartbeat)],
      ]}
    />
  );
}
