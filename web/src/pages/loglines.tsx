// Lines of a log, the newest at the bottom. Who is at the bottom follows; who scrolls up stays where he reads.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { clockExact, moment } from "../fmt";
import { format } from "../route";
import type { Line } from "./slog";

interface LogLinesProps {
  label: string;
  lines: readonly Line[];
  following: boolean;
  onFollow: (following: boolean) => void;
}

/** near is how far from its end a log may be and still be followed. */
const near = 24;

export function LogLines({ label, lines, following, onFollow }: LogLinesProps) {
  const element = useRef<HTMLDivElement>(null);
  useStay(element, lines[0]?.seq, following);
  useLayoutEffect(() => {
    if (following && element.current) element.current.scrollTop = element.current.scrollHeight;
  }, [lines, following]);
  const scrolled = () => {
    const e = element.current;
    if (e) onFollow(e.scrollHeight - e.scrollTop - e.clientHeight < near);
  };
  // Who opens a value wants to read it.
  const opened = (e: MouseEvent) => e.target instanceof Element && e.target.closest("button") && onFollow(false);
  return (
    <div ref={element} class="log" role="log" aria-label={label} tabIndex={0} onScroll={scrolled} onClick={opened}>
      {lines.map((line) => (line.level === null ? <Text key={line.seq} line={line} /> : <Entry key={line.seq} line={line} level={line.level} />))}
    </div>
  );
}

/** useStay keeps what is read in its place when older lines come before it. */
function useStay(of: { current: HTMLDivElement | null }, first: number | undefined, following: boolean): void {
  const before = useRef(0);
  useLayoutEffect(() => {
    const e = of.current;
    if (e && !following) e.scrollTop += e.scrollHeight - before.current;
  }, [first]);
  useLayoutEffect(() => {
    before.current = of.current?.scrollHeight ?? 0;
  });
}

const Text = ({ line }: { line: Line }) => <div class="text">{line.message}</div>;

function Entry({ line, level }: { line: Line; level: string }) {
  const fields = Object.entries({ ...line.fields, task: line.task, attempt: line.attempt?.toString() });
  return (
    <div class={level.toLowerCase()}>
      <time class="dim" title={moment(line.at)}>
        {clockExact(line.at)}
      </time>
      <span class="level">{level}</span>
      <span>
        {line.message}
        {fields.map(([key, value]) => value !== undefined && value !== "" && <Field key={key} name={key} value={value} line={line} />)}
        {line.job && !line.fields?.job && <Field name="job" value={line.job} line={line} />}
      </span>
    </div>
  );
}

/** A Field leads to what it names. */
function Field({ name, value, line }: { name: string; value: string; line: Line }) {
  const href = hrefOf(name, value, line);
  return (
    <>
      {" "}
      <span class="dim">{name}=</span>
      {href ? (
        <a class="link" href={href}>
          {value}
        </a>
      ) : (
        <Value text={value} />
      )}
    </>
  );
}

/** A Value of several lines, such as a stack, shows the first until it is opened. */
function Value({ text }: { text: string }) {
  const [open, set] = useState(false);
  const end = text.indexOf("\n");
  if (end < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, end)}{" "}
      <button type="button" class="log-more" aria-expanded={open} onClick={() => set(!open)}>
        {open ? "less" : "more"}
      </button>
      {open && <span class="log-rest">{text.slice(end + 1)}</span>}
    </>
  );
}

function hrefOf(name: string, value: string, line: Line): string | undefined {
  if (name === "job" && line.job) return format(["job", line.job]);
  if (name === "taskmanager") return format(["task-manager", value]);
  return undefined;
}
