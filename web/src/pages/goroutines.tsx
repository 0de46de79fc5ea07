// What all goroutines do at one moment: those that do the same are one row, and those in the job's own code come first.

import "../css/goroutines.css";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ApiError, at, get, getText, type ProcessPath } from "../api";
import { clock, plural } from "../fmt";
import { shortName } from "../panel/origin";
import { serverNow } from "../store";
import { Badge, Card, Copy, Empty, Failed, Loading } from "../ui";
import { groupsOf, matching, parseDump, workersOf, type Dump, type Group, type StackFrame } from "./stacks";

/** More than this of a dump is not read: a browser would choke on it. */
const most = 16 << 20;

/** JobGoroutines is those of all workers of a job. */
export function JobGoroutines({ job }: { job: string }) {
  return <Dumps key={job} take={async (signal) => parseDump((await getText(at.goroutines(job), 0, most, signal)).text)} />;
}

/** Goroutines is those of a TaskManager or of the JobManager. */
export function Goroutines({ of }: { of: ProcessPath }) {
  const take = async (signal: AbortSignal) => {
    const { threadInfos } = await get(at.threads(of), signal);
    return parseDump(threadInfos.map((t) => t.stringifiedThreadInfo.trim()).join("\n\n"));
  };
  return <Dumps key={of} take={take} />;
}

interface Taken {
  dump?: Dump;
  error?: ApiError;
  at?: number;
}

/** Dumps asks when it is opened and when it is told to, and not by itself: a dump stops the process for a moment. */
function Dumps({ take }: { take: (signal: AbortSignal) => Promise<Dump> }) {
  const [taken, set] = useState<Taken>({});
  const [times, again] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    take(stop.signal).then(
      (dump) => set({ dump, at: serverNow() || Date.now() }), // the first event may come later
      (error: ApiError) => stop.signal.aborted || set({ error }),
    );
    return () => stop.abort();
  }, [times]);
  const more = () => again((n) => n + 1);
  if (taken.error) {
    return (
      <Card title="Goroutines">
        <Failed what="The goroutines" error={taken.error} again={more} />
      </Card>
    );
  }
  return (
    <Card
      title="Goroutines"
      note={taken.at ? `at ${clock(taken.at)}` : undefined}
      side={
        <button type="button" class="button" onClick={more}>
          Look again
        </button>
      }
    >
      {taken.dump ? <Found dump={taken.dump} /> : <Loading />}
    </Card>
  );
}

/** As many groups are shown before somebody asks for all. */
const first = 100;

function Found({ dump }: { dump: Dump }) {
  const [filter, setFilter] = useState("");
  const [all, showAll] = useState(false);
  const groups = useMemo(() => groupsOf(dump.goroutines), [dump]);
  const shown = useMemo(() => matching(groups, filter), [groups, filter]);
  return (
    <>
      {dump.failures.map((f) => (
        <p key={f.worker} class="note" role="alert">
          <b>{f.worker || "The process"} did not answer.</b> {f.text}
        </p>
      ))}
      {groups.length === 0 ? (
        <Empty title="Nothing runs now" />
      ) : (
        <>
          <div class="row wrap goroutines-head">
            <input
              class="input grow"
              type="search"
              placeholder="Function, file, state or worker"
              aria-label="Filter by function, file, state or worker"
              value={filter}
              onInput={(e) => setFilter(e.currentTarget.value)}
            />
            <States groups={groups} onPick={setFilter} />
            <span class="small secondary num" role="status">
              {sizeOf(shown)} of {plural(dump.goroutines.length, "goroutine")}, {plural(shown.length, "stack")}
            </span>
          </div>
          {shown.length === 0 && <Empty title="No stack has all these words" />}
          <ul class="goroutines">
            {(all ? shown : shown.slice(0, first)).map((g) => (
              <Stack key={g.key} group={g} />
            ))}
          </ul>
          {!all && shown.length > first && (
            <button type="button" class="frames-more" onClick={() => showAll(true)}>
              Show all {plural(shown.length, "stack")}
            </button>
          )}
        </>
      )}
    </>
  );
}

const sizeOf = (groups: readonly Group[]): number => groups.reduce((n, g) => n + g.goroutines.length, 0);

/** States is what the goroutines do, the most frequent first. Each is a filter. */
function States({ groups, onPick }: { groups: readonly Group[]; onPick: (state: string) => void }) {
  const by = new Map<string, number>();
  for (const g of groups) by.set(g.state, (by.get(g.state) ?? 0) + g.goroutines.length);
  const states = [...by].sort((a, b) => b[1] - a[1]).slice(0, 4);
  return (
    <>
      {states.map(([state, n]) => (
        <button key={state} type="button" class="badge" onClick={() => onPick(state)}>
          {state} {n}
        </button>
      ))}
    </>
  );
}

/** A Stack opens to its frames. */
function Stack({ group }: { group: Group }) {
  const { title, state, minutes, goroutines, frames, createdBy } = group;
  const [open, setOpen] = useState(false);
  const workers = workersOf(group);
  return (
    <li>
      <details open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
        <summary>
          <span class="num strong">{goroutines.length}</span>
          <span class="ellipsis">
            <code>{title ? shortName(title.function) : "no frames"}</code>
            {title && <Place of={title} />}
          </span>
          {title?.origin === "user" && <Badge tone="amber">your code</Badge>}
          <span class="grow" />
          <span class="small secondary">
            {state}
            {minutes > 0 && ` for ${minutes} min`}
          </span>
        </summary>
        {open && (
          <>
            <ol class="frames">
              {frames.map((f, i) => (
                <Frame key={i} of={f} />
              ))}
              {createdBy && <Frame of={createdBy}>started by </Frame>}
            </ol>
            <p class="note row">
              <span class="grow">
                {plural(goroutines.length, "goroutine")}: {idsOf(group)}
                {workers.length > 0 && `, in ${workers.join(", ")}`}
              </span>
              <Copy text={frames.map((f) => `${f.function}\n\t${f.file}:${f.line}`).join("\n")} label="Copy the stack" />
            </p>
          </>
        )}
      </details>
    </li>
  );
}

const Frame = ({ of, children }: { of: StackFrame; children?: ComponentChildren }) => (
  <li class={of.origin}>
    {children}
    {of.function}
    <Place of={of} />
  </li>
);

const Place = ({ of }: { of: StackFrame }) => (
  <span class="quiet" title={of.file}>
    {" "}
    {of.file.slice(of.file.lastIndexOf("/") + 1)}:{of.line}
  </span>
);

/** idsOf is the numbers of the goroutines, a few of many. */
function idsOf(g: Group): string {
  const ids = g.goroutines.slice(0, 8).map((x) => x.id);
  return ids.join(", ") + (g.goroutines.length > ids.length ? ", …" : "");
}
