// All URLs. They are relative, so that the page works below any prefix.

import type { Environment, Features, LogFile, LogLines, Overview, Profiling, Setting, TaskManagerDetails, TaskManagerRow, ThreadDump } from "./cluster";
import type { Diagnosis, HeldSubtask } from "./diagnosis";
import type { Graphs } from "./graphs";
import type { CheckpointConfig, Exceptions, JobConfig, JobDetails, JobRow } from "./jobs";
import type { FlameGraph, FlameType, History, Metric, MetricAggregate, SubtaskDetail, SubtaskTimes, VertexDetails } from "./vertices";

/** A Path<T> is a URL whose answer is a T. */
export type Path<T> = string & { readonly answer?: T };

const to = <T>(...parts: (string | number)[]): Path<T> => parts.map(encodeURIComponent).join("/");

function query(path: string, params: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(params).filter(([, v]) => v !== undefined && v !== "");
  return pairs.length === 0 ? path : path + "?" + pairs.map(([k, v]) => `${k}=${encodeURIComponent(String(v))}`).join("&");
}

/** A ProcessPath leads to a process: the JobManager or a TaskManager. */
export type ProcessPath = string & { readonly process?: true };
export const jobManager: ProcessPath = "jobmanager";
export const taskManager = (id: string): ProcessPath => to("taskmanagers", id);

export const at = {
  overview: "overview" as Path<Overview>,
  config: "config" as Path<Features>,
  jobs: "jobs/overview" as Path<{ jobs: JobRow[] }>,
  taskManagers: "taskmanagers" as Path<{ taskmanagers: TaskManagerRow[] }>,
  taskManager: (id: string): Path<TaskManagerDetails> => to("taskmanagers", id),
  settings: "jobmanager/config" as Path<Setting[]>,
  environment: "jobmanager/environment" as Path<Environment>,

  job: (job: string): Path<JobDetails> => to("jobs", job),
  cancel: (job: string): Path<unknown> => query(to("jobs", job), { mode: "cancel" }),
  graphs: (job: string): Path<Graphs> => to("jobs", job, "flott", "graphs"),
  diagnosis: (job: string): Path<Diagnosis> => to("jobs", job, "flott", "diagnosis"),
  exceptions: (job: string, maxExceptions?: number): Path<Exceptions> => query(to("jobs", job, "exceptions"), { maxExceptions }),
  checkpointConfig: (job: string): Path<CheckpointConfig> => to("jobs", job, "checkpoints", "config"),
  jobConfig: (job: string): Path<JobConfig> => to("jobs", job, "config"),
  goroutines: (job: string): Path<string> => to("jobs", job, "flott", "goroutines"),
  history: (job: string, vertex: string | undefined, names: readonly string[], subtask?: number): Path<History> =>
    query(to("jobs", job, "flott", "history"), { vertex, subtask, names: names.join(",") }),
  /** log: with the lines of the log after that one; 1: with the newest ones, too. */
  events: (job: string | undefined, log: number | undefined): string => query("flott/events", { job, log }),

  vertex: (job: string, vertex: string): Path<VertexDetails> => to("jobs", job, "vertices", vertex),
  attempt: (job: string, vertex: string, subtask: number, attempt: number): Path<SubtaskDetail> =>
    to("jobs", job, "vertices", vertex, "subtasks", subtask, "attempts", attempt),
  subtaskTimes: (job: string, vertex: string): Path<SubtaskTimes> => to("jobs", job, "vertices", vertex, "subtasktimes"),
  held: (job: string, vertex: string): Path<{ subtasks: HeldSubtask[] }> => to("jobs", job, "vertices", vertex, "flott", "watermarks"),
  flame: (job: string, vertex: string, type: FlameType, subtaskindex?: number): Path<FlameGraph> =>
    query(to("jobs", job, "vertices", vertex, "flamegraph"), { type, subtaskindex }),

  /** Over all subtasks. Without names: which metrics there are. */
  aggregates: (job: string, vertex: string, names: readonly string[] = []): Path<MetricAggregate[]> =>
    query(to("jobs", job, "vertices", vertex, "subtasks", "metrics"), { get: names.join(",") }),

  metrics: (of: ProcessPath, names: readonly string[] = []): Path<Metric[]> => query(`${of}/metrics`, { get: names.join(",") }),
  logFiles: (of: ProcessPath): Path<{ logs: LogFile[] }> => `${of}/logs`,
  logFile: (of: ProcessPath, name: string): Path<string> => `${of}/logs/${encodeURIComponent(name)}`,
  logLines: (of: ProcessPath, filter: { after?: number; level?: string; q?: string; limit?: number }): Path<LogLines> => query(`${of}/flott/log`, filter),
  stdout: (of: ProcessPath): Path<string> => `${of}/stdout`,
  threads: (of: ProcessPath): Path<ThreadDump> => `${of}/thread-dump`,
  profiles: (of: ProcessPath): Path<{ profilingList: Profiling[] }> => `${of}/profiler`,
  profile: (of: ProcessPath, file: string): string => `${of}/profiler/${encodeURIComponent(file)}`,
};
