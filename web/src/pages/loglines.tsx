// Lines of a log, the newest at the bottom. Who is at the bottom follows; who scrolls up stays where he reads.

import { Fragment } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
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
  return (
    <div ref={element} class="log" role="log" aria-label={label} tabIndex={0} onScroll={scrolled}>
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

const Text = ({ line }: { line: Line }) => <p class="text">{line.message}</p>;

function Entry({ line, level }: { line: Line; level: string }) {
  const fields = Object.entries({ ...line.fields, task: line.task, attempt: line.attempt?.toString() });
  return (
    <p class={level.toLowerCase()}>
      <time class="key" title={moment(line.at)}>
        {clockExact(line.at)}
      </time>
      <span class="level">{level}</span>
      <span>
        {line.message}
        {fields.map(([key, value]) => value !== undefined && value !== "" && <Field key={key} name={key} value={value} line={line} />)}
        {line.job && !line.fields?.job && <Field name="job" value={line.job} line={line} />}
      </span>
    </p>
  );
}

/** A Field leads to what it names; of several lines it shows the first until it is opened. */
function Field({ name, value, line }: { name: string; value: string; line: Line }) {
  const [first = "", ...rest] = value.split("\n");
  const href = hrefOf(name, value, line);
  return (
    <Fragment>
      {" "}
      <span class="key">{name}=</span>
      {href ? (
        <a class="link" href={href}>
          {value}
        </a>
      ) : rest.length === 0 ? (
        value
      ) : (
        <details>
          <summary>{first}</summary>
          {rest.join("\n")}
        </details>
      )}
    </Fragment>
  );
}

function hrefOf(name: string, value: string, line: Line): string | undefined {
  if (name === "job" && line.job) return format(["job", line.job]);
  if (name === "taskmanager") return format(["task-manager", value]);
  return undefined;
}
