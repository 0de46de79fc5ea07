// What the palette finds. Pure: a list of targets and a text give a list.

export interface Target {
  readonly title: string;
  readonly kind: "job" | "page" | "action";
  /** Beside the title: the state of a job. */
  readonly note?: string;
  readonly run: () => void;
}

/** find gives the targets that have all words of a text, those that start with it first. */
export function find(targets: readonly Target[], text: string): Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = targets.filter((t) => words.every((w) => t.title.toLowerCase().includes(w)));
  const starts = (t: Target) => (words.length > 0 && t.title.toLowerCase().startsWith(words[0]!) ? 0 : 1);
  return hits.sort((a, b) => starts(a) - starts(b));
}
