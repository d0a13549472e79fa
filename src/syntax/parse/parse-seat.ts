/**
 * A worker of the parse pool and the files that it has: the one that it parses, and a few short ones that wait in its queue, so that it is
 * not idle while the pool's thread reads or stores. It answers in order.
 */
import type { HangGuard } from "./hang-guard.ts";
import type { Answer, ParseRequest } from "./parse-messages.ts";
import type { NamedModule } from "./wasm-modules.ts";

/** A text to parse. `language` is the walker's name for it; a text without a grammar is only measured. */
export type ParseJob = { readonly text: string; readonly language: string };

/** A job that somebody waits for. With a `problem` it is measured, not parsed. */
export type ParseTask = ParseJob & {
  readonly packs: boolean;
  problem: string | null;
  /** Only a fresh worker can parse it. */
  needsFresh: boolean;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
};

export type ParseSeat = {
  readonly worker: Worker;
  readonly guard: HangGuard;
  /** The name of its thread, for the guard. */
  thread: string | null;
  ready: boolean;
  readonly tasks: ParseTask[];
  /** It was given nothing yet. */
  isFresh: boolean;
  /** Characters of all texts that it was given. */
  charsGiven: number;
  /** Paths of the modules that it has received. */
  readonly given: Set<string>;
};

/** So many files are in one seat. */
export const TASKS_MAX = 3;
/** Or files of so many characters: one that waits behind a long one could be parsed by another worker. */
const CHARS_MAX = 64 * 1024;

export const openSeat = (worker: Worker, guard: HangGuard): ParseSeat => ({
  worker,
  guard,
  thread: null,
  ready: false,
  tasks: [],
  isFresh: true,
  charsGiven: 0,
  given: new Set(),
});

/** Whether a text can wait in this seat, or be parsed at once. */
export function hasRoom({ tasks }: ParseSeat, text: string): boolean {
  if (tasks.length === 0) return true;
  return tasks.length < TASKS_MAX && tasks.reduce((chars, task) => chars + task.text.length, text.length) <= CHARS_MAX;
}

/** Sends a file to the worker. `modules` are those of its language. */
export function sendTo(
  seat: ParseSeat,
  task: ParseTask,
  modules: readonly NamedModule[],
  limits: Pick<ParseRequest, "workMax" | "factsMax">,
): void {
  const { worker, given, isFresh } = seat;
  const { text, language, packs, problem } = task;
  const missing = problem === null ? modules.filter(({ path }) => !given.has(path)) : [];
  for (const { path } of missing) given.add(path);
  seat.isFresh = false;
  seat.charsGiven += text.length;
  seat.tasks.push(task);
  if (seat.tasks.length === 1) watch(seat);
  worker.postMessage({ text, language, problem, packs, isFresh, modules: missing, ...limits } satisfies ParseRequest);
}

/** Takes out the file that the worker has answered. */
export function takeAnswered(seat: ParseSeat): ParseTask | undefined {
  const task = seat.tasks.shift();
  watch(seat);
  return task;
}

/** Guards the file that the worker parses now. */
function watch({ tasks: [task], thread, guard }: ParseSeat): void {
  if (task === undefined) guard.clear();
  else guard.start(thread, task.text.length);
}

/** Terminates the worker, and returns the files that it had. */
export function closeSeat({ guard, worker, tasks }: ParseSeat): ParseTask[] {
  guard.clear();
  worker.terminate();
  return tasks.splice(0);
}
