import { useCell } from "../cell";
import { charactersOff, listed, switchCharacters, type Key } from "../keys";
import { Dialog } from "../ui";

/** The list of keys is made from those that are registered now. */
export function Help({ onClose }: { onClose: () => void }) {
  const off = useCell(charactersOff);
  return (
    <Dialog title="Keys" onClose={onClose} class="help">
      <div class="body">
        {listed().map((g) => (
          <section key={g.title}>
            <h3 class="caption">{g.title}</h3>
            <dl class="pairs">{lines(g.keys).map(line)}</dl>
          </section>
        ))}
        <label class="check">
          <input type="checkbox" checked={!off} onChange={(e) => switchCharacters(!e.currentTarget.checked)} />
          Letters, digits and signs are keys. Switch this off if you dictate.
        </label>
      </div>
    </Dialog>
  );
}

interface Line {
  does: string;
  keys: string[];
}

/** lines puts keys that do the same into one. */
function lines(keys: readonly Key[]): Line[] {
  const all = new Map<string, string[]>();
  for (const k of keys) if (k.does) all.set(k.does, [...(all.get(k.does) ?? []), shown(k.key)]);
  return [...all].map(([does, keys]) => ({ does, keys }));
}

const signs: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", "Ctrl+k": "Ctrl K", "-": "−" };

const shown = (key: string): string => signs[key] ?? key;

const line = ({ does, keys }: Line) => (
  <div key={does}>
    <dt>
      {keys.map((k) => (
        <kbd key={k}>{k}</kbd>
      ))}
    </dt>
    <dd>{does}</dd>
  </div>
);
