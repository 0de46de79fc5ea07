export function JobPage(_: { job: string; tab: string; query: Readonly<Record<string, string>> }) {
  return null;
}
