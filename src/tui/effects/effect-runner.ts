/**
 * Does what the interface asks of the world, and answers in actions.
 *
 * Invariants: nothing here waits on this thread but writing a draft, a saved file and the screen; a failure becomes a
 * line for the user, a bug ends the interface. Not here: the other thread's work (`handlers.ts`), what effects
 * mean to the state (`update.ts`).
 */
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import { Failed, sentence } from "../../failure.ts";
import type { Format } from "../../retrieval/render/formats.ts";
import type { Action } from "../state/actions.ts";
import type { Draft } from "../state/draft.ts";
import type { Effect } from "../state/effects.ts";
import { clipboardSequence } from "../terminal/clipboard.ts";
import { editFile, editText } from "../terminal/editor.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { KnownIndex, RunProgress } from "../worker/protocol.ts";
import type { WorkerClient } from "../worker/worker-client.ts";
import type { DraftStore } from "./draft-store.ts";

export type Stage = {
  readonly worker: WorkerClient;
  readonly drafts: DraftStore;
  readonly terminal: Pick<Terminal, "write" | "reportMouse">;
  /** The repository's root and the folder that typed paths start from, absolute. */
  readonly root: string;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  send(action: Action): void;
  /** Gives the terminal away while `use` runs. */
  lend(use: () => Promise<void>): Promise<void>;
  suspend(): Promise<void>;
  redraw(): void;
  /** Whether writing would replace a file, be it through a link. Throws a `Failed` where nothing can be written. */
  isTaken(path: string): boolean;
  /** Writes a file whole or not at all. Throws a `Failed`. */
  writeFile(path: string, text: string, how: { readonly force: boolean }): void;
  /** Ends the interface. */
  quit(): void;
  /** What is thrown and no `Failed` ends the interface as the bug that it is. */
  fail(bug: unknown): void;
};

/** Keys that follow each other ask anew: only what the user stops at is thought through. */
const WHAT_IF_AFTER_MS = 60;

