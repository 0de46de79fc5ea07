import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { at, ended, type JobRow } from "../api";
import { pagesOf } from "../pages";
import { go } from "../route";
import { useAnswer, useFeatures } from "../store";
import { Dialog } from "../ui";
import { find, type Target } from "./find";
import { stateNow } from "../words";
import { nextTheme } from "./themeswitch";

/** The Palette finds jobs, pages and actions. */
export function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const jobs = [...(useAnswer(at.jobs).data?.jobs ?? [])].sort((a, b) => Number(ended(a.state)) - Number(ended(b.state)));
  const [text, setText] = useState("");
  const [picked, pick] = useState(0);
  const plan = useFeatures()?.flott?.plan === true;
  const found = find([...jobs.map((j) => jobTarget(j, plan)), ...fixed(onHelp, plan), ...jobs.flatMap((j) => jobTargets(j, plan))], text).slice(0, 50);
  const run = (t: Target | undefined) => (onClose(), t?.run());
  const key = (e: JSX.TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (e.key === "Enter") run(found[picked]);
    else if (step) pick((picked + step + found.length) % Math.max(1, found.length));
    else return;
    e.preventDefault();
  };
  return (
    <Dialog title="Find a job, page or action" bare onClose={onClose} class="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${picked}` : undefined}
        aria-label="Find a job, page or action"
        placeholder="Find a job, page or action"
        value={text}
        onInput={(e) => (setText(e.currentTarget.value), pick(0))}
        onKeyDown={key}
      />
      <ul id="found" role="listbox" aria-label="Found">
        {found.map((t, i) => (
          <li key={t.title + t.kind + i} id={`found-${i}`} role="option" aria-selected={i === picked} onClick={() => run(t)} onMouseMove={() => pick(i)}>
            <span class="grow ellipsis">{t.title}</span>
            <span class="quiet small">{t.note ?? t.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="loading">Nothing is called so.</p>}
    </Dialog>
  );
}

const jobTarget = (j: JobRow, plan: boolean): Target => ({
  title: j.name,
  kind: "job",
  note: plan ? "plan" : stateNow(j.state, j.flott.waiting).toLowerCase(),
  run: () => go(["job", j.jid]),
});

const jobTargets = (j: JobRow, plan: boolean): Target[] =>
  pagesOf(plan).map((p) => ({ title: `${j.name}: ${p.title.toLowerCase()}`, kind: "page", run: () => go(["job", j.jid, p.id]) }));

/** fixed is what is always there; a plan has no processes. */
const fixed = (onHelp: () => void, plan: boolean): Target[] => [
  { title: "Overview", kind: "page", run: () => go([]) },
  ...(plan ? [] : processes),
  { title: "Change the theme", kind: "action", run: nextTheme },
  { title: "Show the keys", kind: "action", run: onHelp },
];

const processes: readonly Target[] = [
  { title: "TaskManagers", kind: "page", run: () => go(["task-manager"]) },
  { title: "JobManager: configuration", kind: "page", run: () => go(["job-manager", "config"]) },
  { title: "JobManager: log", kind: "page", run: () => go(["job-manager", "logs"]) },
];
