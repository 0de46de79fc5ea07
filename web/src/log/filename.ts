import type { LogFile } from "../api";

/** fileLabel is what a log file is called for people: that of a worker by its job and number. */
export function fileLabel(name: string, jobs: ReadonlyMap<string, string>): string {
  const [, job, number] = /^worker-([0-9a-f]{32})-(\d+)\.(?:log|out)$/.exec(name) ?? [];
  const known = job && jobs.get(job);
  return known ? `${known}, worker ${number}` : name;
}

/** printed says that a file has what a worker printed, and no log. */
export const printed = (name: string): boolean => name.endsWith(".out");

/** inOrder is the process' own files first, then those of its workers, the newest first; what is empty comes last. */
export function inOrder(files: readonly LogFile[]): LogFile[] {
  const rank = (f: LogFile) => (f.name.startsWith("worker-") ? (f.size === 0 ? 2 : 1) : 0);
  return [...files].sort((a, b) => rank(a) - rank(b) || b.mtime - a.mtime || a.name.localeCompare(b.name));
}