export function effectRunner(stage: Stage): (effect: Effect) => void {
  const { worker, terminal, send } = stage;
  let run: { readonly id: number; readonly stop: AbortController } | null = null;
  let indexing: AbortController | null = null;
  let supposing: AbortController | null = null;
  let finds = 0;
  let lastKept: string | null = null;

  /** Does something that takes time; what goes wrong is told, by `told` where that knows better. */
  const inTime = (work: () => Promise<void>, toAction: (message: string) => Action = sayError): void => {
    work().catch((error: unknown) => {
      if (error instanceof Failed) send(toAction(sentence(error.failure)));
      else stage.fail(error);
    });
  };
  const started = (id: number): { readonly signal: AbortSignal; readonly onNews: (news: RunProgress) => void } => {
    run?.stop.abort();
    const stop = new AbortController();
    run = { id, stop };
    const onNews = (news: RunProgress): void =>
      send(
        "step" in news
          ? { is: "refreshing", run: id, step: news.step }
          : { is: "events", run: id, events: news.events },
      );
    return { signal: stop.signal, onNews };
  };
  const endRun = async (id: number, signal: AbortSignal, work: () => Promise<Action>): Promise<void> => {
    try {
      send(await work());
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (signal.aborted) send({ is: "cancelled", run: id });
      else send({ is: "failed", run: id, message: sentence(error.failure) });
    }
  };
  const keep = (draft: Draft): void => {
    try {
      stage.drafts.keep(draft);
      lastKept = null;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      // It is tried at every key press; once is enough to say so.
      if (lastKept !== error.message) send(sayError(error.message));
      lastKept = error.message;
    }
  };
  const index = async (): Promise<void> => {
    indexing?.abort();
    const stop = new AbortController();
    indexing = stop;
    try {
      const known = await worker.ask("index", null, (step) => send({ is: "indexing", step }), stop.signal);
      send({ is: "index-known", index: known });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const failed: KnownIndex = { status: "failed", files: null, headline: sentence(error.failure) };
      if (!stop.signal.aborted) send({ is: "index-known", index: failed });
      else send({ is: "index-known", index: await worker.ask("knownIndex", null) });
    } finally {
      if (indexing === stop) indexing = null;
    }
  };
  const suppose = async (effect: Extract<Effect, { do: "dry-run" }>): Promise<void> => {
    supposing?.abort();
    const stop = new AbortController();
    supposing = stop;
    await new Promise((after) => setTimeout(after, WHAT_IF_AFTER_MS));
    if (stop.signal.aborted) return;
    const { id, request, budget, rejecting } = effect;
    try {
      const result = await worker.ask("whatIf", { request, budget, rejecting }, undefined, stop.signal);
      if (result !== null) send({ is: "dry-run-finished", id, result });
    } catch (error) {
      if (!(error instanceof Failed && stop.signal.aborted)) throw error;
    }
  };
  const rendered = async (format: Format): Promise<string> => {
    const text = await worker.ask("render", format);
    if (text === null) throw new Failed({ code: "usage", message: "no round has finished yet" });
    return text;
  };
  const copy = (text: string, what: string): void => {
    const sequence = clipboardSequence(text);
    if (sequence === null) send(sayError(`${what}: too long for the clipboard of a terminal; save it to a file`));
    else {
      terminal.write(sequence);
      send({ is: "message", kind: "done", text: `${what}: sent to the terminal's clipboard` });
    }
  };
  const save = async ({ format, path: typed, overwrite }: Extract<Effect, { do: "save" }>): Promise<void> => {
    const path = pathFrom(typed, stage.cwd);
    const text = await rendered(format);
    // Asked and written in one go, so that nothing comes between.
    if (!overwrite && stage.isTaken(path)) return send({ is: "save-exists", path });
    stage.writeFile(path, text, { force: overwrite });
    send({ is: "saved", path, bytes: Buffer.byteLength(text) });
  };

  return (effect) => {
    switch (effect.do) {
      case "retrieve":
      case "refine": {
        const { run: id } = effect;
        const { signal, onNews } = started(id);
        const ask = () =>
          effect.do === "retrieve"
            ? worker.ask("retrieve", effect, onNews, signal)
            : worker.ask("refine", effect, onNews, signal);
        return inTime(() => endRun(id, signal, async () => ({ is: "finished", run: id, round: await ask() })));
      }
      case "cancel":
        if (run?.id === effect.run) run.stop.abort();
        return;
      case "index":
        return inTime(index);
      case "cancel-index":
        return indexing?.abort();
      case "load-home":
        inTime(async () => send({ is: "home-loaded", ...(await worker.ask("home", null)) }));
        return inTime(async () => {
          const index = await worker.ask("knownIndex", null);
          // Indexing that goes on tells of its end itself.
          if (indexing === null) send({ is: "index-known", index });
        });
      case "resume":
        return inTime(async () => {
          const { taskId, task, round } = await worker.ask("resume", effect.taskId);
          send({ is: "resumed", taskId, task, round, draft: stage.drafts.load(taskId) });
        });
      case "load-preview":
        return inTime(async () => send({ is: "preview-loaded", preview: await worker.ask("preview", effect.path) }));
      case "load-outline":
        return inTime(async () => {
          const { path } = effect;
          send({ is: "outline-loaded", path, symbols: await worker.ask("outline", path) });
        });
      case "find": {
        finds += 1;
        const own = finds;
        const { query, limit } = effect;
        return inTime(async () => {
          const found = await worker.ask("find", { query, limit });
          if (own === finds) send({ is: "found", query, ...found });
        });
      }
      case "dry-run":
        return inTime(() => suppose(effect));
      case "save":
        return inTime(
          () => save(effect),
          (message) => ({ is: "save-failed", message }),
        );
      case "copy":
        return copy(effect.text, effect.what);
      case "copy-package":
        return inTime(async () => copy(await rendered(effect.format), effect.what));
      case "remember-task":
        return inTime(async () => {
          const { id, status } = await worker.ask("rememberTask", effect.taskId);
          const unapplied = effect.unapplied === null ? "" : ` (${effect.unapplied})`;
          send({ is: "message", kind: "done", text: `${REMEMBERED[status]} ${id}${unapplied}` });
        });
      case "edit-text":
        return inTime(async () => {
          let text: string | null = null;
          await stage.lend(async () => {
            text = await editText(effect.text, stage.variables);
          });
          send({ is: "edited", text });
        }, sayError);
      case "edit-file": {
        const path = join(stage.root, effect.path);
        if (!path.startsWith(stage.root + sep)) return send(sayError("the file is not in the repository"));
        return inTime(() => stage.lend(() => editFile(path, effect.line, stage.variables)));
      }
      case "persist":
        return keep(effect.draft);
      case "mouse":
        return terminal.reportMouse(effect.on);
      case "redraw":
        return stage.redraw();
      case "suspend":
        return inTime(() => stage.lend(stage.suspend));
      case "quit":
        return stage.quit();
    }
  };
}

const REMEMBERED = {
  added: "Remembered as",
  replaced: "Brought up to date:",
  unchanged: "Remembered already, as",
} as const;

const sayError = (text: string): Action => ({ is: "message", kind: "error", text });

/** A typed path from the working folder; `~` is the user's own. */
const pathFrom = (typed: string, cwd: string): string =>
  resolve(cwd, typed === "~" || typed.startsWith(`~${sep}`) ? join(homedir(), typed.slice(1)) : typed);
