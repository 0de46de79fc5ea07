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
