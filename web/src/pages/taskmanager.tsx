export function TaskManager(_: { id: string; tab: string; query: Readonly<Record<string, string>> }) {
  return null;
}
