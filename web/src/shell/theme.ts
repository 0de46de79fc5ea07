// Light or dark: as the system says, unless somebody chose. The address may say it, too: ?theme=dark.

export type Theme = "auto" | "light" | "dark";

export const themes: readonly Theme[] = ["auto", "light", "dark"];

const storageKey = "flott.theme";

export function chosen(): Theme {
  const asked = new URLSearchParams(location.search).get("theme") ?? localStorage.getItem(storageKey);
  return themes.find((t) => t === asked) ?? "auto";
}

export function remember(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
}

/** apply shows the page in a theme. */
export function apply(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
