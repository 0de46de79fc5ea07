// Asking, and what comes of it.

import { EventParser, type ServerEvent } from "./sse";
import { ApiError } from "./error";
import type { Path } from "./paths";
import { headers, signedOut } from "./token";

async function ask(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: headers(init.headers) });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw silence();
  }
  if (response.ok) return response;
  if (response.status === 502 || response.status === 504) throw silence(); // says a proxy
  if (response.status === 401) signedOut.set(true);
  throw new ApiError(response.status, await errorsOf(response));
}

const silence = () => new ApiError(0, ["The JobManager does not answer."]);

async function errorsOf(response: Response): Promise<string[]> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { errors?: string[] };
    return body.errors ?? [text];
  } catch {
    return [text || response.statusText];
  }
}

export async function get<T>(path: Path<T>, signal?: AbortSignal): Promise<T> {
  return (await (await ask(path, { signal })).json()) as T;
}

/** change sends a request that changes something. */
export async function change(method: string, path: string, body?: unknown): Promise<unknown> {
  const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  return (await ask(path, { method, ...json })).json();
}

/** A Text is a part of a text file. */
export interface Text {
  text: string;
  /** end is the byte after it: what to go on from. */
  end: number;
  /** whole says that there is no more yet. */
  whole: boolean;
}

/** getText reads a text from a byte on, and not more than some bytes of it. */
export async function getText(path: Path<string>, from = 0, most = 1 << 20, signal?: AbortSignal): Promise<Text> {
  const response = await ask(path, { signal, headers: from > 0 ? { "Log-Offset": String(from) } : {} });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), end: from + size, whole: true };
    const part = value.subarray(0, most - size);
    text += decoder.decode(part, { stream: true });
    size += part.length;
    if (size >= most) {
      await reader.cancel();
      return { text, end: from + size, whole: false };
    }
  }
}

/** download saves an answer as a file. A plain link would not send the token. */
export async function download(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await ask(path)).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** listen reads a stream of events until it ends. */
export async function listen(path: string, lastId: string, signal: AbortSignal, on: (e: ServerEvent) => void): Promise<void> {
  const response = await ask(path, { signal, headers: lastId ? { "Last-Event-ID": lastId } : {} });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser(on);
  for (;;) {
    const { done, value } = await reader.read().catch(() => Promise.reject(new ApiError(0, ["The connection was lost."])));
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
