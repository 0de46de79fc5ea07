// The REST API as the page uses it: the only file that knows URLs, and the types of all answers. What Flink lacks stands in `flott`.
// All URLs are relative, so that the page works below any prefix.

import { EventParser, type ServerEvent } from "./sse";
import { Cell } from "./cell";

/** A Path<T> is a URL whose answer is a T. */
export type Path<T> = string & { readonly answer?: T };

/** An ApiError is an answer that is no success; status 0: there was none. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly errors: readonly string[],
  ) {
    super(errors.map(readable).find((text) => text !== "Internal server error.") ?? `HTTP status ${status}`);
  }
}

/** readable takes away what stands there for programs that were written for Flink: names of Java classes, and marks around them. */
function readable(text: string): string {
  return text
    .replace(/^<Exception on server side:\s*/, "")
    .replace(/\s*End of exception on server side>\s*$/, "")
    .replace(/^(?:[a-z]+\.)+[A-Za-z]+(?:Exception|Error): /, "")
    .trim();
}

// --- Who asks ---

const tokenKey = "flott.token";

/** signedOut is true from the first answer that wants a token until one is given. */
export const signedOut = new Cell(false);

/** setToken keeps the token for as long as the tab is open. */
export function setToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
  signedOut.set(false);
}

/** hasToken says that one was given: if the server still wants one, it was the wrong one. */
export const hasToken = (): boolean => sessionStorage.getItem(tokenKey) !== null;

function headers(more: Record<string, string> = {}): Record<string, string> {
  const token = sessionStorage.getItem(tokenKey);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

// --- Asking ---

async function ask(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: headers(init.headers) });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, ["The JobManager does not answer."]);
  }
  if (response.ok) return response;
  if (response.status === 401) signedOut.set(true);
  throw new ApiError(response.status, await errorsOf(response));
}

async function errorsOf(response: Response): Promise<string[]> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { errors?: string[] };
    return body.errors ?? [text];
  } catch {
    return [text || response.statusText];
  }
}

export async function get<T>(path: Path<T>, signal?: AbortSignal): Promise<T> {
  return (await (await ask(path, { signal })).json()) as T;
}

/** change sends a request that changes something. */
async function change<T>(method: string, path: Path<T>, body?: unknown): Promise<T> {
  const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  return (await (await ask(path, { method, ...json })).json()) as T;
}

export const cancelJob = (job: string): Promise<unknown> => change("PATCH", `jobs/${encodeURIComponent(job)}?mode=cancel`);
export const startProfile = (of: ProcessPath, mode: string, duration: number): Promise<Profiling> => change("POST", `${of}/profiler`, { mode, duration });

/** A Text is a part of a text file. */
export interface Text {
  text: string;
  /** end is the byte after it: what to go on from. */
  end: number;
  /** whole says that there is no more yet. */
  whole: boolean;
}

/** getText reads a text from a byte on, and not more than some bytes of it. */
export async function getText(path: Path<string>, from = 0, most = 1 << 20, signal?: AbortSignal): Promise<Text> {
  const response = await ask(path, { signal, headers: from > 0 ? { "Log-Offset": String(from) } : {} });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), end: from + size, whole: true };
    const part = value.subarray(0, most - size);
    text += decoder.decode(part, { stream: true });
    size += part.length;
    if (size >= most) {
      await reader.cancel();
      return { text, end: from + size, whole: false };
    }
  }
}

