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

export type ParseThread = {
  readonly worker: Worker;
  readonly guard: HangGuard;
  /** Its name in the system, for the guard. */
  name: string | null;
  ready: boolean;
  readonly tasks: ParseTask[];
  /** It was given nothing yet. */
  isFresh: boolean;
  /** Characters of all texts that it was given. */
  charsGiven: number;
  /** Paths of the modules that it has received. */
  readonly given: Set<string>;
};

/** The most files that one thread has. */
export const TASKS_MAX = 3;
/** The most characters that they have together: a file that waits behind a long one could be parsed by another worker. */
const CHARS_MAX = 64 * 1024;

export const openThread = (worker: Worker, guard: HangGuard): ParseThread => ({
  worker,
  guard,
  name: null,
  ready: false,
  tasks: [],
  isFresh: true,
  charsGiven: 0,
  given: new Set(),
});

/** Whether a text can wait for this thread, or be parsed at once. */
export function hasRoom({ tasks }: ParseThread, text: string): boolean {
  if (tasks.length === 0) return true;
  return tasks.length < TASKS_MAX && tasks.reduce((chars, task) => chars + task.text.length, text.length) <= CHARS_MAX;
}

/** Sends a file to the worker. `modules` are those of its language. */
export function sendTo(
  thread: ParseThread,
  task: ParseTask,
  modules: readonly NamedModule[],
  limits: Pick<ParseRequest, "workMax" | "factsMax">,
): void {
  const { worker, given, isFresh } = thread;
  const { text, language, packs, problem } = task;
  const missing = problem === null ? modules.filter(({ path }) => !given.has(path)) : [];
  for (const { path } of missing) given.add(path);
  thread.isFresh = false;
  thread.charsGiven += text.length;
  thread.tasks.push(task);
  if (thread.tasks.length === 1) watch(thread);
  worker.postMessage({ text, language, problem, packs, isFresh, modules: missing, ...limits } satisfies ParseRequest);
}

/** Takes out the file that the worker has answered. */
export function takeAnswered(thread: ParseThread): ParseTask | undefined {
  const task = thread.tasks.shift();
  watch(thread);
  return task;
}

/** Guards the file that the worker parses now. */
function watch({ tasks: [task], name, guard }: ParseThread): void {
  if (task === undefined) guard.clear();
  else guard.start(name, task.text.length);
}

/** Terminates the worker, and returns the files that it had. */
export function closeThread({ guard, worker, tasks }: ParseThread): ParseTask[] {
  guard.clear();
  worker.terminate();
  return tasks.splice(0);
}
