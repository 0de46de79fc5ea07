import type { ComponentChildren, JSX } from "preact";

/** A Column of a table. Numbers stand at the right. */
export interface Column<T> {
  title: string;
  /** Of a narrow screen, where rows are cards; without: the title. */
  short?: string;
  number?: boolean;
  /** It names the row. */
  head?: boolean;
  class?: string;
  cell: (row: T) => ComponentChildren;
}

interface TableProps<T> {
  /** What it is about, for who does not see it. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  id: (row: T) => string | number;
  /** Rows that lead somewhere: the whole row can be clicked, and its first cell should have the link. */
  go?: (row: T) => void;
  rowClass?: (row: T) => string;
  class?: string;
}

/** A Table scrolls by itself where the screen is narrow; with the class "cards" its rows are cards there. */
export function Table<T>({ label, columns, rows, id, go, rowClass, class: name = "" }: TableProps<T>) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table class={name} aria-label={label}>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c.title} scope="col" class={c.number ? "number" : c.class}>
                {c.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)} class={`${go ? "go " : ""}${rowClass?.(row) ?? ""}`} onClick={go && clicked(() => go(row))}>
              {columns.map((c) => (
                <Cell key={c.title} of={c}>
                  {c.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<T>({ of: c, children }: { of: Column<T>; children: ComponentChildren }) {
  const own = { class: `${c.number ? "number " : ""}${c.class ?? ""}`, "data-label": c.short ?? c.title, children };
  return c.head ? <th scope="row" {...own} /> : <td {...own} />;
}

/** clicked leaves alone who clicks a link or button in the row, or selects text. */
const clicked =
  (run: () => void) =>
  (e: JSX.TargetedMouseEvent<HTMLTableRowElement>): void => {
    if (e.target instanceof Element && e.target.closest("a, button, input")) return;
    if (getSelection()?.toString()) return;
    run();
  };
