/**
 * Parses files on several threads, and outlives whatever a file does to a thread.
 *
 * Every file gets an answer. One that takes too long, or breaks its worker, costs that worker its life:
 * it is terminated and replaced, and the file is measured as text with the problem stated. A language that
 * broke `STRIKES_MAX` workers in a row is text for the rest of the run. Workers are replaced after some
 * megabytes too, since WebAssembly memory is never given back.
 *
 * Time is that of the worker's thread where the system tells it, so that a busy machine loses no file.
 *
 * Invariants: at most one file is with a worker at a time; after `close` no worker is left, and files
 * without an answer reject. Not here: what parsing is (`parse.ts`), reading and caching.
 */
import { availableParallelism } from "node:os";
import { PARSED_LANGUAGES } from "../../languages/languages.ts";
import { encodeTermStats } from "../../text/terms/term-stats.ts";
import { CHARS_PER_TOKEN } from "../../text/tokens/tokens.ts";
import type { Measured } from "../facts/measure.ts";
import { TOOK_TOO_LONG, textFacts } from "../facts/text-facts.ts";
import type { ParseReply, ParseRequest } from "./parse-messages.ts";
import { threadMs } from "./thread-time.ts";
import { moduleOf, type NamedModule, RUNTIME_PATH } from "./wasm-modules.ts";

/** A text to parse. `language` as the walker names it; one without a grammar is only measured. */
export type ParseJob = { readonly text: string; readonly language: string };

export type ParsePool = {
  /** The facts and term statistics of a text. Rejects only when the pool is closed, or with the signal's reason. */
  parse(job: ParseJob, signal?: AbortSignal): Promise<Measured>;
  /** Terminates the workers that have nothing to do, which gives their memory back; more start when there is work. */
  rest(): void;
  /** Terminates all workers; waiting files reject. Doing it twice is harmless. */
  close(): void;
};

/**
 * `workersMax`: threads, from 1. `timeMsMax`: for parsing one file, watched by the worker itself; a long file has more.
 * `graceMs`: what parsing may take beyond that until the worker is terminated. `factsMax`: facts of one kind kept per
 * file. `recycleChars`: a worker is replaced after so much text.
 */
export type ParsePoolOptions = {
  readonly workersMax?: number;
  readonly timeMsMax?: number;
  readonly graceMs?: number;
  readonly factsMax?: number;
  readonly recycleChars?: number;
  /** Starts a worker; for tests. */
  spawn?(): Worker;
};

/** By default; each takes some 150 MB, and one thread has to read for all and to store what they find. */
const WORKERS_MAX = 8;
/** A file of the largest size that is indexed (1 MiB) takes a third of this, once the engine has compiled the grammar. */
const TIME_MS_MAX = 1_500;
/**
 * A file has so much time for each character where that is more. The engine compiles a grammar on other threads, when it
 * comes to it; until then it interprets, in 11 to 16 microseconds per character (measured on TypeScript), and what a file
 * holds must not hang on that.
 */
const TIME_MS_PER_CHAR = 0.03;
/** The parser looks at its time in steps, and loading a grammar comes on top of it. */
const GRACE_MS = 500;
/** On the clock alone, a busy machine must be reckoned with. */
const GRACE_ON_CLOCK_MS = 6_000;
/** Measuring alone is linear in the text; this is for a machine that stands still. */
const STANDSTILL_MS = 60_000;
/** How often the time of a thread is looked at, at the least. */
const LOOK_MS_MIN = 50;
const FACTS_MAX = 20_000;
/** A thread takes some time to start: fewer files than this are done sooner by those that are there. */
const FILES_PER_WORKER = 6;
const RECYCLE_CHARS = 64 * 1024 * 1024;
const STRIKES_MAX = 3;

const spawnWorker = (): Worker => new Worker(new URL("./parse-worker.ts", import.meta.url).href);

/** How many threads are worth starting on this machine. */
export const defaultWorkers = (): number => Math.min(WORKERS_MAX, availableParallelism());

