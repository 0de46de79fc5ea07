import { EventParser, type ServerEvent } from "./sse";
import { equal, test } from "../testing";

const text = ': ping\n\nevent: frame\nid: 7\ndata: {"now":1}\n\nevent: job\r\nid: 8\r\ndata: a\r\ndata: b: c\r\n\r\ndata\n\nevent: none\n\n';
const want: ServerEvent[] = [
  { event: "frame", id: "7", data: '{"now":1}' },
  { event: "job", id: "8", data: "a\nb: c" },
  { event: "message", id: "8", data: "" },
];

test("pieces of any length", () => {
  for (let size = 1; size <= text.length; size++) {
    const got: ServerEvent[] = [];
    const parser = new EventParser((e) => got.push(e));
    for (let i = 0; i < text.length; i += size) parser.feed(text.slice(i, i + size));
    equal(got, want);
  }
});
