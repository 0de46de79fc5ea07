// The metrics of a process, by Flink's names.

import { useState } from "preact/hooks";
import { at, type Metric, type ProcessPath } from "../api";
import { integer, memory } from "../fmt";
import { useAnswer } from "../store";
import { Card, Empty, Show, Table } from "../ui";

export function Metrics({ of }: { of: ProcessPath }) {
  const names = useAnswer(at.metrics(of));
  const [words, find] = useState("");
  return (
    <Card
      title="Metrics"
      side={<input class="input" type="search" placeholder="Filter" aria-label="Filter metrics" value={words} onInput={(e) => find(e.currentTarget.value)} />}
    >
      <Show of={names} what="The metrics">
        {(all) => <Values of={of} names={all.map((m) => m.id).filter((id) => id.toLowerCase().includes(words.toLowerCase()))} />}
      </Show>
    </Card>
  );
}

function Values({ of, names }: { of: ProcessPath; names: string[] }) {
  const values = useAnswer(names.length > 0 ? at.metrics(of, names.sort()) : undefined, 2_000);
  if (names.length === 0) return <Empty title="No metric has such a name" />;
  return (
    <Show of={values} what="The metrics">
      {(rows) => (
        <Table
          label="Metrics"
          rows={rows}
          id={(m) => m.id}
          columns={[
            { title: "Metric", cell: (m) => <code>{m.id}</code> },
            { title: "Value", number: true, cell: valueOf },
          ]}
        />
      )}
    </Show>
  );
}

/** valueOf writes sizes of memory with a unit; -1 is Flink's word for no limit. */
function valueOf({ id, value }: Metric): string {
  const n = Number(value);
  if (value === undefined || Number.isNaN(n)) return value ?? "";
  if (/\bMemory\b/.test(id)) return n < 0 ? "no limit" : memory(n);
  return Number.isInteger(n) ? integer(n) : n.toPrecision(3);
}
