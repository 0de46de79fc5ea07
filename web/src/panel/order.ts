/** An Order is by which column rows are sorted. */
export interface Order {
  title: string;
  down: boolean;
}

interface Sortable<T> {
  title: string;
  by?: (row: T) => number | string | null;
}

/** sortedBy leaves rows as they are where no column says by what to sort. What is not known comes last, in both directions. */
export function sortedBy<T>(rows: readonly T[], columns: readonly Sortable<T>[], order: Order | null): readonly T[] {
  const by = columns.find((c) => c.title === order?.title)?.by;
  if (!by || !order) return rows;
  const sign = order.down ? -1 : 1;
  return [...rows].sort((x, y) => {
    const [a, b] = [by(x), by(y)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a < b ? -sign : a > b ? sign : 0;
  });
}

/** inOrder is the rows in the order of some ids; those that are not among them come last, as they are. */
export function inOrder<T>(rows: readonly T[], ids: readonly number[], id: (row: T) => number): readonly T[] {
  const place = new Map(ids.map((n, i) => [n, i]));
  const placeOf = (row: T) => place.get(id(row)) ?? ids.length;
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}
