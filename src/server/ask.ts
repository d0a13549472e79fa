/**
 * Asks a repository for somebody: only one that is granted, a few at a time, each with a connection of its own.
 *
 * Everything that reads a repository goes through here.
 */

import type { Repositories } from "../app/serving/repositories.ts";
import { type NamedWorkspace, type ServedApp, servedApp, servedTogether } from "../app/serving/served-app.ts";
import { type CallQueue, callQueue } from "../concurrency/call-queue.ts";
import type { LeftOut } from "../db/curated/meta.ts";
import { Failed } from "../failure.ts";
import { isGranted } from "../store/grants.ts";
import { display } from "../text/display.ts";
import { listed } from "../text/listed.ts";
import type { Caller } from "./access.ts";
import { BUSY, type Errors, NO_SUCH_REPOSITORY, type Refusal, refusalIn } from "./problem.ts";
import type { Stop } from "./stop.ts";

export type Outcome<T> = { readonly answer: T } | { readonly refusal: Refusal };

export type Asker = {
  /** The names that the caller may read, in order. */
  granted(caller: Caller): Promise<readonly string[]>;
  /** Runs the work on the repository of that name, or on the only one of the caller. Never throws. */
  ask<T>(question: Question, work: (app: ServedApp) => Promise<T>): Promise<Outcome<T>>;
  running(): number;
  waiting(): number;
};

export type Question = {
  readonly caller: Caller;
  readonly repository: Named;
  readonly stop: Stop;
  /** Gets the name of the repository that is asked. */
  onRepository(name: string): void;
};

/** As the client names it: one repository, several by names and globs, or its only one. */
export type Named = string | readonly string[] | undefined;

/** Throws a usage failure for both. */
export function namedOnce(one: string | undefined, several: readonly string[] | undefined): Named {
  if (one === undefined || several === undefined) return several ?? one;
  const message = "repository and repositories exclude each other";
  throw new Failed({ code: "usage", message, next: "give one of them" });
}

export type AskDeps = Errors & { readonly repositories: Repositories; readonly atOnce: number };

/** Further requests are refused. */
const WAITING_MAX = 200;
/** More would be too many to be open for one answer. */
export const REPOSITORIES_MAX = 50;
/** Names of repositories in one sentence. */
const NAMED_MAX = 20;

export function openAsker({ repositories, atOnce, failureIn, onBug }: AskDeps): Asker {
  // Those that wait for an index are counted too, so the limit is not that of the queue.
  const queue: CallQueue = callQueue(atOnce, Number.POSITIVE_INFINITY, () => new Error("the queue has no limit"));
  let [running, asked] = [0, 0];
  const granted = async (caller: Caller): Promise<readonly string[]> =>
    (await repositories.names()).filter((name) => isGranted(caller, name));
  /** What only a glob names and cannot be opened is left out, unless nothing is left. */
  const openedOf = async ({ names, byGlob }: Chosen, signal: AbortSignal): Promise<Opened | { refusal: Refusal }> => {
    const opened: NamedWorkspace[] = [];
    const [leftOut, refusals]: [LeftOut[], Refusal[]] = [[], []];
    for (const name of names) {
      try {
        const workspace = await repositories.open(name, signal);
        if (workspace === null) return { refusal: NO_SUCH_REPOSITORY };
        opened.push({ name, workspace });
      } catch (error) {
        if (signal.aborted || !byGlob.has(name)) throw error;
        const refusal = refusalIn(error, { failureIn, onBug });
        refusals.push(refusal);
        leftOut.push({ name, why: refusal.detail });
      }
    }
    const [refusal] = refusals;
    return refusal !== undefined && opened.length === 0 ? { refusal } : { opened, leftOut };
  };
  const turn = async <T>(
    chosen: Chosen,
    { signal }: Stop,
    work: (app: ServedApp) => Promise<T>,
  ): Promise<Outcome<T>> => {
    // Waiting for an index takes no turn from others.
    const found = await openedOf(chosen, signal);
    if ("refusal" in found) return found;
    const { opened, leftOut } = found;
    return await queue(signal, async () => {
      running += 1;
      try {
        return await answered(chosen.isUnion ? servedTogether(opened, leftOut) : servedAlone(opened), work);
      } catch (error) {
        for (const name of damagedBy(error, opened)) repositories.distrust(name);
        throw error;
      } finally {
        running -= 1;
      }
    });
  };
  return {
    granted,
    async ask({ caller, repository, stop, onRepository }, work) {
      if (asked >= atOnce + WAITING_MAX) return { refusal: BUSY };
      asked += 1;
      try {
        const found = chosen(repository, await granted(caller));
        if ("status" in found) return { refusal: found };
        onRepository(found.names.join(","));
        return await turn(found, stop, work);
      } catch (thrown) {
        return { refusal: refusalFor(thrown, stop, { failureIn, onBug }) };
      } finally {
        asked -= 1;
      }
    },
    running: () => running,
    waiting: () => asked - running,
  };
}

