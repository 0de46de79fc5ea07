import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface Tab<K extends string> {
  id: K;
  title: ComponentChildren;
  /** A number beside the title. */
  count?: number;
  /** The key that leads here. */
  hint?: string;
}

interface TabsProps<K extends string> {
  label: string;
  tabs: readonly Tab<K>[];
  value: K;
  onPick: (id: K) => void;
  /** "tabs" have a line below, "switch" is a row of buttons in a well. */
  as?: "tabs" | "switch";
}

/** Tabs are one stop for the Tab key; arrows, Home and End go through them. */
export function Tabs<K extends string>({ label, tabs, value, onPick, as = "tabs" }: TabsProps<K>) {
  const move = (e: JSX.TargetedKeyboardEvent<HTMLDivElement>) => {
    const next = nextOf(e.key, tabs.findIndex((t) => t.id === value), tabs.length);
    if (next === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    onPick(tabs[next]!.id);
    (e.currentTarget.children[next] as HTMLElement).focus();
  };
  const box = useInSight<HTMLDivElement>(value);
  return (
    <div {...box} class={as} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((t) => (
        <button key={t.id} type="button" role="tab" aria-selected={t.id === value} tabIndex={t.id === value ? 0 : -1} onClick={() => onPick(t.id)}>
          {t.title}
          {t.count !== undefined && <span class="count">{t.count}</span>}
          {t.hint && <kbd>{t.hint}</kbd>}
        </button>
      ))}
    </div>
  );
}

/** useInSight brings the open tab into sight where not all of them fit, and the one that has the focus: browsers do not if they show part of it. */
function useInSight<E extends HTMLElement>(open: string | undefined) {
  const box = useRef<E>(null);
  const show = (tab: Element | null): void => {
    if (!box.current || !tab) return;
    const [all, one] = [box.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    box.current.scrollLeft += one.left - all.left - (all.width - one.width) / 2;
  };
  const showOpen = () => show(box.current?.querySelector("[aria-selected=true], [aria-current]") ?? null);
  useLayoutEffect(() => {
    showOpen();
    document.fonts.addEventListener("loadingdone", showOpen); // tabs have other widths then
    return () => document.fonts.removeEventListener("loadingdone", showOpen);
  }, [open]);
  return { ref: box, onFocusIn: (e: FocusEvent) => show(e.target as Element) };
}

function nextOf(key: string, at: number, of: number): number | undefined {
  switch (key) {
    case "ArrowRight":
      return (at + 1) % of;
    case "ArrowLeft":
      return (at + of - 1) % of;
    case "Home":
      return 0;
    case "End":
      return of - 1;
  }
  return undefined;
}

/** A LinkTab is a page beside others. */
interface LinkTab {
  href: string;
  title: string;
  count?: number;
  current: boolean;
}

/** LinkTabs are pages: each has its URL. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  const box = useInSight<HTMLElement>(tabs.find((t) => t.current)?.href);
  return (
    <nav {...box} class="tabs" aria-label={label}>
      {tabs.map((t) => (
        <a key={t.href} href={t.href} aria-current={t.current ? "page" : undefined}>
          {t.title}
          {t.count !== undefined && <span class="count">{t.count}</span>}
        </a>
      ))}
    </nav>
  );
}
