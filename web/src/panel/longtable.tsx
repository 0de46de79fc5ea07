import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { keep, pure } from "../pure";
import { Icon } from "../ui";
import { inOrder, sortedBy, type Order } from "./order";

/** A LongColumn can be sorted by if it says by what. null comes last, in both directions. */
export interface LongColumn<T> {
  title: string;
  /** What the title means, for who points at it. */
  hint?: string;
  number?: boolean;
  class?: string;
  /** In pixels, of a long table: its columns must not be measured anew with each number that changes. */
  width: number;
  by?: (row: T) => number | string | null;
  /** It is drawn anew only if a property of it is another one: so it has texts and numbers, not the row, which is new each second. */
  cell: (row: T) => ComponentChildren;
}

interface LongTableProps<T> {
  label: string;
  /** The first one names the row: where rows can be picked, it is the button that does. */
  columns: readonly LongColumn<T>[];
  rows: readonly T[];
  id: (row: T) => number;
  picked?: number;
  onPick?: (id: number) => void;
  rowClass?: (row: T) => string;
}

const rowHeight = 34;
/** Up to here all rows are drawn; above, the table scrolls by itself and draws those in sight. */
const short = 64;
const ahead = 2;
const height = 12 * rowHeight;

/** A LongTable is sorted by its heads, has one row in reach of the Tab key, and stays quick with thousands of rows. */
export function LongTable<T>({ label, columns, rows, id, picked, onPick, rowClass }: LongTableProps<T>) {
  const [order, setOrder] = useState<Order | null>(null);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const sorted = useCalm(rows, columns, order, id);
  const long = sorted.length > short;
  const [first, last] = long ? inSight(top, sorted.length) : [0, sorted.length];
  const drawn = sorted.slice(first, last);
  const scrollTo = (to: number) => {
    if (!box.current || !long) return;
    box.current.scrollTop = to;
    setTop(box.current.scrollTop); // the event would come too late for who looks for the row
  };
  const steps = useSteps(box, sorted.map(id), drawn.map(id), picked, scrollTo);
  const sort = (to: Order | null) => {
    setOrder(to);
    scrollTo(0);
  };

  const pick = (e: Event) => {
    const row = rowOf(e.target);
    if (row !== undefined) onPick?.(row);
  };
  const classes = columns.map((c) => `${c.number ? "number " : ""}${c.class ?? ""}`);
  const heads = useMemo(
    () => (
      <tr aria-rowindex={1}>
        {columns.map((c) => (
          <Head key={c.title} column={c} order={order} onSort={sort} />
        ))}
      </tr>
    ),
    [order, long, columns.map((c) => c.title).join()],
  );

  return (
    <div class={`scroll${long ? " long" : ""}`} ref={box} onScroll={(e) => setTop(e.currentTarget.scrollTop)} style={long ? { height } : undefined}>
      <table class="dense" aria-label={label} aria-rowcount={sorted.length + 1}>
        <thead>{heads}</thead>
        <tbody onKeyDown={steps.move} onClick={pick}>
          <Gap rows={first} />
          {drawn.map((row, i) => (
            <Row
              key={id(row)}
              own={id(row)}
              index={first + i + 2}
              class={rowClass?.(row) ?? ""}
              cells={columns.map((c) => c.cell(row))}
              classes={classes}
              go={onPick !== undefined}
              picked={id(row) === picked}
              reached={id(row) === steps.reach}
            />
          ))}
          <Gap rows={sorted.length - last} />
        </tbody>
      </table>
    </div>
  );
}

const inSight = (top: number, rows: number): [number, number] => [
  Math.max(0, Math.floor(top / rowHeight) - ahead),
  Math.min(rows, Math.ceil((top + height) / rowHeight) + ahead),
];

interface RowProps {
  own: number;
  /** Of all rows of the table, from 1. */
  index: number;
  class: string;
  cells: ComponentChildren[];
  /** Those of the cells. */
  classes: string[];
  /** Rows can be picked. */
  go: boolean;
  picked: boolean;
  /** It is the row in reach of the Tab key. */
  reached: boolean;
}

