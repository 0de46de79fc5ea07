import { createContext } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";
import type { Chain } from "./model";
import type { Numbers } from "./numbers";

/**
 * A Board keeps the numbers of a picture up to date. A frame comes each second, for a job of a thousand subtasks as well: so it draws
 * no component anew. What shows a number has a painter, which knows its elements and writes only what is different.
 */
export class Board {
  private readonly everywhere = new Set<Paint>();
  private readonly chains = new Map<Chain, Set<Paint>>();

  constructor(public numbers: Numbers) {}

  /** on calls a painter whenever a chain has changed; null: whenever anything has. */
  on(chain: Chain | null, paint: Paint): () => void {
    const set = chain ? this.of(chain) : this.everywhere;
    set.add(paint);
    return () => set.delete(paint);
  }

  private of(chain: Chain): Set<Paint> {
    const set = this.chains.get(chain) ?? new Set();
    this.chains.set(chain, set);
    return set;
  }

  show(numbers: Numbers, changed: readonly string[]): void {
    this.numbers = numbers;
    const ids = new Set(changed);
    for (const [chain, set] of this.chains) if (ids.has(chain.id)) for (const paint of set) paint(numbers);
    for (const paint of this.everywhere) paint(numbers);
  }
}

export type Paint = (now: Numbers) => void;

export const BoardContext = createContext<Board | null>(null);

/** usePaint paints at once, and whenever a chain (null: anything) has changed. */
export function usePaint(chain: Chain | null, paint: Paint, deps: readonly unknown[]): void {
  const board = useContext(BoardContext);
  useLayoutEffect(() => {
    if (!board) return;
    paint(board.numbers);
    return board.on(chain, paint);
  }, [board, chain, ...deps]);
}

/** write changes the text of an element, if it is another one. The text stays the same node: a new one would cost more style and layout. */
export function write(e: Element | null, text: string): void {
  if (!e || e.textContent === text) return;
  if (e.firstChild) e.firstChild.nodeValue = text;
  else e.textContent = text;
}

/** put changes an attribute, if it is another one. */
export function put(e: Element | null, name: string, value: string): void {
  if (e && e.getAttribute(name) !== value) e.setAttribute(name, value);
}