type Task = ParseJob & {
  problem: string | null;
  resolve(result: Measured): void;
  reject(reason: unknown): void;
};

type Seat = {
  readonly worker: Worker;
  /** Names its thread for `threadMs`. */
  thread: string | null;
  ready: boolean;
  task: Task | null;
  charsDone: number;
  /** Paths of the modules that it has been given. */
  readonly given: Set<string>;
  timer: Timer | null;
};
type Timer = ReturnType<typeof setTimeout>;

/** Opens a pool. Workers start when there is work for them. */
export function openParsePool(options: ParsePoolOptions = {}): ParsePool {
  const { workersMax = defaultWorkers(), timeMsMax = TIME_MS_MAX, graceMs } = options;
  const { factsMax = FACTS_MAX, recycleChars = RECYCLE_CHARS, spawn = spawnWorker } = options;
  const waiting: Task[] = [];
  const seats = new Set<Seat>();
  const strikes = new Map<string, number>();
  /** The grammar files of languages, null where there is none; files wait, in their order, for that of their language. */
  const wasmOf = new Map<string, string | null>();
  let submitted = 0;
  let closed: Error | null = null;

  function assign(): void {
    for (const seat of seats) if (seat.ready && seat.task === null) give(seat);
    const wanted = Math.min(workersMax, Math.ceil(submitted / FILES_PER_WORKER));
    const starting = [...seats].filter(({ ready }) => !ready).length;
    for (let missing = waiting.length - starting; missing > 0 && seats.size < wanted; missing -= 1) open();
  }

  function open(): void {
    const given = new Set<string>();
    const seat: Seat = { worker: spawn(), thread: null, ready: false, task: null, charsDone: 0, given, timer: null };
    seats.add(seat);
    seat.worker.addEventListener("message", (event: MessageEvent<ParseReply>) => hear(seat, event.data));
    seat.worker.addEventListener("error", (event) => event.preventDefault());
    seat.worker.addEventListener("close", () => lose(seat, "the parser crashed"));
  }

  function give(seat: Seat): void {
    const [task] = waiting;
    if (task === undefined || !wasmOf.has(task.language)) return;
    waiting.shift();
    seat.task = task;
    const { text, language } = task;
    if (task.problem === null && (strikes.get(language) ?? 0) >= STRIKES_MAX) {
      task.problem = `the ${language} parser failed ${STRIKES_MAX} times in a row`;
    }
    const { problem } = task;
    const timeMs = Math.max(timeMsMax, text.length * TIME_MS_PER_CHAR);
    if (problem === null) watch(seat, timeMs);
    else allow(seat, STANDSTILL_MS);
    const modules = problem === null ? modulesFor(wasmOf.get(language) ?? null, seat.given) : [];
    seat.worker.postMessage({ text, language, problem, timeMsMax: timeMs, factsMax, modules } satisfies ParseRequest);
  }

  function allow(seat: Seat, ms: number): void {
    if (seat.timer !== null) clearTimeout(seat.timer);
    seat.timer = setTimeout(() => lose(seat, TOOK_TOO_LONG), ms);
  }

  /** Gives a file its time: that of the thread, or on the clock where nobody tells. */
  function watch(seat: Seat, timeMs: number): void {
    const { thread } = seat;
    const before = thread === null ? null : threadMs(thread);
    if (thread === null || before === null) {
      allow(seat, timeMs + (graceMs ?? GRACE_ON_CLOCK_MS));
      return;
    }
    const msMax = timeMs + (graceMs ?? GRACE_MS);
    let looks = 0;
    const look = (): void => {
      const left = msMax - ((threadMs(thread) ?? Number.POSITIVE_INFINITY) - before);
      looks += 1;
      if (left <= 0 || looks > STANDSTILL_MS / LOOK_MS_MIN) lose(seat, TOOK_TOO_LONG);
      else seat.timer = setTimeout(look, Math.max(LOOK_MS_MIN, left));
    };
    seat.timer = setTimeout(look, msMax);
  }

  function hear(seat: Seat, reply: ParseReply): void {
    if (!seats.has(seat)) return;
    if (reply.kind === "broken") lose(seat, `the parser failed: ${reply.why}`);
    else if (reply.kind === "parsed") allow(seat, STANDSTILL_MS);
    else if (reply.kind === "ready") {
      seat.ready = true;
      seat.thread = reply.thread;
    } else finish(seat, reply);
    assign();
  }

  function finish(seat: Seat, { facts, stats }: Measured): void {
    const { task } = seat;
    if (task?.problem === null) strikes.delete(task.language);
    release(seat);
    seat.charsDone += task?.text.length ?? 0;
    if (seat.charsDone >= recycleChars) dismiss(seat);
    task?.resolve({ facts, stats });
  }

  /** A worker that died, or must. Its file is measured by another one, as text. */
  function lose(seat: Seat, problem: string): void {
    if (!seats.has(seat)) return;
    const { task, ready } = seat;
    release(seat);
    dismiss(seat);
    if (task === null) {
      if (!ready) abandon(new Error("the parse worker does not start"));
      return;
    }
    if (task.problem === null) {
      strikes.set(task.language, (strikes.get(task.language) ?? 0) + 1);
      task.problem = problem;
      waiting.unshift(task);
    } else task.resolve(unmeasured(task.text, task.problem));
    assign();
  }

  function release(seat: Seat): void {
    if (seat.timer !== null) clearTimeout(seat.timer);
    seat.timer = null;
    seat.task = null;
  }

  function dismiss(seat: Seat): void {
    seats.delete(seat);
    seat.worker.terminate();
  }

  function abandon(reason: Error): void {
    closed ??= reason;
    const left = [...waiting.splice(0), ...[...seats].flatMap(({ task }) => task ?? [])];
    for (const seat of [...seats]) {
      release(seat);
      dismiss(seat);
    }
    for (const { reject } of left) reject(closed);
  }

  function parse({ text, language }: ParseJob, signal?: AbortSignal): Promise<Measured> {
    const { promise, resolve, reject } = Promise.withResolvers<Measured>();
    if (closed !== null || signal?.aborted) {
      reject(closed ?? signal?.reason);
      return promise;
    }
    const task: Task = { text, language, problem: null, resolve, reject };
    const onAbort = (): void => {
      const at = waiting.indexOf(task);
      if (at !== -1) waiting.splice(at, 1);
      // A file that is with a worker finishes there, and nobody hears of it.
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    waiting.push(task);
    submitted += 1;
    if (!wasmOf.has(language)) {
      grammarOf(language).then((wasm) => {
        wasmOf.set(language, wasm);
        assign();
      }, abandon);
    }
    assign();
    return promise.finally(() => signal?.removeEventListener("abort", onAbort));
  }

  function rest(): void {
    for (const seat of [...seats]) if (seat.ready && seat.task === null) dismiss(seat);
  }

  return { parse, rest, close: () => abandon(new Error("the parse pool is closed")) };
}

/** The path of a language's grammar inside the program; null when it has none. */
async function grammarOf(language: string): Promise<string | null> {
  const parsing = PARSED_LANGUAGES.get(language);
  return parsing?.kind === "grammar" ? (await parsing.load()).wasm : null;
}

/** The modules that parsing with a grammar takes, without those that were given before; notes them as given. */
function modulesFor(wasm: string | null, given: Set<string>): readonly NamedModule[] {
  if (wasm === null) return [];
  const paths = [RUNTIME_PATH, wasm].filter((path) => !given.has(path));
  for (const path of paths) given.add(path);
  return paths.map((path) => ({ path, module: moduleOf(path) }));
}

/** What is left to say of a text that no worker could measure: its lines, and an estimate of its tokens. */
function unmeasured(text: string, problem: string): Measured {
  return {
    facts: { ...textFacts(text, problem), tokenCount: Math.ceil(text.length / CHARS_PER_TOKEN), symbols: [] },
    stats: encodeTermStats({ text: "", symbols: [], commentLines: [], docstrings: false }),
  };
}
