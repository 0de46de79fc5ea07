import { useMemo, useState } from "preact/hooks";
import type { Path } from "../api";
import { useAnswer } from "../store";
import { Empty, Show, Table, type Column } from "../ui";

interface MetricTableProps<M> {
  /** The metrics of these names with their values; of no names: which there are. */
  at: (names?: readonly string[]) => Path<M[]>;
  /** What stands beside the names. */
  values: readonly Column<M>[];
}

/** A MetricTable is all metrics of something, by Flink's names, as they are now. */
export function MetricTable<M extends { id: string }>({ at, values }: MetricTableProps<M>) {
  const [words, find] = useState("");
  const names = useAnswer(at());
  const wanted = useMemo(() => names.data?.map((m) => m.id), [names.data]);
  const metrics = useAnswer(wanted?.length ? at(wanted) : undefined, 2_000);
  const found = (all: readonly M[]) =>
    all.filter((m) => m.id.toLowerCase().includes(words.trim().toLowerCase())).sort((a, b) => a.id.localeCompare(b.id));
  return (
    <>
      <input class="input" type="search" placeholder="Filter by name" aria-label="Filter metrics by name" value={words} onInput={(e) => find(e.currentTarget.value)} />
      {wanted?.length === 0 ? (
        <Empty title="It has no metrics now" />
      ) : (
        <Show of={names.error ? names : metrics} what="The metrics">
          {(all) => <Rows rows={found(all)} values={values} />}
        </Show>
      )}
    </>
  );
}

function Rows<M extends { id: string }>({ rows, values }: { rows: readonly M[]; values: readonly Column<M>[] }) {
  if (rows.length === 0) return <Empty title="No metric has such a name" />;
  return <Table label="Metrics" class="dense" rows={rows} id={(m) => m.id} columns={[{ title: "Metric", head: true, cell: (m) => <code>{m.id}</code> }, ...values]} />;
}