/** download saves an answer as a file. A plain link would not send the token. */
export async function download(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await ask(path)).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** listen reads a stream of events until it ends. */
export async function listen(path: string, lastId: string, signal: AbortSignal, on: (e: ServerEvent) => void): Promise<void> {
  const response = await ask(path, { signal, headers: lastId ? { "Last-Event-ID": lastId } : {} });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser(on);
  for (;;) {
    const { done, value } = await reader.read().catch(() => Promise.reject(new ApiError(0, ["The connection was lost."])));
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

// --- Paths ---

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
  health: "flott/health" as Path<Health>,
  jobs: "jobs/overview" as Path<{ jobs: JobRow[] }>,
  taskManagers: "taskmanagers" as Path<{ taskmanagers: TaskManagerRow[] }>,
  taskManager: (id: string): Path<TaskManagerDetails> => to("taskmanagers", id),
  settings: "jobmanager/config" as Path<Setting[]>,
  environment: "jobmanager/environment" as Path<Environment>,

  job: (job: string): Path<JobDetails> => to("jobs", job),
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

// --- The cluster ---

export type Color = "green" | "amber" | "red" | "unknown";

export interface Overview {
  taskmanagers: number;
  "slots-total": number;
  "slots-available": number;
  "jobs-running": number;
  "jobs-finished": number;
  "jobs-cancelled": number;
  "jobs-failed": number;
  "flink-version": string;
  "flink-commit": string;
  flott: {
    version: string;
    health: Color;
    reason: string;
    since: number;
    jobManager: ProcessFigures;
    /** Of all processes. */
    memory: { used: number; limit: number };
    /** In cores. */
    cpu: { used: number; cores: number };
    /** What happened, newest first. */
    events: ClusterEvent[];
  };
}

export interface ClusterEvent {
  seq: number;
  at: number;
  kind: "submitted" | "started" | "restarted" | "failed" | "finished" | "cancelled" | "joined" | "left" | "lost";
  level: "info" | "warn" | "error";
  job?: string;
  name?: string;
  taskManager?: string;
  text: string;
}

export interface Features {
  "refresh-interval": number;
  "flink-version": string;
  "flink-revision": string;
  features: { "web-submit": boolean; "web-cancel": boolean; "web-rescale": boolean; "web-history": boolean };
  /** plan: programs that do not run are shown. */
  flott?: { readOnly: boolean; plan: boolean };
}

export interface Health {
  status: Color;
  reason: string;
  jobs: { id: string; name: string; state: JobState; status: Color; reason: string }[];
}

export interface Setting {
  key: string;
  value: string;
  /** origin is where the value comes from: default, file, env, flag. */
  origin?: string;
}

export interface Environment {
  jvm: { version: string; arch: string; options: string[] };
  classpath: string[];
  flott: {
    version: string;
    goVersion: string;
    modules: string[];
    variables: Setting[];
    cpus: number;
    goMaxProcs: number;
    /** 0: none. */
    goMemLimit: number;
    pid: number;
    started: number;
  };
}

export interface Resources {
  cpuCores: number;
  /** MiB; a worker's memory is all here. */
  taskHeapMemory: number;
}

export interface ProcessFigures {
  pid: number;
  rss: number;
  limit: number;
  goHeap: number;
  goroutines: number;
  /** Cores, lately. */
  cpu: number;
}

export interface TaskManagerRow {
  id: string;
  path: string;
  dataPort: number;
  timeSinceLastHeartbeat: number;
  slotsNumber: number;
  freeSlots: number;
  assignedTasks: number;
  totalResource: Resources;
  freeResource: Resources;
  hardware: { cpuCores: number; physicalMemory: number; freeMemory: number };
  memoryConfiguration: { taskHeap: number; totalProcessMemory: number };
  flott?: {
    process: ProcessFigures;
    slots: { slot: number; job?: string; tasks: number; worker?: ProcessFigures }[];
  };
}

export interface TaskManagerDetails extends TaskManagerRow {
  allocatedSlots: { jobId: string; resource: Resources; assignedTasks: number }[];
  metrics: { heapUsed: number; heapCommitted: number; heapMax: number; garbageCollectors: { name: string; count: number; time: number }[] };
}

export interface LogFile {
  name: string;
  size: number;
  mtime: number;
}

export type LogLevel = "DEBUG" | "INFO" | "WARN" | "ERROR";

export interface LogLine {
  seq: number;
  at: number;
  level: LogLevel;
  message: string;
  /** Its id; fields may have its name. */
  job?: string;
  task?: string;
  attempt?: string;
  fields?: Record<string, string>;
}

export interface LogLines {
  lines: LogLine[];
  last: number;
}

export interface ThreadDump {
  threadInfos: { threadName: string; stringifiedThreadInfo: string }[];
}

export interface Profiling {
  status: "RUNNING" | "FINISHED" | "FAILED";
  mode: "CPU" | "ITIMER" | "WALL" | "ALLOC" | "LOCK";
  triggerTime: number;
  finishedTime: number | null;
  /** Seconds. */
  duration: number;
  message: string | null;
  outputFile: string | null;
}

// --- Jobs ---

export type JobState =
  | "INITIALIZING" | "CREATED" | "RUNNING" | "FAILING" | "FAILED" | "CANCELLING"
  | "CANCELED" | "FINISHED" | "RESTARTING" | "SUSPENDED" | "RECONCILING";

export type TaskState =
  | "CREATED" | "SCHEDULED" | "DEPLOYING" | "INITIALIZING" | "RUNNING"
  | "FINISHED" | "CANCELING" | "CANCELED" | "FAILED" | "RECONCILING";

/** ended says that a job will not run again. */
export const ended = (state: JobState): boolean => state === "FINISHED" || state === "FAILED" || state === "CANCELED";

/** A Span is when something ran; -1: it has not started, or not ended. */
export interface Span {
  "start-time": number;
  "end-time": number;
  duration: number;
}

export interface JobFlott {
  health: Color;
  /** reason is a sentence; empty: nothing is wrong. */
  reason: string;
  /** What the job waits for, such as slots. */
  waiting?: string;
  restarts: number;
  /** What a restart means. */
  note?: string;
  /** Of all sources. */
  recordsPerSecond: number;
  /** Since when the job is in its state. */
  since: number;
  /** How far event time is behind the clock, in milliseconds. */
  lag: number | null;
  /** By how many milliseconds a second the lag grows, over five minutes. */
  lagTrend: number | null;
  /** The last minutes, oldest first; events come without. */
  series?: { from: number; step: number; rps: Points; lag: Points };
}

/** Points of a series; null: not measured. */
export type Points = (number | null)[];

export interface JobRow extends Span {
  jid: string;
  name: string;
  jobType: "STREAMING" | "BATCH";
  schedulerType: string;
  state: JobState;
  "last-modification": number;
  tasks: Record<string, number> & { total: number };
  "pending-operators": number;
  flott: JobFlott;
}

export interface JobDetails extends Span {
  jid: string;
  "application-id": string;
  name: string;
  isStoppable: boolean;
  state: JobState;
  "job-type": "STREAMING" | "BATCH";
  schedulerType: string;
  maxParallelism: number;
  now: number;
  timestamps: Partial<Record<JobState, number>>;
  vertices: VertexRow[];
  "status-counts": Record<TaskState, number>;
  flott: JobFlott;
}

export interface VertexRow extends Span {
  id: string;
  slotSharingGroupId: string;
  name: string;
  maxParallelism: number;
  parallelism: number;
  status: TaskState;
  tasks: Record<TaskState, number>;
  metrics: Traffic;
}

/** Traffic is what went through since the start. */
export interface Traffic {
  "read-bytes": number;
  "write-bytes": number;
  "read-records": number;
  "write-records": number;
  "accumulated-backpressured-time": number;
  "accumulated-idle-time": number;
  "accumulated-busy-time": number;
}

export interface JobConfig {
  jid: string;
  name: string;
  "execution-config": {
    "restart-strategy": string;
    "job-parallelism": number;
    "object-reuse-mode": boolean;
    "user-config": Record<string, string>;
  };
}

/** CheckpointConfig is what the program asked for, in milliseconds. */
export interface CheckpointConfig {
  mode: "exactly_once" | "at_least_once";
  /** The largest number that there is: none. */
  interval: number;
  timeout: number;
  min_pause: number;
}

export interface Exceptions {
  exceptionHistory: { entries: ExceptionEntry[]; truncated: boolean };
}

export interface ExceptionInfo {
  exceptionName: string;
  stacktrace: string;
  timestamp: number;
  failureLabels: Record<string, string>;
  taskName?: string;
  endpoint?: string;
  taskManagerId?: string;
  flott: {
    vertex?: string;
    subtask?: number;
    attempt?: number;
    operator?: string;
    /** How many were hit. */
    tasks: number;
    /** Of the stack; user: in the program, not in an engine or library. */
    frames: { function: string; file: string; line: number; user: boolean }[];
    restart: { tasks: number; of: number; vertices: string[]; delay: number } | null;
    phases: { phase: "failed" | "due" | "deployed" | "running"; at: number }[];
    downtime: number | null;
    note: string;
  };
}

export interface ExceptionEntry extends ExceptionInfo {
  concurrentExceptions: ExceptionInfo[];
}

// --- The four graphs ---

export interface Graphs {
  /** null: the job came without. */
  streamGraph: { nodes: StreamNode[]; edges: StreamEdge[] } | null;
  jobGraph: { vertices: GraphVertex[] };
  executionGraph: {
    vertices: { id: string; subtasks: GraphSubtask[] }[];
    regions: { id: number; subtasks: number; vertices: string[] }[];
  };
  physical: { taskManagers: { id: string; host: string; worker: ProcessFigures; slots: number[] }[] };
}

export interface StreamNode {
  id: number;
  operatorId: string;
  name: string;
  kind: "source" | "sink" | "operator";
  parallelism: number;
  maxParallelism: number;
  chainingStrategy: string;
  slotSharingGroup: string;
  uid: string | null;
  description: string;
  /** file:line; empty: not known. */
  declaredAt: string;
  /** Why it keeps state; empty: it keeps none. */
  state: string;
}

export interface StreamEdge {
  id: string;
  source: number;
  target: number;
  partitioner: string;
  typeNumber: number;
  outputTag: string | null;
  exchangeMode: string;
  bufferTimeoutMs: number;
  /** null: chained. */
  distribution: string | null;
  resultType: string | null;
  /** Records a second, while the job runs. */
  rate?: number;
  chain: { chained: boolean; checks: ChainCheck[]; why: string; short: string };
}

export interface ChainCheck {
  rule: string;
  ok: boolean;
  detail: string;
}

export interface GraphVertex {
  id: string;
  key: number;
  name: string;
  /** Ids in the stream graph. */
  operators: number[];
  parallelism: number;
  slotSharingGroup: string;
  inputs: GraphInput[];
}

export interface GraphInput {
  vertex: string;
  /** Id in the stream graph. */
  edge: string;
  shipStrategy: string;
  distribution: string;
  resultType: string;
  channels: number;
  /** The first and last subtask that each subtask reads from; null: all from all. */
  wiring: [number, number][] | null;
}

/** A GraphSubtask has milliseconds a second, and records a second. */
export interface GraphSubtask {
  index: number;
  attempt: number;
  state: TaskState;
  busy: number;
  backPressured: number;
  idle: number;
  rate: number;
  taskManager: string;
  slot: number;
  host: string;
  endpoint: string;
  /** Of the worker; 0: not known. */
  pid: number;
}

// --- What is wrong ---

export type Level = "ok" | "pending" | "warn" | "stalled";

export interface Diagnosis {
  /** The worst of the findings. */
  level: Level;
  /** Most important first. */
  findings: Finding[];
  bottleneck: Place | null;
  watermark: {
    value: number | null;
    behind: number | null;
    heldBy: (Place & { split?: string }) | null;
    /** Vertices from the holder to the last one. */
    path?: string[];
  };
  since: number;
}

export interface Place {
  vertex: string;
  subtask: number;
}

/** A HeldSubtask is how far event time has come in a subtask, and who holds it there. */
export interface HeldSubtask {
  subtask: number;
  value: number | null;
  /** null: nobody. */
  heldBy: (Place & { split?: string }) | null;
  /** Vertices from the holder to this one. */
  path: string[];
}

export interface Finding {
  kind: "progress" | "bottleneck" | "skew" | "watermark" | "waiting" | "restarts" | "failed";
  level: Level;
  head: string;
  detail: string;
  advice: string;
  vertex?: string;
  subtask?: number;
  /** Shares and times of a second are per mille, the others milliseconds. */
  figures: Record<string, number>;
  since: number;
  /** Vertices from the source to it. */
  path?: string[];
}

// --- Vertices ---

export interface VertexDetails {
  id: string;
  name: string;
  parallelism: number;
  maxParallelism: number;
  now: number;
  subtasks: SubtaskDetail[];
  aggregated: { metrics: Record<string, Statistics>; "status-duration": Record<string, Statistics> };
}

export interface Statistics {
  min: number;
  max: number;
  avg: number;
  sum: number;
  median: number;
  p25: number;
  p75: number;
  p95: number;
}

export interface SubtaskDetail extends Span {
  subtask: number;
  status: TaskState;
  attempt: number;
  endpoint: string;
  "taskmanager-id": string;
  metrics: Traffic;
  "status-duration": Partial<Record<TaskState, number>>;
  flott?: {
    busy: number;
    idle: number;
    backPressured: number;
    recordsInPerSecond: number;
    recordsOutPerSecond: number;
    /** null: none yet. */
    watermark: number | null;
    slot: number;
  };
}

export interface SubtaskTimes {
  id: string;
  name: string;
  now: number;
  subtasks: { subtask: number; endpoint: string; duration: number; timestamps: Record<TaskState, number> }[];
}

/** A Metric without value is only named. */
export interface Metric {
  id: string;
  value?: string;
}

/** A MetricAggregate without numbers is only named. */
export interface MetricAggregate {
  id: string;
  min?: number;
  max?: number;
  avg?: number;
  sum?: number;
}

export type FlameType = "full" | "on_cpu" | "off_cpu";

export interface FlameGraph {
  /** -1: the job is over, -2: there are none, -3: the first samples are being taken. */
  endTimestamp: number;
  data?: Flame;
  /** Why there is none. */
  flott?: string;
}

export interface Flame {
  name: string;
  value: number;
  children: Flame[];
}

export interface History {
  /** When the first point was taken. */
  from: number;
  step: number;
  /** What the lines are: subtasks, or p50, p99 and max of them. */
  lanes: string[];
  /** By metric: the points of each lane. */
  series: Record<string, Points[]>;
}

// --- Events ---

/** A Frame is what changed in the last second. */
export interface Frame {
  now: number;
  seq: number;
  vertices?: Record<string, VertexChange>;
  /** Records a second, by operator in the stream graph. */
  edges?: Record<string, number>;
  jobs?: JobNow[];
}

/** VertexColumns has a value for each subtask. */
export interface VertexColumns {
  busy: number[];
  bp: number[];
  idle: number[];
  in: number[];
  out: number[];
  bytes: number[];
  state: TaskState[];
  /** null: none yet. */
  watermark: (number | null)[];
}

/** VertexChange is columns, each for all subtasks or for those named. A column that is missing is as it was. */
export type VertexChange = Partial<VertexColumns> & { subtasks?: number[] };

export interface JobNow extends JobFlott {
  jid: string;
  name: string;
  state: JobState;
}
