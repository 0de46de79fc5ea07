// The stream of events of a page, for what its URL is about. The feed keeps it open:
//
//             first event              3 s without one
//   connecting ────────► live ◄───────────────────────► stale
//        ▲                │            an event            │
//        │ after a while  │ ended, failed, or nothing came │
//        │                ▼                                │
//        └────────────── lost ◄────────────────────────────┘
//                         │ ▲   asking works, as it does where a proxy keeps events back
//                         ▼ │   asking fails
//                       polling
//
// A browser has six connections for a server, for all its tabs, and a stream holds one of them. So only a tab that is seen has a stream: one
// that is not lets go of it after a moment, one that never was opens none, and a page that is left, which browsers keep for the way back,
// lets go at once.

import { ApiError, at, get, listen, signedOut, type Diagnosis, type Frame, type JobNow, type LogLines, type Overview } from "./api";
import { columnsOf, mergeCluster, mergeFrame, mergeJobs } from "./frames";
import { cluster, diagnosis, features, forget, guessedNow, job, jobs, link, log, serverNow, setClock, tell, type Link } from "./live";
import type { ServerEvent } from "./api/sse";

/** A Topic is what a stream is about: a job, or all. */
export interface Topic {
  readonly job?: string;
  readonly log: boolean;
}

const staleAfter = 3_000;
const hiddenFor = 2_000;
const firstEventWithin = 5_000;
const pollEvery = 3_000;
const longestWait = 30_000;

let topic: Topic | undefined;
let lastId = "";
let heard = 0; // performance.now() of the last event
let lastLine = 1; // of the log
let aging: ReturnType<typeof setTimeout> | undefined; // runs out when no event comes for too long
let framed = false; // a frame of this stream has come
let open: AbortController | undefined; // of the stream; undefined: there is none

/** follow makes the stream be about something else. */
export function follow(next: Topic): void {
  if (topic && topic.job === next.job && topic.log === next.log) return;
  topic = next;
  lastLine = 1;
  forget();
  reopen();
}

/** reopen begins anew, if anybody looks and may. */
function reopen(): void {
  close();
  if (!topic || document.hidden || signedOut.get()) return;
  open = new AbortController();
  lastId = "";
  framed = false;
  void keepOpen(topic, open.signal);
}

function close(): void {
  open?.abort();
  open = undefined;
}

/** keepOpen reads one stream after the other; while there is none, it asks. */
async function keepOpen(of: Topic, signal: AbortSignal): Promise<void> {
  setStatus("connecting");
  for (let failures = 0; !signal.aborted; failures++) {
    const before = heard;
    await read(of, signal);
    if (heard > before) failures = 0;
    const until = performance.now() + Math.min(longestWait, 1000 * 2 ** failures);
    while (!signal.aborted && performance.now() < until) {
      const lost = link.get().status === "lost";
      await poll(of, signal);
      if (lost && link.get().status === "polling") break; // who answers again may have events again
      await pause(Math.min(pollEvery, until - performance.now()), signal);
    }
  }
}

/** read reads a stream until it ends, fails, or says nothing at all. */
async function read(of: Topic, signal: AbortSignal): Promise<void> {
  const one = new AbortController();
  const end = () => one.abort();
  const mute = setTimeout(end, firstEventWithin);
  signal.addEventListener("abort", end);
  try {
    await listen(at.events(of.job, of.log ? lastLine : undefined), lastId, one.signal, (e) => {
      clearTimeout(mute);
      if (!one.signal.aborted) receive(e);
    });
  } catch (error) {
    // A connection that fails is followed by another one, and polling says what is wrong. All else is a fault of the page.
    if (!one.signal.aborted && !(error instanceof ApiError)) reportError(error);
  } finally {
    clearTimeout(mute);
    signal.removeEventListener("abort", end);
    one.abort();
  }
}

function receive(e: ServerEvent): void {
  const returned = link.get().status === "lost" || link.get().status === "polling";
  lastId = e.id;
  heard = performance.now();
  clearTimeout(aging);
  aging = setTimeout(() => link.get().status === "live" && setStatus("stale"), staleAfter);
  const body: unknown = JSON.parse(e.data);
  if (e.event === "frame") takeFrame(body as Frame);
  if (e.event === "job") takeJob(body as JobNow);
  if (e.event === "diagnosis") diagnosis.set(body as Diagnosis);
  if (e.event === "cluster") cluster.set(mergeCluster(cluster.get(), body as Overview));
  if (e.event === "log") takeLog(body as LogLines);
  setStatus("live");
  if (!returned) return;
  if (!features.get()) askFeatures();
  tell();
}

function takeFrame(frame: Frame): void {
  framed = true;
  setClock(frame.now);
  job.set(mergeFrame(job.get(), frame));
  jobs.set(mergeJobs(jobs.get(), frame.jobs ?? []));
}

const states = new Map<string, string>();

/** takeJob sees whether a job is new or came into another state; before its first frame a stream only tells how things are. */
function takeJob(one: JobNow): void {
  const changed = states.get(one.jid) !== one.state;
  states.set(one.jid, one.state);
  jobs.set(mergeJobs(jobs.get(), [one]));
  if (changed && framed) tell();
}

function takeLog(lines: LogLines): void {
  lastLine = lines.last;
  log.set(lines);
}

async function poll(of: Topic, signal: AbortSignal): Promise<void> {
  try {
    if (of.job) job.set(columnsOf(await get(at.graphs(of.job), signal), job.get()));
    else await get(at.overview, signal);
    if (signal.aborted) return;
    setClock(guessedNow());
    setStatus("polling");
    tell();
  } catch (error) {
    // An answer that is an error is an answer: the page asks on, and its cards say what is wrong.
    if (!signal.aborted) setStatus(error instanceof ApiError && error.status > 0 ? "polling" : "lost");
  }
}

function setStatus(status: Link["status"]): void {
  if (link.get().status !== status) link.set({ status, heard: serverNow() });
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, Math.max(0, ms));
    signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });

/** start watches whether anybody looks, and whether they may. */
export function start(): void {
  askFeatures();
  let leave: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(leave);
    if (document.hidden) leave = setTimeout(close, hiddenFor);
    else if (!open) resume();
  });
  addEventListener("pagehide", close);
  signedOut.subscribe((out) => {
    if (out) return close();
    askFeatures();
    resume();
  });
}

/** resume goes on after a time in which nothing was heard: answers may be old. */
function resume(): void {
  reopen();
  tell();
}

/** askFeatures asks what the server offers; while that is not known, the page has no buttons. */
const askFeatures = (): void => void get(at.config).then((f) => features.set(f), () => undefined);

