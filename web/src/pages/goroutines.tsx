import type { ProcessPath } from "../api";

export function JobGoroutines(_: { job: string }) {
  return null;
}

export function Goroutines(_: { of: ProcessPath }) {
  return null;
}
