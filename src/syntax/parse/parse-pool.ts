/**
 * Parses files on several threads, and survives any failure of a thread.
 *
 * Every file gets an answer. If one hangs or breaks its worker, the worker is terminated and replaced, and the file is measured as
 * text with the problem stated. A language that broke `STRIKES_MAX` workers in a row is text for the rest of the run. Workers are also
 * replaced after some megabytes, because WebAssembly memory is never freed.
 *
 * Invariants: a worker has at most one file at a time; after `close` no worker is left, and files without an answer reject.
 */
import { availableParallelism } from "node:os";
import { PARSE_WORK } from "../../languages/grammar-packages.ts";
import type { PackedMeasured } from "../facts/facts-codec.ts";
import { type Measured, unmeasured } from "../facts/measure.ts";
import { type HangGuard, hangGuard, WAITING, type Waiting } from "./hang-guard.ts";
import { type Answer, measuredOf, type ParseReply, type ParseRequest, packedOf } from "./parse-messages.ts";
import { forgetModules, modulesFor, type NamedModule } from "./wasm-modules.ts";

/** A text to parse. `language` is the walker's name for it; a text without a grammar is only measured. */
type ParseJob = { readonly text: string; readonly language: string };

export type ParsePool = {
  /** The facts and term statistics of a text. Rejects only if the pool is closed, or with the signal's reason. */
  parse(job: ParseJob, signal?: AbortSignal): Promise<Measured>;
  /** The same with packed facts. */
  pack(job: ParseJob, signal?: AbortSignal): Promise<PackedMeasured>;
  /** Starts the threads for so many files of a language, and loads its grammar in them, before there is a text to parse. */
  warm(language: string, files: number): void;
  /** Terminates idle workers, and forgets the grammars if all are idle, to free their memory; they come back on demand. */
  rest(): void;
  /** Terminates all workers; waiting files reject. Can be repeated. */
  close(): void;
};

/**
 * `workersMax`: threads, from 1. `work`: how much a file may be. `waiting`: when a worker counts as hanging. `factsMax`: facts of one
 * kind kept per file. `recycleChars`: a worker is replaced after this much text.
 */
export type ParsePoolOptions = {
  readonly workersMax?: number;
  readonly work?: { readonly max: number; readonly perChar: number };
  readonly waiting?: Waiting;
  readonly factsMax?: number;
  readonly recycleChars?: number;
  /** A thread that runs `parse-worker.ts`, to use instead of a new one; null for a new one. */
  spawn?(): Worker | null;
};

/** Each takes some 150 MB, and a single thread reads for all and stores their results. */
const WORKERS_MAX = 8;
/** Facts of one kind that are kept of a file. */
export const FACTS_MAX = 20_000;
/** Starting a thread takes time: the existing threads finish fewer files sooner. */
const FILES_PER_WORKER = 6;
const RECYCLE_CHARS = 64 * 1024 * 1024;
/** Workers break rarely, and which files follow a break depends on the order in which workers end. */
const STRIKES_MAX = 50;

const spawnWorker = (): Worker => new Worker(new URL("./parse-worker.ts", import.meta.url).href);

/** The number of threads that are useful on this machine. */
export const defaultWorkers = (): number => Math.min(WORKERS_MAX, availableParallelism());

type Task = ParseJob & {
  readonly packs: boolean;
  problem: string | null;
  /** Only a fresh worker can parse it. */
  needsFresh: boolean;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
};

/** A worker and its current file. */
type Seat = {
  readonly worker: Worker;
  /** The name of its thread for `threadMs`. */
  thread: string | null;
  ready: boolean;
  task: Task | null;
  /** It has parsed nothing yet. */
  isFresh: boolean;
  charsDone: number;
  /** Paths of the modules that it has received. */
  readonly given: Set<string>;
  readonly guard: HangGuard;
};

