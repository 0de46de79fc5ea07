import { setQuery } from "../route";

/** Picked is what the URL says that is looked at. */
export interface Picked {
  vertex?: string;
  subtask?: number;
  edge?: string;
}

export function pickedOf(query: Readonly<Record<string, string>>): Picked {
  const subtask = query.subtask === undefined ? undefined : Number(query.subtask);
  return { vertex: query.vertex, edge: query.edge, subtask };
}

const nothing = { vertex: null, edge: null, subtask: null, tab: null, samples: null };

export const pickVertex = (vertex: string, subtask?: number): void => setQuery({ vertex, subtask, edge: null, samples: null });

export const pickEdge = (edge: string): void => setQuery({ ...nothing, edge });

export const pickNothing = (): void => setQuery(nothing);
