// What tests need. They run without a browser, in an engine that the Go test of web/build brings.

declare const register: (name: string, run: () => void) => void;

export function test(name: string, run: () => void): void {
  register(name, run);
}

/** equal compares as JSON does: by value, without what is undefined. */
export function equal(got: unknown, want: unknown): void {
  const a = JSON.stringify(got);
  const b = JSON.stringify(want);
  if (a !== b) throw new Error(`got ${a}, want ${b}`);
}