type Pool = {
  readonly options: Required<ParsePoolOptions>;
  readonly waiting: Task[];
  readonly seats: Set<Seat>;
  /** How many workers a language broke in a row. */
  readonly strikes: Map<string, number>;
  /** The modules that parse each language; files wait, in order, until those of their language are compiled. */
  readonly modulesOf: Map<string, readonly NamedModule[]>;
  submitted: number;
  /** The language whose grammar a worker loads first. */
  warmed: string | null;
  closed: Error | null;
};

/** Opens a pool. Workers start on demand. */
export function openParsePool(options: ParsePoolOptions = {}): ParsePool {
  const { workersMax = defaultWorkers(), work = PARSE_WORK, waiting = WAITING, factsMax = FACTS_MAX } = options;
  const { recycleChars = RECYCLE_CHARS, spawn = () => null } = options;
  const pool: Pool = {
    options: { workersMax, work, waiting, factsMax, recycleChars, spawn },
    waiting: [],
    seats: new Set(),
    strikes: new Map(),
    modulesOf: new Map(),
    submitted: 0,
    warmed: null,
    closed: null,
  };
  return {
    parse: (job, signal) => submit(pool, job, false, signal).then(measuredOf),
    pack: (job, signal) => submit(pool, job, true, signal).then(packedOf),
    warm(language, files) {
      pool.warmed = language;
      compile(pool, language);
      for (let missing = usefulWorkers(pool, files) - pool.seats.size; missing > 0; missing -= 1) open(pool);
    },
    rest() {
      for (const seat of [...pool.seats]) if (seat.ready && seat.task === null) dismiss(pool, seat);
      if (pool.waiting.length > 0 || [...pool.seats].some(({ task }) => task !== null)) return;
      pool.modulesOf.clear();
      forgetModules();
    },
    close: () => abandon(pool, new Error("the parse pool is closed")),
  };
}

