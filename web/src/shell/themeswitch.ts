import { Cell } from "../cell";
import { apply, chosen, remember, themes, type Theme } from "./theme";

export const theme = new Cell<Theme>(chosen());

export function nextTheme(): void {
  const next = themes[(themes.indexOf(theme.get()) + 1) % themes.length]!;
  remember(next);
  apply(next);
  theme.set(next);
}
