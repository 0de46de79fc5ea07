import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { JobState } from "../api";
import { bytes, duration, percent, plural, rate, unknown } from "../fmt";
import { pure } from "../pure";
import { format, setQuery } from "../route";
import { Badge, Dot, Empty, LoadBar, Say, type Tone } from "../ui";
import { taskWord } from "../words";
import { Attempts } from "./attempts";
import { lag, lagText, markText } from "./eventtime";
import { LongTable, type LongColumn } from "./longtable";
import { filtered, running, statesOf, type Row } from "./rows";
import { spreadOf, type Spread } from "./spread";

interface SubtasksProps {
  job: string;
  vertex: string;
  rows: readonly Row[];
  source: boolean;
  sink: boolean;
  /** The one of which all is told; undefined: nobody has chosen. */
  subtask: number | undefined;
  /** The one that the diagnosis names. */
  hot: number | undefined;
  state: JobState | undefined;
}

/** From this many on there is a filter. */
const many = 17;

/** Subtasks is the table of them, with how records are spread, and all about one. */
export function Subtasks({ job, vertex, rows, source, sink, subtask, hot, state }: SubtasksProps) {
  const [filter, setFilter] = useState("");
  const records = (r: Row) => (source ? r.out : r.in);
  const spread = spreadOf(rows.map(records));
  const skewed = rows.find((r) => r.subtask === spread.outlier);
  const strained = (skewed?.load?.busy ?? 0) >= 500;
  const outlier = hot ?? (strained ? skewed?.subtask : undefined);
  const shown = useMemo(() => filtered(rows, filter), [rows, filter]);
  const columns = columnsOf({ source, sink }, records, spread, outlier, rows);
  const one = rows.find((r) => r.subtask === (subtask ?? outlier ?? 0));
  return (
    <>
      <div class="body">
        {hot === undefined && <Skew spread={spread} of={rows.length} source={source} strained={strained} />}
        <div class="row wrap">
          {statesOf(rows).map(([s, n]) => (
            <Badge key={s} tone={toneOf(s)}>
              {n === rows.length && n > 1 ? `all ${taskWord(s)}` : `${n} ${taskWord(s)}`}
            </Badge>
          ))}
          <span class="grow" />
          {rows.length >= many && (
            <input
              class="input"
              type="search"
              placeholder="Number, state or host"
              aria-label="Filter subtasks by number, state or host"
              value={filter}
              onInput={(e) => setFilter(e.currentTarget.value)}
            />
          )}
        </div>
      </div>
      {shown.length > 0 ? (
        <LongTable
          label={`${plural(shown.length, "subtask")} of this vertex`}
          columns={columns}
          rows={shown}
          id={(r) => r.subtask}
          picked={one?.subtask}
          onPick={(n) => setQuery({ subtask: n })}
          rowClass={(r) => (r.subtask === outlier ? "outlier" : "")}
        />
      ) : (
        <Empty title="No subtask is like that" />
      )}
      {one && <One job={job} vertex={vertex} row={one} source={source} sink={sink} spread={spread} records={records(one)} state={state} />}
    </>
  );
}

/** Skew says in words when one subtask takes far more than its share: quietly, as long as that subtask is not strained. */
function Skew({ spread, of, source, strained }: { spread: Spread; of: number; source: boolean; strained: boolean }) {
  if (spread.outlier === null) return null;
  return (
    <Say tone={strained ? "hot" : "plain"}>
      <b>
        Subtask {spread.outlier} {source ? "produces" : "takes"} {percent(spread.max / spread.total)} of all records
      </b>
      , {times(spread.max, spread.mean)} its share of one in {of}.
    </Say>
  );
}

const times = (n: number, share: number): string => (n / share).toFixed(1).replace(/\.0$/, "") + " times";

export const toneOf = (s: Row["state"]): Tone => (s === "FAILED" ? "red" : s === "RUNNING" ? "green" : "plain");

/** End says that a vertex is at the beginning of the job, or at its end. */
interface End {
  source: boolean;
  sink: boolean;
}

function columnsOf({ source, sink }: End, records: (r: Row) => number | undefined, spread: Spread, outlier: number | undefined, rows: readonly Row[]): LongColumn<Row>[] {
  const mixed = rows.some((r) => !running(r.state));
  const columns: (LongColumn<Row> | false)[] = [
    {
      title: "#",
      width: 48,
      by: (r) => r.subtask,
      cell: (r) => <Index subtask={r.subtask} outlier={r.subtask === outlier} />,
    },
    { title: "Busy, blocked, idle", width: 128, hint: "Of each second", by: (r) => r.load?.busy ?? null, cell: (r) => <Load busy={r.load?.busy} bp={r.load?.bp} /> },
    {
      title: source ? "Out" : "In",
      width: 122,
      hint: "Records a second; the mark is the average",
      number: true,
      by: (r) => records(r) ?? null,
      cell: (r) => shareOf(records(r), spread, r.subtask === outlier),
    },
    !source && !sink && { title: "Out", width: 66, hint: "Records a second", number: true, class: "wide", by: (r) => r.out ?? null, cell: (r) => rate(r.out) },
    { title: "Behind", width: 66, hint: "How far event time is behind the clock", number: true, by: (r) => lag(r.mark), cell: (r) => lagText(r.mark) },
    mixed && { title: "State", width: 84, by: (r) => r.state, cell: (r) => <Badge tone={toneOf(r.state)}>{taskWord(r.state)}</Badge> },
    { title: "Where", width: 100, class: "where", by: (r) => `${r.taskManager} ${r.slot}`, cell: (r) => <Where {...placeOf(r)} tabIndex={-1} /> },
    { title: "Att.", width: 46, hint: "Attempt, from 1", number: true, class: "wide", by: (r) => r.attempt, cell: (r) => r.attempt + 1 },
  ];
  return columns.filter((c) => c !== false);
}

