// A cell is a value that many look at. Components look with useCell; what draws by itself subscribes.

import { useEffect, useState } from "preact/hooks";

export class Cell<T> {
  private readonly watchers = new Set<(value: T) => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }

  /** subscribe calls watcher with each new value, until the function that it returns is called. */
  subscribe(watcher: (value: T) => void): () => void {
    this.watchers.add(watcher);
    return () => {
      this.watchers.delete(watcher);
    };
  }
}

export function useCell<T>(cell: Cell<T>): T {
  const [, draw] = useState(cell.get());
  useEffect(() => {
    const see = (value: T) => draw(() => value);
    see(cell.get()); // it may have changed between drawing and now
    return cell.subscribe(see);
  }, [cell]);
  return cell.get();
}
