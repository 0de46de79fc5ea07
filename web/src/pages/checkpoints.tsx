export function Checkpoints(_: { job: string }) {
  return null;
}
