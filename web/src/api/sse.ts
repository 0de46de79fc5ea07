// Server-sent events, read from a fetch: the browser's own EventSource can send no token.

export interface ServerEvent {
  event: string;
  id: string;
  data: string;
}

/** An EventParser makes events of text that comes in pieces of any length. */
export class EventParser {
  private rest = "";
  private event = "";
  private id = "";
  private data: string[] = [];

  constructor(private readonly on: (e: ServerEvent) => void) {}

  feed(text: string): void {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.line(line.replace(/\r$/, ""));
  }

  /** line takes one: an empty one ends an event, one that starts with a colon says nothing. */
  private line(line: string): void {
    if (line === "") return this.end();
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "event") this.event = value;
    if (name === "id") this.id = value;
    if (name === "data") this.data.push(value);
  }

  private end(): void {
    if (this.data.length > 0) this.on({ event: this.event || "message", id: this.id, data: this.data.join("\n") });
    this.event = "";
    this.data = [];
  }
}
