export function JobGoroutines(_: { job: string }) {
  return null;
}