function submit(pool: Pool, { text, language }: ParseJob, packs: boolean, signal?: AbortSignal): Promise<Answer> {
  const { waiting, modulesOf, closed } = pool;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  if (closed !== null || signal?.aborted) {
    reject(closed ?? signal?.reason);
    return promise;
  }
  const task: Task = { text, language, packs, problem: null, needsFresh: false, resolve, reject };
  const onAbort = (): void => {
    const at = waiting.indexOf(task);
    if (at !== -1) waiting.splice(at, 1);
    // The worker finishes a file that it has, but nobody receives the result.
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  waiting.push(task);
  pool.submitted += 1;
  if (!modulesOf.has(language)) compile(pool, language);
  assign(pool);
  return promise.finally(() => signal?.removeEventListener("abort", onAbort));
}

/** Compiles the modules of a language, once. */
function compile(pool: Pool, language: string): void {
  modulesFor(language).then(
    (modules) => {
      pool.modulesOf.set(language, modules);
      assign(pool);
    },
    (error) => abandon(pool, error),
  );
}

const usefulWorkers = ({ options }: Pool, files: number): number =>
  Math.min(options.workersMax, Math.ceil(files / FILES_PER_WORKER));

/** Gives waiting files to idle workers, and starts workers for the rest. */
function assign(pool: Pool): void {
  const { seats, waiting, submitted } = pool;
  for (const seat of seats) if (seat.ready && seat.task === null) give(pool, seat);
  const wanted = usefulWorkers(pool, submitted);
  const starting = [...seats].filter(({ ready }) => !ready).length;
  for (let missing = waiting.length - starting; missing > 0 && seats.size < wanted; missing -= 1) open(pool);
}

function open(pool: Pool): void {
  const guard = hangGuard(pool.options.waiting, () => lose(pool, seat, "the parser did not end"));
  const worker = pool.options.spawn() ?? spawnWorker();
  const seat: Seat = {
    worker,
    thread: null,
    ready: false,
    task: null,
    isFresh: true,
    charsDone: 0,
    given: new Set(),
    guard,
  };
  pool.seats.add(seat);
  worker.addEventListener("message", (event: MessageEvent<ParseReply>) => hear(pool, seat, event.data));
  worker.addEventListener("error", (event) => event.preventDefault());
  worker.addEventListener("close", () => lose(pool, seat, "the parser crashed"));
}

/** Sends the next waiting file to a worker. */
function give(pool: Pool, seat: Seat): void {
  const { waiting, modulesOf, strikes, options } = pool;
  const [task] = waiting;
  const wanted = task === undefined ? undefined : modulesOf.get(task.language);
  if (task === undefined || wanted === undefined) return;
  if (task.needsFresh && !seat.isFresh) {
    dismiss(pool, seat);
    return;
  }
  waiting.shift();
  seat.task = task;
  const { text, language, packs } = task;
  if (task.problem === null && (strikes.get(language) ?? 0) >= STRIKES_MAX) {
    task.problem = `the ${language} parser failed ${STRIKES_MAX} times in a row`;
  }
  const { problem } = task;
  seat.guard.start(seat.thread, text.length);
  const modules = problem === null ? wanted.filter(({ path }) => !seat.given.has(path)) : [];
  for (const { path } of modules) seat.given.add(path);
  const { factsMax, work } = options;
  const { isFresh } = seat;
  seat.isFresh = false;
  const workMax = Math.max(work.max, text.length * work.perChar);
  const request = { text, language, problem, workMax, isFresh, factsMax, packs, modules } satisfies ParseRequest;
  seat.worker.postMessage(request);
}

/** A file that only makes a worker load its grammar. */
const NOTHING = { text: "", packs: false, problem: null, needsFresh: false } as const;

function hear(pool: Pool, seat: Seat, reply: ParseReply): void {
  if (!pool.seats.has(seat)) return;
  if (reply.kind === "broken") lose(pool, seat, `the parser failed: ${reply.why}`);
  else if (reply.kind === "unsure") retry(pool, seat);
  else if (reply.kind === "ready") {
    seat.ready = true;
    seat.thread = reply.thread;
    // Each gets a text to load the grammar for, even if it is still being compiled.
    if (pool.warmed !== null && pool.waiting.every(({ text }) => text === "")) {
      const [resolve, reject] = [() => undefined, () => undefined];
      pool.waiting.unshift({ ...NOTHING, language: pool.warmed, resolve, reject });
      give(pool, seat);
    }
  } else finish(pool, seat, reply);
  assign(pool);
}

/** Puts a file first in line for a fresh worker. */
function retry(pool: Pool, seat: Seat): void {
  const { task } = seat;
  release(seat);
  dismiss(pool, seat);
  if (task !== null) pool.waiting.unshift(Object.assign(task, { needsFresh: true }));
}

function finish(pool: Pool, seat: Seat, answer: Answer): void {
  const { task } = seat;
  if (task?.problem === null) pool.strikes.delete(task.language);
  release(seat);
  seat.charsDone += task?.text.length ?? 0;
  if (seat.charsDone >= pool.options.recycleChars) dismiss(pool, seat);
  task?.resolve(answer);
}

/** Replaces a worker that died or has to. Another one measures its file as text. */
function lose(pool: Pool, seat: Seat, problem: string): void {
  const { seats, strikes, waiting } = pool;
  if (!seats.has(seat)) return;
  const { task, ready } = seat;
  release(seat);
  dismiss(pool, seat);
  if (task === null) {
    if (!ready) abandon(pool, new Error("the parse worker does not start"));
    return;
  }
  if (task.problem === null) {
    strikes.set(task.language, (strikes.get(task.language) ?? 0) + 1);
    task.problem = problem;
    waiting.unshift(task);
  } else task.resolve({ kind: "done", ...unmeasured(task.text, task.problem) });
  assign(pool);
}

function release(seat: Seat): void {
  seat.guard.clear();
  seat.task = null;
}

function dismiss({ seats }: Pool, seat: Seat): void {
  seats.delete(seat);
  seat.worker.terminate();
}

/** Closes the pool; files without an answer reject. */
function abandon(pool: Pool, reason: Error): void {
  pool.closed ??= reason;
  const left = [...pool.waiting.splice(0), ...[...pool.seats].flatMap(({ task }) => task ?? [])];
  for (const seat of [...pool.seats]) {
    release(seat);
    dismiss(pool, seat);
  }
  for (const { reject } of left) reject(pool.closed);
}
