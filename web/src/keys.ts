// One table of keys. Whoever is on the screen registers its keys; the list that `?` shows is made from what is registered.
// A key that writes a character can be switched off (WCAG 2.1.4): who speaks to the machine writes by accident.

import { useEffect, useRef } from "preact/hooks";
import { Cell } from "./cell";

export interface Key {
  /** As in KeyboardEvent.key; "g o" is one after the other; "Ctrl+k" is with Ctrl or Command. */
  readonly key: string;
  /** What it does, for the list; keys with the same words stand in one line. Empty: it is not listed. */
  readonly does: string;
  readonly run: () => void;
  /** Whether it does it now; without: always. Otherwise the key is the browser's. */
  readonly when?: () => boolean;
}

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly Key[];
}

const groups: KeyGroup[] = [];
const storageKey = "flott.keys";

/** charactersOff: keys that write a character do nothing. */
export const charactersOff = new Cell(false);

export function switchCharacters(off: boolean): void {
  charactersOff.set(off);
  localStorage.setItem(storageKey, off ? "off" : "on");
}

/** useKeys registers keys for as long as the component is shown. Of equal keys the one registered last counts. */
export function useKeys(title: string, keys: readonly Key[]): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const group = {
      title,
      get keys() {
        return now.current;
      },
    };
    groups.push(group);
    return () => {
      groups.splice(groups.indexOf(group), 1);
    };
  }, [title]);
}

/** listed is the keys as the list shows them: those of one title in one group. */
export function listed(): readonly KeyGroup[] {
  const titles = new Set(groups.filter((g) => g.keys.some((k) => k.does !== "")).map((g) => g.title));
  return [...titles].map((title) => ({ title, keys: groups.filter((g) => g.title === title).flatMap((g) => g.keys) }));
}

let first = ""; // of a sequence
let firstAt = 0;
const sequenceWithin = 1000;

export function startKeys(): void {
  charactersOff.set(localStorage.getItem(storageKey) === "off");
  addEventListener("keydown", (e) => {
    const name = nameOf(e);
    if (name === undefined) return;
    const key = find(name);
    if (!key) return;
    e.preventDefault();
    key.run();
  });
}

/** nameOf is the key as the table writes it; undefined: it belongs to somebody else. */
function nameOf(e: KeyboardEvent): string | undefined {
  if (e.defaultPrevented || e.altKey || e.isComposing) return undefined;
  if (e.ctrlKey || e.metaKey) return "Ctrl+" + e.key.toLowerCase();
  const target = e.target instanceof Element ? e.target : document.body;
  if (target.closest("input, textarea, select, dialog, [contenteditable]")) return undefined;
  if (charactersOff.get() && e.key.length === 1) return undefined;
  // What has the focus takes its own keys.
  if ((e.key === "Enter" || e.key === " ") && target.closest("a, button, summary")) return undefined;
  return e.key;
}

function find(name: string): Key | undefined {
  const sequence = performance.now() - firstAt < sequenceWithin ? `${first} ${name}` : "";
  first = name;
  firstAt = performance.now();
  const all = groups.flatMap((g) => g.keys).filter((k) => !k.when || k.when());
  return (sequence && all.findLast((k) => k.key === sequence)) || all.findLast((k) => k.key === name);
}
