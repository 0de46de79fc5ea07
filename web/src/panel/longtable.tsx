import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../ui";
import { inOrder, sortedBy, type Order } from "./order";

/** A LongColumn can be sorted by if it says by what. null comes last, in both directions. */
export interface LongColumn<T> {
  title: string;
  /** What the title means, for who points at it. */
  hint?: string;
  number?: boolean;
  class?: string;
  by?: (row: T) => number | string | null;
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
const ahead = 8;
const height = 17 * rowHeight;

/** A LongTable is sorted by its heads, has one row in reach of the Tab key, and stays quick with thousands of rows. */
export function LongTable<T>({ label, columns, rows, id, picked, onPick, rowClass }: LongTableProps<T>) {
  const [order, setOrder] = useState<Order | null>(null);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const sorted = useCalm(rows, columns, order, id);
  const long = sorted.length > short;
  const first = long ? Math.max(0, Math.floor(top / rowHeight) - ahead) : 0;
  const last = long ? Math.min(sorted.length, Math.ceil((top + height) / rowHeight) + ahead) : sorted.length;
  const sort = (to: Order | null) => {
    setOrder(to);
    if (box.current) box.current.scrollTop = 0;
  };
  const steps = useSteps(box, sorted.map(id), picked);

  return (
    <div class={`scroll${long ? " long" : ""}`} ref={box} onScroll={(e) => setTop(e.currentTarget.scrollTop)} style={long ? { maxHeight: height } : undefined}>
      <table class="dense" aria-label={label} aria-rowcount={sorted.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((c) => (
              <Head key={c.title} column={c} order={order} onSort={sort} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={steps.move}>
          <Gap rows={first} />
          {sorted.slice(first, last).map((row, i) => {
            const own = id(row);
            return (
              <tr
                key={own}
                aria-rowindex={first + i + 2}
                aria-current={own === picked ? "true" : undefined}
                class={`${onPick ? "go " : ""}${own === picked ? "selected " : ""}${rowClass?.(row) ?? ""}`}
                onClick={onPick && (() => onPick(own))}
              >
                {columns.map((c, k) => (
                  <td key={c.title} class={`${c.number ? "number " : ""}${c.class ?? ""}`}>
                    {k === 0 && onPick ? (
                      <button type="button" class="row-name" data-row={own} tabIndex={own === steps.reach ? 0 : -1} aria-pressed={own === picked}>
                        {c.cell(row)}
                      </button>
                    ) : (
                      c.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
          <Gap rows={sorted.length - last} />
        </tbody>
      </table>
    </div>
  );
}

const calm = 5_000;

/** useCalm sorts rows, but not with each new number: rows that jump cannot be read. */
function useCalm<T>(rows: readonly T[], columns: readonly LongColumn<T>[], order: Order | null, id: (row: T) => number): readonly T[] {
  const last = useRef<{ order: Order | null; at: number; ids: number[] }>();
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

/** useSteps lets arrows go from row to row, with one row in reach of the Tab key: the picked one, else the first. */
function useSteps(box: { current: HTMLDivElement | null }, ids: readonly number[], picked: number | undefined) {
  const [wanted, want] = useState<number | null>(null);
  const known = (n: number | null | undefined) => n != null && ids.includes(n);
  const reach = known(wanted) ? wanted : known(picked) ? picked : ids[0];

  useEffect(() => {
    if (wanted !== null) box.current?.querySelector<HTMLElement>(`[data-row="${wanted}"]`)?.focus();
  }, [wanted]);

  const move = (e: JSX.TargetedKeyboardEvent<HTMLTableSectionElement>) => {
    if (!(e.target instanceof HTMLElement) || e.target.dataset.row === undefined) return;
    const at = ids.indexOf(Number(e.target.dataset.row));
    const next = nextOf(e.key, at, ids.length);
    if (next === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    if (box.current?.classList.contains("long")) reveal(box.current, next);
    want(ids[next] ?? null);
  };
  return { reach, move };
}

const page = 10;

function nextOf(key: string, at: number, of: number): number | undefined {
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: of - 1 };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(of - 1, Math.max(0, next));
}

/** reveal scrolls so that a row is drawn, below the head of the table. */
function reveal(box: HTMLElement, row: number): void {
  const top = row * rowHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + 2 * rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * rowHeight - box.clientHeight;
}
