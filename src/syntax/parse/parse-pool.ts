/**
 * Parses files on several threads, and survives any failure of a thread.
 *
 * Every file gets an answer. If one hangs or breaks its worker, the worker is terminated and replaced, and the file is measured as
 * text with the problem stated. A language that broke `STRIKES_MAX` workers in a row is text for the rest of the run. Workers are also
 * replaced after some megabytes, because WebAssembly memory is never freed.
 *
 * Invariant: after `close` no worker is left, and files without an answer reject.
 */
import { availableParallelism } from "node:os";
import { PARSE_WORK } from "../../languages/grammar-packages.ts";
import type { PackedMeasured } from "../facts/facts-codec.ts";
import { type Measured, unmeasured } from "../facts/measure.ts";
import { hangGuard, WAITING, type Waiting } from "./hang-guard.ts";
import { type Answer, measuredOf, type ParseReply, packedOf } from "./parse-messages.ts";
import {
  closeThread,
  hasRoom,
  openThread,
  type ParseJob,
  type ParseTask,
  type ParseThread,
  sendTo,
  TASKS_MAX,
  takeAnswered,
} from "./parse-thread.ts";
import { forgetModules, modulesFor, type NamedModule } from "./wasm-modules.ts";

export type ParsePool = {
  /** The facts and term statistics of a text. Rejects only if the pool is closed, or with the signal's reason. */
  parse(job: ParseJob, signal?: AbortSignal): Promise<Measured>;
  /** The same with packed facts. */
  pack(job: ParseJob): Promise<PackedMeasured>;
  /** Starts the threads for this many files of a language, and loads its grammar in them, before there is a text to parse. */
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

type Pool = {
  readonly options: Required<ParsePoolOptions>;
  readonly waiting: ParseTask[];
  readonly threads: Set<ParseThread>;
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
    threads: new Set(),
    strikes: new Map(),
    modulesOf: new Map(),
    submitted: 0,
    warmed: null,
    closed: null,
  };
  return {
    parse: (job, signal) => submit(pool, job, false, signal).then(measuredOf),
    pack: (job) => submit(pool, job, true).then(packedOf),
    warm(language, files) {
      pool.warmed = language;
      compile(pool, language);
      for (let missing = usefulWorkers(pool, files) - pool.threads.size; missing > 0; missing -= 1) open(pool);
    },
    rest() {
      for (const thread of [...pool.threads]) if (thread.ready && thread.tasks.length === 0) dismiss(pool, thread);
      if (pool.waiting.length > 0 || [...pool.threads].some(({ tasks }) => tasks.length > 0)) return;
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
  const task: ParseTask = { text, language, packs, problem: null, needsFresh: false, resolve, reject };
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

/** Gives waiting files to workers, first to idle ones, and starts workers for the rest. */
function assign(pool: Pool): void {
  const { threads, waiting, submitted } = pool;
  for (let atHand = 0; atHand < TASKS_MAX; atHand += 1) {
    for (const thread of threads) if (thread.ready && thread.tasks.length === atHand) give(pool, thread);
  }
  const wanted = usefulWorkers(pool, submitted);
  const starting = [...threads].filter(({ ready }) => !ready).length;
  for (let missing = waiting.length - starting; missing > 0 && threads.size < wanted; missing -= 1) open(pool);
}

function open(pool: Pool): void {
  const guard = hangGuard(pool.options.waiting, () => lose(pool, thread, "the parser did not end"));
  const worker = pool.options.spawn() ?? spawnWorker();
  const thread = openThread(worker, guard);
  pool.threads.add(thread);
  worker.addEventListener("message", (event: MessageEvent<ParseReply>) => hear(pool, thread, event.data));
  worker.addEventListener("error", (event) => event.preventDefault());
  worker.addEventListener("close", () => lose(pool, thread, "the parser crashed"));
}

/** Sends the next waiting file to a worker that has room for it. */
function give(pool: Pool, thread: ParseThread): void {
  const { waiting, modulesOf, strikes, options } = pool;
  const [task] = waiting;
  const modules = task === undefined ? undefined : modulesOf.get(task.language);
  if (task === undefined || modules === undefined || isUsedUp(pool, thread) || !hasRoom(thread, task.text)) return;
  if (task.needsFresh && !thread.isFresh) {
    if (thread.tasks.length === 0) dismiss(pool, thread);
    return;
  }
  waiting.shift();
  const { text, language } = task;
  if (task.problem === null && (strikes.get(language) ?? 0) >= STRIKES_MAX) {
    task.problem = `the ${language} parser failed ${STRIKES_MAX} times in a row`;
  }
  const { factsMax, work } = options;
  sendTo(thread, task, modules, { factsMax, workMax: Math.max(work.max, text.length * work.perChar) });
}

/** Whether a worker will be replaced after the files that it has. */
const isUsedUp = ({ options }: Pool, { charsGiven }: ParseThread): boolean => charsGiven >= options.recycleChars;

/** A file that only makes a worker load its grammar. */
const NOTHING = { text: "", packs: false, problem: null, needsFresh: false } as const;

function hear(pool: Pool, thread: ParseThread, reply: ParseReply): void {
  if (!pool.threads.has(thread)) return;
  if (reply.kind === "broken") lose(pool, thread, `the parser failed: ${reply.why}`);
  else if (reply.kind === "unsure") retry(pool, thread);
  else if (reply.kind === "ready") {
    thread.ready = true;
    thread.name = reply.thread;
    // Each gets a text to load the grammar for, even if it is still being compiled.
    if (pool.warmed !== null && pool.waiting.every(({ text }) => text === "")) {
      const [resolve, reject] = [() => undefined, () => undefined];
      pool.waiting.unshift({ ...NOTHING, language: pool.warmed, resolve, reject });
      give(pool, thread);
    }
  } else finish(pool, thread, reply);
  assign(pool);
}

/** Puts a file first in line for a fresh worker. */
function retry(pool: Pool, thread: ParseThread): void {
  const [task] = thread.tasks;
  if (task !== undefined) task.needsFresh = true;
  pool.waiting.unshift(...dismiss(pool, thread));
}

function finish(pool: Pool, thread: ParseThread, answer: Answer): void {
  const task = takeAnswered(thread);
  if (task?.problem === null) pool.strikes.delete(task.language);
  if (thread.tasks.length === 0 && isUsedUp(pool, thread)) dismiss(pool, thread);
  task?.resolve(answer);
}

/** Replaces a worker that died or has to. Another one measures the file that it parsed as text, and parses those that it had not begun. */
function lose(pool: Pool, thread: ParseThread, problem: string): void {
  const { threads, strikes, waiting } = pool;
  if (!threads.has(thread)) return;
  const [task, ...next] = dismiss(pool, thread);
  if (task === undefined) {
    if (!thread.ready) abandon(pool, new Error("the parse worker does not start"));
    return;
  }
  waiting.unshift(...next);
  if (task.problem === null) {
    strikes.set(task.language, (strikes.get(task.language) ?? 0) + 1);
    task.problem = problem;
    waiting.unshift(task);
  } else task.resolve({ kind: "done", ...unmeasured(task.text, task.problem) });
  assign(pool);
}

/** Takes a worker out of the pool, and returns the files that it had. */
function dismiss({ threads }: Pool, thread: ParseThread): ParseTask[] {
  threads.delete(thread);
  return closeThread(thread);
}

/** Closes the pool; files without an answer reject. */
function abandon(pool: Pool, reason: Error): void {
  pool.closed ??= reason;
  const left = [...pool.waiting.splice(0), ...[...pool.threads].flatMap((thread) => dismiss(pool, thread))];
  for (const { reject } of left) reject(pool.closed);
}
