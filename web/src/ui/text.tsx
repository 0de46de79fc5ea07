// Pieces of text: times, figures, sentences, and text that one takes along.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ago, moment, clock, unknown } from "../fmt";
import { useNow } from "../store";
import { Icon } from "./icon";
import { Dot, type Tone } from "./mark";

/** Named is what somebody gave a name to, in a sentence. Names may be long, and may run from right to left. */
export const Named = ({ name }: { name: string }) => (
  <bdi class="given ellipsis" title={name}>
    {name}
  </bdi>
);

/** A Time is how long ago something was, with the clock in its title. Clock: the time of day, with the date in its title. */
export function Time({ at, as = "ago" }: { at: number | null | undefined; as?: "ago" | "clock" }) {
  const now = useNow();
  if (at == null || at <= 0) return <span>{unknown}</span>;
  const text = as === "clock" || now === 0 ? clock(at) : ago(now - at);
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {text}
    </time>
  );
}

/** A Figure is a number with what it is called. */
export function Figure({ label, value, note, tone = "plain" }: { label: string; value: ComponentChildren; note?: ComponentChildren; tone?: Tone }) {
  return (
    <div class="figure">
      <dt class="caption">{label}</dt>
      <dd class={`num ${tone}`}>
        {value}
        {note != null && <small> {note}</small>}
      </dd>
    </div>
  );
}

export const Figures = ({ children }: { children: ComponentChildren }) => <dl class="figures">{children}</dl>;

/** Say is a sentence that stands out. */
export function Say({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class={`say ${tone}`}>
      <Dot tone={tone} />
      <div class="grow">{children}</div>
    </div>
  );
}

/** Copy takes a text along. */
export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const [done, set] = useState(false);
  const copy = () => void navigator.clipboard.writeText(text).then(() => set(true));
  return (
    <button type="button" class="icon-button" title={label} aria-label={done ? "Copied" : label} onClick={copy} onBlur={() => set(false)}>
      <Icon name={done ? "check" : "copy"} />
    </button>
  );
}

/** A Command is a line for the terminal. */
export function Command({ line }: { line: string }) {
  return (
    <div class="command">
      <code>{line}</code>
      <Copy text={line} label="Copy the command" />
    </div>
  );
}