/** A Row is drawn anew only if a cell of it looks different, and then only that: most numbers of a job are the same for a second. */
const Row = pure(({ own, index, class: name, cells, classes, go, picked, reached }: RowProps) => {
  const drawn = useRef<JSX.Element[]>([]);
  drawn.current = cells.map((cell, i) =>
    keep(
      drawn.current[i],
      <td key={i} class={classes[i]}>
        {i === 0 && go ? (
          <button type="button" class="row-name" data-row={own} tabIndex={reached ? 0 : -1} aria-pressed={picked}>
            {cell}
          </button>
        ) : (
          cell
        )}
      </td>,
    ),
  );
  return (
    <tr aria-rowindex={index} aria-current={picked ? "true" : undefined} class={`${go ? "go " : ""}${picked ? "selected " : ""}${name}`}>
      {drawn.current}
    </tr>
  );
});

/** rowOf is the row that an element stands in. */
function rowOf(e: EventTarget | null): number | undefined {
  const name = (e as Element).closest("tr")?.querySelector<HTMLElement>("[data-row]");
  return name ? Number(name.dataset.row) : undefined;
}

const calm = 5_000;

/** useCalm sorts rows, but not with each new number: rows that jump cannot be read. */
function useCalm<T>(rows: readonly T[], columns: readonly LongColumn<T>[], order: Order | null, id: (row: T) => number): readonly T[] {
  const last = useRef<{ order: Order; at: number; ids: number[] }>();
  if (!order) return rows;
  const now = performance.now();
  if (!last.current || last.current.order !== order || now - last.current.at > calm) {
    last.current = { order, at: now, ids: sortedBy(rows, columns, order).map(id) };
  }
  return inOrder(rows, last.current.ids, id);
}

/** A Gap stands for rows that are not in sight. */
const Gap = ({ rows }: { rows: number }) => (rows > 0 ? <tr class="gap" aria-hidden="true" style={{ height: rows * rowHeight }} /> : null);

interface HeadProps<T> {
  column: LongColumn<T>;
  order: Order | null;
  onSort: (order: Order | null) => void;
}

/** A Head sorts downwards first, as people look for the largest, then upwards, then not at all. */
function Head<T>({ column, order, onSort }: HeadProps<T>) {
  const mine = order?.title === column.title ? order : null;
  const next = mine ? (mine.down ? { ...mine, down: false } : null) : { title: column.title, down: true };
  return (
    <th
      scope="col"
      title={column.hint}
      style={{ "--w": `${column.width}px` }}
      class={`${column.number ? "number " : ""}${column.class ?? ""}`}
      aria-sort={mine ? (mine.down ? "descending" : "ascending") : undefined}
    >
      {column.by ? (
        <button type="button" class={mine ? (mine.down ? "sort down" : "sort up") : "sort"} onClick={() => onSort(next)}>
          {column.title}
          <Icon name="down" size={10} />
        </button>
      ) : (
        column.title
      )}
    </th>
  );
}

/** useSteps lets arrows go from row to row, with one of those drawn in reach of the Tab key: the picked one, else the first. */
function useSteps(
  box: { current: HTMLDivElement | null },
  ids: readonly number[],
  drawn: readonly number[],
  picked: number | undefined,
  scrollTo: (top: number) => void,
) {
  const [wanted, want] = useState<number | undefined>();
  const reach = [wanted, picked].find((n) => n !== undefined && drawn.includes(n)) ?? drawn[0];

  useEffect(() => {
    if (wanted !== undefined) box.current?.querySelector<HTMLElement>(`[data-row="${wanted}"]`)?.focus();
  }, [wanted]);

  const move = (e: JSX.TargetedKeyboardEvent<HTMLTableSectionElement>) => {
    if (!(e.target instanceof HTMLElement) || e.target.dataset.row === undefined) return;
    const next = nextOf(e.key, ids.indexOf(Number(e.target.dataset.row)), ids.length);
    if (next === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    if (box.current) scrollTo(revealing(box.current, next));
    want(ids[next]);
  };
  return { reach, move };
}

const page = 10;

function nextOf(key: string, at: number, of: number): number | undefined {
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: of - 1 };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(of - 1, Math.max(0, next));
}

/** revealing is how far to scroll so that a row is in sight, below the head of the table. */
function revealing(box: HTMLElement, row: number): number {
  const top = row * rowHeight;
  return Math.min(Math.max(box.scrollTop, top + 2 * rowHeight - box.clientHeight), top);
}
