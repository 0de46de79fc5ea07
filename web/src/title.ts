// The title of the window, and what a screen reader is told without being asked.

import { useEffect } from "preact/hooks";
import { Cell } from "./cell";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "flott" : `${title} · flott`;
  }, [title]);
}

/** announcement is read aloud when it changes. It is for verdicts, and for nothing that changes often. */
export const announcement = new Cell("");

export function useAnnounce(text: string): void {
  useEffect(() => announcement.set(text), [text]);
}
