// What the page knows, and how it comes to know it.
//
// A page has one stream of events, for what its URL is about. The feed keeps it open:
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
// A tab that nobody sees lets go of its stream after a minute, and comes back when it is seen.
//
// Answers (useAnswer) are asked for again when a job comes into another state, and when a connection comes back.

import { useEffect, useState } from "preact/hooks";
import { ApiError, at, get, listen, signedOut, type Diagnosis, type Features, type Frame, type JobNow, type LogLines, type Overview, type Path } from "./api";
import { Cell, useCell } from "./cell";
import { columnsOf, mergeCluster, mergeFrame, mergeJobs, nothing, type JobLive, type JobsLive } from "./frames";
import type { ServerEvent } from "./sse";

export interface Link {
  readonly status: "connecting" | "live" | "stale" | "lost" | "polling";
  /** The server's clock when it last said something; 0: never. */
  readonly heard: number;
}

/** A Topic is what a stream is about: a job, or all. */
export interface Topic {
  readonly job?: string;
  readonly log: boolean;
}

export const link = new Cell<Link>({ status: "connecting", heard: 0 });

/** news counts what makes answers old. */
export const news = new Cell(0);

/** features is what the server offers. */
export const features = new Cell<Features | undefined>(undefined);

const job = new Cell<JobLive>(nothing);
const jobs = new Cell<JobsLive>(new Map());
const diagnosis = new Cell<Diagnosis | undefined>(undefined);
const cluster = new Cell<Overview | undefined>(undefined);
const log = new Cell<LogLines | undefined>(undefined);

const staleAfter = 3_000;
const hiddenFor = 60_000;
const firstEventWithin = 5_000;
const pollEvery = 3_000;
const longestWait = 30_000;

// --- The feed ---

let topic: Topic | undefined;
let lastId = "";
let heard = 0; // performance.now() of the last event
let framed = false; // a frame of this stream has come
let stop = new AbortController();

/** follow makes the stream be about something else. */
export function follow(next: Topic): void {
  if (topic && topic.job === next.job && topic.log === next.log) return;
  topic = next;
  for (const cell of [diagnosis, cluster, log]) cell.set(undefined);
  job.set(nothing);
  jobs.set(new Map());
  reopen();
}

function reopen(): void {
  stop.abort();
  stop = new AbortController();
  lastId = "";
  framed = false;
  if (topic) void keepOpen(topic, stop.signal);
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
      await poll(of, signal);
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
    await listen(at.events(of.job, of.log), lastId, one.signal, (e) => {
      clearTimeout(mute);
      if (!one.signal.aborted) receive(e);
    });
  } catch {
    // Why does not matter: what follows is the same, and polling says what is wrong.
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
  const body: unknown = JSON.parse(e.data);
  if (e.event === "frame") takeFrame(body as Frame);
  if (e.event === "job") takeJob(body as JobNow);
  if (e.event === "diagnosis") diagnosis.set(body as Diagnosis);
  if (e.event === "cluster") cluster.set(mergeCluster(cluster.get(), body as Overview));
  if (e.event === "log") log.set(body as LogLines);
  setStatus("live");
  if (returned) news.set(news.get() + 1);
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
  if (changed && framed) news.set(news.get() + 1);
}

async function poll(of: Topic, signal: AbortSignal): Promise<void> {
  try {
    if (of.job) job.set(columnsOf(await get(at.graphs(of.job), signal), job.get()));
    else await get(at.overview, signal);
    if (signal.aborted) return;
    setStatus("polling");
    news.set(news.get() + 1);
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

/** start watches the age of what is shown, and whether anybody looks. */
export function start(): void {
  setInterval(() => {
    if (link.get().status === "live" && performance.now() - heard > staleAfter) setStatus("stale");
  }, 500);
  let leave: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(leave);
    if (document.hidden) leave = setTimeout(() => stop.abort(), hiddenFor);
    else if (stop.signal.aborted) reopen();
  });
  signedOut.subscribe((out) => out || (reopen(), news.set(news.get() + 1)));
}

// --- The clock ---

/** The server's clock stands still with the frames: an age that grows by itself would be a guess. */
let clock = 0;
const ticks = new Cell(0);

function setClock(now: number): void {
  clock = now;
  ticks.set(now);
}

/** serverNow is the server's clock when it last said something. */
export const serverNow = (): number => clock;

export type { JobsLive, JobLive } from "./frames";

// --- What components look at ---

export const useLink = (): Link => useCell(link);
export const useNow = (): number => useCell(ticks);
export const useFeatures = (): Features | undefined => useCell(features);
export const useJobsLive = (): JobsLive => useCell(jobs);
export const useCluster = (): Overview | undefined => useCell(cluster);
export const useDiagnosisEvent = (): Diagnosis | undefined => useCell(diagnosis);

/** useFrame is the job of this page as it is now. What shows a thousand subtasks draws by itself, with onFrame. */
export const useFrame = (): JobLive => useCell(job);

/** jobLive is the job of this page, for who draws by itself. */
export const jobLive = (): JobLive => job.get();

/** onFrame calls f with the job of this page and the vertices that changed, until the function that it returns is called. */
export function onFrame(f: (now: JobLive, changed: string[]) => void): () => void {
  let before = job.get();
  return job.subscribe((now) => {
    const changed = [...now.vertices.keys()].filter((id) => now.vertices.get(id) !== before.vertices.get(id));
    before = now;
    f(now, changed);
  });
}

/** onLog calls f with the lines that come. Only the pages of the log get any. */
export const onLog = (f: (lines: LogLines) => void): (() => void) => log.subscribe((lines) => lines && f(lines));

// --- Answers ---

/** An Answer is what a path gave: data, also while it is asked for again, or why there is none. */
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

/** shared asks once for all who ask at the same time. */
function shared<T>(path: Path<T>): Promise<T> {
  const asked = underway.get(path) as Promise<T> | undefined;
  if (asked) return asked;
  const asking = get(path).finally(() => underway.delete(path));
  underway.set(path, asking);
  return asking;
}

/** useAnswer asks for a path, again when there is news, and every so many milliseconds while somebody looks. No path: it asks nothing. */
export function useAnswer<T>(path: Path<T> | undefined, every?: number): Answer<T> {
  const [known, set] = useState<Known<T>>({});
  const [times, ask] = useState(0);
  const age = useCell(news);
  const again = () => ask((n) => n + 1);

  useEffect(() => {
    if (path === undefined) return;
    let wanted = true;
    shared(path).then(
      (data) => wanted && set({ path, data }),
      (error: ApiError) => wanted && set((last) => ({ path, data: last.path === path ? last.data : undefined, error })),
    );
    return () => {
      wanted = false;
    };
  }, [path, age, times]);

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
  const event = useDiagnosisEvent();
  return event ? { ...answer, data: event, error: undefined } : answer;
}
