export function Exceptions(_: { job: string }) {
  return null;
}
