// Who asks: the token, for servers that want one.

import { Cell } from "../cell";

const tokenKey = "flott.token";

/** signedOut is true from the first answer that wants a token until one is given. */
export const signedOut = new Cell(false);

/** setToken keeps the token for as long as the tab is open. */
export function setToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
  signedOut.set(false);
}

/** hasToken says that one was given: if the server still wants one, it was the wrong one. */
export const hasToken = (): boolean => sessionStorage.getItem(tokenKey) !== null;

export function headers(more: Record<string, string> = {}): Record<string, string> {
  const token = sessionStorage.getItem(tokenKey);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}
