// Cards, and what stands in them while there is nothing to show, or when asking failed.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { ApiError } from "../api";
import type { Answer } from "../store";
import { Boundary } from "./boundary";

export interface CardProps {
  title: ComponentChildren;
  /** Beside the title. */
  note?: ComponentChildren;
  /** At the other end of the head. */
  side?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

/** A Card is a section of its own: a fault in it stays in it. */
export function Card({ title, note, side, class: name = "", children }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span class="quiet small">{note}</span>}
        <span class="grow" />
        {side}
      </header>
      <Boundary>{children}</Boundary>
    </section>
  );
}

/** Loading is quiet: most answers come before anybody reads it. */
export const Loading = () => (
  <p class="loading" role="status" aria-busy="true">
    Loading
  </p>
);

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

interface FailedProps {
  what: string;
  error: ApiError;
  again: () => void;
  /** It stands for a whole page, which needs a heading. */
  page?: boolean;
}

/** Failed is a request that failed: what, why, and another try. */
export function Failed({ what, error, again, page = false }: FailedProps) {
  const Title = page ? "h1" : "p";
  return (
    <div class="empty" role="alert">
      <Title class="strong">{what} cannot be shown</Title>
      <p class="why">{error.message}</p>
      <p class="row">
        <button type="button" class="button" onClick={again}>
          Try again
        </button>
        {error.status === 404 && (
          <a class="button" href="#/">
            Overview
          </a>
        )}
      </p>
    </div>
  );
}

interface ShowProps<T> {
  of: Answer<T>;
  what: string;
  /** It is the whole page. */
  page?: boolean;
  children: (data: T) => ComponentChildren;
}

/** Show shows an answer, or what there is in its place. */
export function Show<T>({ of, what, page, children }: ShowProps<T>) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Failed what={what} error={of.error} again={of.again} page={page} />;
  return <Loading />;
}
