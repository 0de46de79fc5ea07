// Answers about the cluster and its processes.

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
  /** plan: programs that do not run are shown; embedded: the JobManager is in the program, and ends with it. */
  flott?: { readOnly: boolean; plan: boolean; embedded: boolean };
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
