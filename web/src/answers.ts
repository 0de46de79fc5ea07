// What was asked for. Answers are asked for again when a job comes into another state, and when a connection comes back.

import { useEffect, useRef, useState } from "preact/hooks";
import { at, get, type ApiError, type Diagnosis, type Path } from "./api";
import { useCell } from "./cell";
import { Inquiry } from "./inquiry";
import { diagnosis, news } from "./live";

/** An Answer is what a path gave: data, also while it is asked for again and when that fails, or why there is none. */
export interface Answer<T> {
  data?: T;
  error?: ApiError;
  /** again asks once more. */
  again: () => void;
}

interface Known<T> {
  path?: Path<T>;
  data?: T;
  error?: ApiError;
}

const underway = new Map<string, Promise<unknown>>();

/** shared asks once for all who ask at the same time, and since the same news. */
function shared<T>(path: Path<T>, age: number): Promise<T> {
  const key = `${age} ${path}`;
  const asked = underway.get(key) as Promise<T> | undefined;
  if (asked) return asked;
  const asking = get(path).finally(() => underway.delete(key));
  underway.set(key, asking);
  return asking;
}

/** useAnswer asks for a path, again when there is news, and every so many milliseconds while somebody looks. No path: it asks nothing. */
export function useAnswer<T>(path: Path<T> | undefined, every?: number): Answer<T> {
  const [known, set] = useState<Known<T>>({});
  const inquiry = useRef<Inquiry>();
  const again = () => inquiry.current?.ask(news.get());

  useEffect(() => {
    if (path === undefined) return;
    const take = (next: (last: Known<T>) => Known<T>) => {
      if (inquiry.current !== own) return; // it is about something else by now
      set(next);
      own.answered();
    };
    const own = new Inquiry((age) => {
      shared(path, age).then(
        (data) => take(() => ({ path, data })),
        (error: ApiError) => take((last) => ({ path, data: last.path === path && error.status !== 404 ? last.data : undefined, error })), // 404: it is no more
      );
    });
    inquiry.current = own;
    again();
    const leave = news.subscribe(again);
    return () => {
      leave();
      inquiry.current = undefined;
    };
  }, [path]);

  useEffect(() => {
    if (!every || path === undefined) return;
    const timer = setInterval(() => document.hidden || again(), every);
    return () => clearInterval(timer);
  }, [path, every]);

  return known.path === path ? { data: known.data, error: known.error, again } : { again };
}

/** useDiagnosis is what is wrong with the job of this page: what was asked for, until the stream says something newer. */
export function useDiagnosis(id: string): Answer<Diagnosis> {
  const answer = useAnswer(at.diagnosis(id));
  const event = useCell(diagnosis);
  return event ? { ...answer, data: event, error: undefined } : answer;
}
