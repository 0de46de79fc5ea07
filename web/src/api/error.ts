// What went wrong, for people.

/** An ApiError is an answer that is no success; status 0: there was none. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly errors: readonly string[],
  ) {
    super(errors.map(readable).find((text) => text !== "Internal server error.") ?? `HTTP status ${status}`);
  }
}

/** readable takes away what stands there for programs that were written for Flink: names of Java classes, and marks around them. */
function readable(text: string): string {
  return text
    .replace(/^<Exception on server side:\s*/, "")
    .replace(/\s*End of exception on server side>\s*$/, "")
    .replace(/^(?:[a-z]+\.)+[A-Za-z]+(?:Exception|Error): /, "")
    .trim();
}
