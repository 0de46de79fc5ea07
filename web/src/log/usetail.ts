import { useEffect, useRef, useState } from "preact/hooks";
import { at, getText, type ApiError, type ProcessPath } from "../api";
import { after, before, chunk, most, startOf, type Tail } from "./tail";

const pollEvery = 1_500;

export interface Reading {
  tail?: Tail;
  error?: ApiError;
  /** again begins anew after an error. */
  again: () => void;
  /** older reads what stands before. */
  older: () => void;
}

/** useTail reads the end of a file, and what is written to it while it is followed. Each file needs a component of its own. */
export function useTail(of: ProcessPath, name: string, size: number, following: boolean): Reading {
  const [tail, set] = useState<Tail | undefined>();
  const [error, fail] = useState<ApiError | undefined>();
  const [times, retry] = useState(0);
  const path = at.logFile(of, name);

  useEffect(() => {
    const from = startOf(size);
    getText(path, from).then(({ text, end }) => (fail(undefined), set({ from, end, text, first: 0 })), fail);
  }, [times]);

  const shown = useRef(tail);
  shown.current = tail;
  useEffect(() => {
    if (!following) return;
    const timer = setInterval(() => {
      const from = shown.current?.end;
      if (from === undefined || document.hidden) return;
      getText(path, from).then(({ text, end }) => (fail(undefined), set((now) => grown(now, from, end, text))), fail);
    }, pollEvery);
    return () => clearInterval(timer);
  }, [following]);

  const older = () => {
    if (!tail) return;
    const from = Math.max(0, tail.from - chunk);
    getText(path, from, tail.from - from).then(({ text }) => set((now) => (now?.from === tail.from ? before(now, from, text) : now)), fail);
  };
  return { tail, error, again: () => retry((n) => n + 1), older };
}

/** grown is a tail with what was read from a byte on, unless somebody else was quicker. */
function grown(tail: Tail | undefined, from: number, end: number, text: string): Tail | undefined {
  if (!tail || tail.end !== from || text === "") return tail;
  if (tail.text.length > most) return { from, end, text, first: tail.first };
  return after(tail, end, text);
}
