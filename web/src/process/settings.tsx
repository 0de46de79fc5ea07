import { useState } from "preact/hooks";
import type { Setting } from "../api";
import { Badge, Card, Empty, Table } from "../ui";

/** Settings are keys with their values, and who has set them. */
export function Settings({ rows, title = "Configuration" }: { rows: readonly Setting[]; title?: string }) {
  const [words, find] = useState("");
  const [own, only] = useState(false);
  const shown = rows.filter((s) => `${s.key} ${s.value}`.toLowerCase().includes(words.toLowerCase()) && !(own && byDefault(s)));
  return (
    <Card
      title={title}
      class="settings"
      side={
        <>
          <label class="check small">
            <input type="checkbox" checked={own} onChange={(e) => only(e.currentTarget.checked)} />
            changed only
          </label>
          <input class="input" type="search" placeholder="Filter" aria-label="Filter the configuration" value={words} onInput={(e) => find(e.currentTarget.value)} />
        </>
      }
    >
      {shown.length > 0 ? <Rows rows={shown} /> : <Empty title={rows.length > 0 ? "Nothing is set like that" : embedded} />}
    </Card>
  );
}

const embedded = "There is no cluster, and nothing to configure";

const byDefault = (s: Setting): boolean => (s.origin ?? "default") === "default";

const Rows = ({ rows }: { rows: readonly Setting[] }) => (
  <Table
    label="Configuration"
    class="cards"
    rows={rows}
    id={(s) => s.key}
    columns={[
      { title: "Key", cell: (s) => <code>{s.key}</code> },
      { title: "Value", cell: (s) => <code>{s.value}</code> },
      { title: "Set by", cell: (s) => (byDefault(s) ? <span class="quiet">default</span> : <Badge tone="blue">{s.origin}</Badge>) },
    ]}
  />
);
