import type { ComponentChildren } from "preact";
import { unknown } from "../fmt";

/** Pairs are names with their values; what is not known is a dash. */
export function Pairs({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="pairs body">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="num">{value ?? unknown}</dd>
        </div>
      ))}
    </dl>
  );
}
