export function JobConfiguration(_: { job: string }) {
  return null;
}