function Index({ subtask, outlier }: { subtask: number; outlier: boolean }) {
  return (
    <>
      {subtask}
      {outlier && <Dot tone="hot" label="outlier" />}
    </>
  );
}

function Load({ busy, bp }: { busy: number | undefined; bp: number | undefined }) {
  if (busy === undefined || bp === undefined) return <span class="quiet">{unknown}</span>;
  return (
    <span class="row">
      <LoadBar busy={busy} bp={bp} width={72} />
      <span class="num small busy">{percent(busy / 1000)}</span>
    </span>
  );
}

/** shareWidth is that of the bar of a share, in pixels: what is less than one is not seen. */
const shareWidth = 42;

function shareOf(value: number | undefined, { max, mean, total }: Spread, hot: boolean) {
  if (value === undefined) return unknown;
  const pixels = (n: number, of: number) => Math.round(max > 0 ? (n / max) * of : 0);
  const title = total > 0 ? `${percent(value / total)} of all records` : undefined;
  return <Share text={rate(value)} title={title} part={pixels(value, shareWidth)} mean={pixels(mean, shareWidth - 1)} hot={hot} />;
}

interface ShareProps {
  text: string;
  title: string | undefined;
  part: number;
  mean: number;
  hot: boolean;
}

function Share({ text, title, part, mean, hot }: ShareProps) {
  return (
    <span class={hot ? "share hot" : "share"} title={title}>
      <span class="part" aria-hidden="true" style={{ backgroundPositionX: `${mean}px, 0, 0`, backgroundSize: `1px 100%, ${part}px 8px, 100% 8px` }} />
      <span>{text}</span>
    </span>
  );
}

/** placeOf is where a subtask runs. */
const placeOf = ({ taskManager, host, slot }: Row) => ({ taskManager, host, slot });

interface WhereProps extends ReturnType<typeof placeOf> {
  tabIndex?: number;
}

/** Where is the slot, as a link to its TaskManager. Those of a table are no stops of the Tab key: all about a subtask has the link, too. */
function Where({ taskManager, host, slot, tabIndex }: WhereProps) {
  if (!assigned(taskManager)) return <span class="quiet">no slot</span>;
  return (
    <a class="link" tabIndex={tabIndex} href={format(["task-manager", taskManager])} title={`${taskManager}, slot ${slot}`}>
      {host || taskManager} / {slot}
    </a>
  );
}

const assigned = (taskManager: string): boolean => taskManager !== "" && taskManager !== "(unassigned)";

interface OneProps extends End {
  job: string;
  vertex: string;
  row: Row;
  spread: Spread;
  records: number | undefined;
  state: JobState | undefined;
}

/** One is all about one subtask. */
function One({ job, vertex, row, source, sink, spread, records, state }: OneProps) {
  const d = row.detail;
  return (
    <section class="section" aria-label={`Subtask ${row.subtask}`}>
      <header class="row">
        <h3>Subtask {row.subtask}</h3>
        <span class="grow" />
        {row.load && (
          <button type="button" class="button" onClick={() => setQuery({ tab: "flame", subtask: row.subtask, samples: null })}>
            Flame graph
          </button>
        )}
      </header>
      <dl class="pairs small">
        {row.load && (
          <>
            <Pair name="Records">
              {[!source && `in ${rate(row.in)}`, !sink && `out ${rate(row.out)}`].filter(Boolean).join(", ")}
              {records !== undefined && spread.total > 0 && `: ${percent(records / spread.total)} of all`}
            </Pair>
            {row.bytes ? <Pair name="Bytes">out {bytes(row.bytes)}/s</Pair> : null}
            <Pair name="Each second">
              busy {duration(row.load.busy)}, back-pressured {duration(row.load.bp)}, idle {duration(row.load.idle)}
            </Pair>
          </>
        )}
        <Pair name="Event time">
          {markText(row.mark)}
          {typeof row.mark === "object" && `, ${lagText(row.mark)} behind`}
        </Pair>
        <Pair name="Where">
          {assigned(row.taskManager) ? (
            <>
              <Where {...placeOf(row)} />
              {row.pid > 0 && `, worker ${row.pid}`}, TaskManager {row.taskManager}
            </>
          ) : (
            "no slot"
          )}
        </Pair>
        {d && (
          <Pair name="In all">
            {[!source && `read ${amount(d.metrics["read-records"], d.metrics["read-bytes"])}`, !sink && `wrote ${amount(d.metrics["write-records"], d.metrics["write-bytes"])}`]
              .filter(Boolean)
              .join(", ")}
          </Pair>
        )}
      </dl>
      <Attempts job={job} vertex={vertex} subtask={row.subtask} attempt={row.attempt} detail={row.detail} state={state} />
    </section>
  );
}

/** amount is records, with their bytes if they went between processes: inside of one they are handed over as they are. */
const amount = (records: number, size: number): string => plural(records, "record") + (size > 0 ? ` (${bytes(size)})` : "");

export const Pair = pure(({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="num">{children}</dd>
  </div>
));
