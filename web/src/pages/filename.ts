/** fileLabel is what a log file is called for people: that of a worker by its job and number. */
export function fileLabel(name: string, jobs: ReadonlyMap<string, string>): string {
  const [, job, number] = /^worker-([0-9a-f]{32})-(\d+)\.(?:log|out)$/.exec(name) ?? [];
  const known = job && jobs.get(job);
  return known ? `${known}, worker ${number}` : name;
}