async function answered<T>(app: ServedApp, work: (app: ServedApp) => Promise<T>): Promise<{ readonly answer: T }> {
  try {
    return { answer: await work(app) };
  } finally {
    app.close();
  }
}

/** The repositories whose index an answer found damaged. */
const damagedBy = (error: unknown, opened: readonly NamedWorkspace[]): readonly string[] => {
  const failure = error instanceof Failed ? error.failure : null;
  if (failure?.code !== "index-damaged") return [];
  return opened.filter(({ workspace }) => workspace.paths.curated === failure.path).map(({ name }) => name);
};

function servedAlone([one]: readonly NamedWorkspace[]): ServedApp {
  if (one === undefined) throw new Error("a question is asked of a repository");
  return servedApp(one.workspace);
}

type Opened = { readonly opened: readonly NamedWorkspace[]; readonly leftOut: readonly LeftOut[] };

/** Paths of a union begin with the name of their repository, also where it is of one. `byGlob` are those that the client did not name. */
type Chosen = { readonly names: readonly string[]; readonly isUnion: boolean; readonly byGlob: ReadonlySet<string> };

const NONE: ReadonlySet<string> = new Set();

/** What does not exist and what is not granted are refused alike. */
function chosen(typed: Named, granted: readonly string[]): Chosen | Refusal {
  const [only] = granted;
  if (typeof typed === "string")
    return granted.includes(typed) ? { names: [typed], isUnion: false, byGlob: NONE } : NO_SUCH_REPOSITORY;
  if (typed !== undefined) return several(typed, granted);
  if (only === undefined) return NO_SUCH_REPOSITORY;
  if (granted.length === 1) return { names: [only], isUnion: false, byGlob: NONE };
  const detail = display(`repository: name one of ${listed(granted, NAMED_MAX)}`);
  return { status: 400, code: "usage", detail };
}

function several(typed: readonly string[], granted: readonly string[]): Chosen | Refusal {
  const found = typed.map((pattern) => granted.filter((name) => isGranted({ repositories: [pattern] }, name)));
  if (found.some(({ length }) => length === 0)) return NO_SUCH_REPOSITORY;
  const names = [...new Set(found.flat())].sort();
  if (names.length <= REPOSITORIES_MAX)
    return { names, isUnion: true, byGlob: new Set(names).difference(new Set(typed)) };
  const detail = `repositories: ${names.length} are named, and at most ${REPOSITORIES_MAX} are asked at once`;
  return { status: 400, code: "usage", detail };
}

/** How an error of a request is answered; one that was stopped is no error of the server. */
export function refusalFor(thrown: unknown, stop: Stop, errors: Errors): Refusal {
  const why = stop.why();
  if (why === "late") return TOO_LONG;
  return why === null ? refusalIn(thrown, errors) : ENDING;
}

const TOO_LONG: Refusal = {
  status: 503,
  code: "too-long",
  detail: "the answer took too long; ask for less, or again later",
  retryAfter: 5,
};

export const ENDING: Refusal = {
  status: 503,
  code: "ending",
  detail: "the server ends; ask again later",
  retryAfter: 5,
  headers: { connection: "close" },
};
