// Lines of a log, the newest at the bottom. Who is at the bottom follows; who scrolls up stays where he reads.

import { Component } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { clockExact, moment } from "../fmt";
import { format } from "../route";
import type { Line } from "./slog";
import { useJobs } from "../process/usejobs";
import { Named } from "../ui";

interface LogLinesProps {
  label: string;
  lines: readonly Line[];
  following: boolean;
  onFollow: (following: boolean) => void;
}

/** Names is those of jobs, by their ids. */
type Names = ReadonlyMap<string, string>;

/** near is how far from its end a log may be and still be followed. */
const near = 24;

export function LogLines({ label, lines, following, onFollow }: LogLinesProps) {
  const element = useRef<HTMLDivElement>(null);
  const { names } = useJobs();
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
    <div ref={element} class="log" role="log" aria-live={following ? "polite" : "off"} aria-label={label} tabIndex={0} onScroll={scrolled} onClick={opened}>
      {lines.map((line) => (
        <Row key={line.seq} line={line} jobs={names} />
      ))}
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

interface RowProps {
  line: Line;
  jobs: Names;
}

/** A Row is drawn once: a log of thousands of lines gets a new one each second. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.line !== this.props.line || next.jobs !== this.props.jobs;
  }

  override render({ line, jobs }: RowProps) {
    return line.level === null ? <div class="text">{line.message}</div> : <Entry line={line} level={line.level} jobs={jobs} />;
  }
}

function Entry({ line, level, jobs }: { line: Line; level: string; jobs: Names }) {
  const { job: name, ...fields } = line.fields ?? {};
  const job = line.job ? (jobs.get(line.job) ?? name ?? line.job) : name;
  const all = Object.entries({ job, ...fields, task: line.task, attempt: line.attempt });
  return (
    <div class={level.toLowerCase()}>
      <time class="dim" title={moment(line.at)}>
        {clockExact(line.at)}
      </time>
      <span class="level">{level}</span>
      <span>
        {line.message}
        {all.map(([key, value]) => value && <Field key={key} name={key} value={value} href={hrefOf(key, value, line)} />)}
      </span>
    </div>
  );
}

/** hrefOf leads to what a field names. */
function hrefOf(name: string, value: string, line: Line): string | undefined {
  if (name === "job" && line.job) return format(["job", line.job]);
  if (name === "taskmanager") return format(["task-manager", value]);
  return undefined;
}

const Field = ({ name, value, href }: { name: string; value: string; href?: string }) => (
  <>
    {" "}
    <span class="dim">{name}=</span>
    {href ? (
      <a class="link" href={href}>
        <Named name={value} />
      </a>
    ) : (
      <Value text={value} />
    )}
  </>
);

/** mostShown is how much of a value's first line is shown at once. */
const mostShown = 600;

/** A Value of several lines, such as a stack, shows the first until it is opened. */
function Value({ text }: { text: string }) {
  const [open, set] = useState(false);
  const [line = ""] = text.split("\n", 1);
  const shown = line.slice(0, mostShown);
  if (shown === text) return <>{text}</>;
  return (
    <>
      {shown}{" "}
      <button type="button" class="log-more" aria-expanded={open} onClick={() => set(!open)}>
        {open ? "less" : "more"}
      </button>
      {open && <span class="log-rest">{text.slice(shown.length).replace(/^\n/, "")}</span>}
    </>
  );
}
