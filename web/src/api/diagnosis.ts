// What is wrong with a job.

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
  kind: "progress" | "bottleneck" | "skew" | "watermark" | "waiting" | "restarts" | "failed" | "lag" | "memory";
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
