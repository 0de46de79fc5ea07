export function JobManager(_: { tab: string; query: Readonly<Record<string, string>> }) {
  return null;
}
