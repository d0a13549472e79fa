/**
 * Runs the effects of the interface and sends their results back as actions.
 *
 * Only saving drafts, writing a file and drawing block this thread. A failure becomes a message; any other error ends the
 * interface.
 */
import { existsSync } from "node:fs";
import type { Variables } from "../../config/variables.ts";
import { Failed } from "../../failure.ts";
import type { Action } from "../state/actions.ts";
import type { Draft } from "../state/draft.ts";
import type { Effect } from "../state/effects.ts";
import { editFile, editText } from "../terminal/editor.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { DraftStore } from "./draft-store.ts";
import { copyPackage, copyText, type PackageDeps, rememberTask, savePackage } from "./package-effects.ts";
import { runEffects, type Wording } from "./run-effects.ts";

export type EffectDeps = PackageDeps & {
  readonly drafts: DraftStore;
  readonly terminal: Pick<Terminal, "write" | "reportMouse">;
  /** The absolute path of an indexed file; null for one that is not on this machine. */
  sourcePath(path: string): string | null;
  readonly variables: Variables;
  readonly wording: Wording;
  /** Leaves the terminal to `use` while it runs. */
  lend(use: () => Promise<void>): Promise<void>;
  suspend(): Promise<void>;
  redraw(): void;
  quit(): void;
  /** Ends the interface because of a bug, or because there is nothing to review. */
  fail(bug: unknown): void;
};

export function effectRunner(deps: EffectDeps): (effect: Effect) => void {
  const { worker, terminal, drafts, wording, send } = deps;
  /** Starts asynchronous work; a failure becomes an action, an error message by default. */
  const start = (work: () => Promise<void>, toAction: (message: string) => Action = sayError): void => {
    work().catch((error: unknown) => {
      if (error instanceof Failed) send(toAction(wording.failed(error.failure)));
      else deps.fail(error);
    });
  };
  const { run, cancelRun, index, cancelIndex, knownIndex, dryRun } = runEffects(worker, drafts.load, wording, send);
  const load = loadEffects(deps);
  const keep = draftKeeper(deps);

  return (effect) => {
    switch (effect.do) {
      case "retrieve":
      case "refine":
      case "return":
        return void run(effect).catch(deps.fail);
      case "cancel":
        return cancelRun(effect.run);
      case "index":
        return start(index);
      case "cancel-index":
        return cancelIndex();
      case "load-home":
        start(load.home);
        return start(knownIndex);
      case "resume":
        return start(() => load.resume(effect.taskId));
      case "load-rounds":
        return start(() => load.rounds(effect.taskId));
      case "look":
        return start(() => load.round(effect));
      case "rename-session":
        return start(async () => drafts.rename(effect));
      case "delete-session":
        return start(async () => {
          await worker.run("deleteSession", effect.taskId);
          send({ is: "session-deleted", taskId: effect.taskId });
        });
      case "load-preview":
        return start(() => load.preview(effect.path));
      case "load-outline":
        return start(() => load.outline(effect.path));
      case "find":
        return start(() => load.find(effect));
      case "dry-run":
        return start(() => dryRun(effect));
      case "save":
        return start(
          () => savePackage(deps, effect),
          (message) => ({ is: "save-failed", message }),
        );
      case "copy":
        return copyText(deps, effect.text, effect.what);
      case "copy-package":
        return start(() => copyPackage(deps, effect.format, effect.what));
      case "remember-task":
        return start(() => rememberTask(deps, effect));
      case "edit-text":
        return start(() => editTyped(deps, effect.text));
      case "edit-file":
        return start(() => editSource(deps, effect));
      case "persist":
        return keep(effect.draft);
      case "mouse":
        return terminal.reportMouse(effect.on);
      case "redraw":
        return deps.redraw();
      case "suspend":
        return start(() => deps.lend(deps.suspend));
      case "quit":
        return deps.quit();
    }
  };
}

/** Effects that ask the worker for what a screen shows. */
function loadEffects({ worker, drafts, send }: EffectDeps) {
  let finds = 0;
  return {
    home: async () => send({ is: "home-loaded", ...(await worker.run("home", null)) }),
    async resume(prefix: string) {
      const { taskId, task, round } = await worker.run("resume", { taskId: prefix, round: null });
      send({ is: "resumed", taskId, task, round, draft: drafts.load(taskId) });
    },
    rounds: async (taskId: string) => send({ is: "rounds-loaded", rows: await worker.run("rounds", taskId) }),
    async round(asked: Extract<Effect, { do: "look" }>) {
      const { round } = await worker.run("resume", asked);
      if (round !== null) send({ is: "round-loaded", round });
    },
    preview: async (path: string) => send({ is: "preview-loaded", preview: await worker.run("preview", path) }),
    outline: async (path: string) => send({ is: "outline-loaded", path, symbols: await worker.run("outline", path) }),
    /** Only the newest search counts. */
    async find({ query, limit }: Extract<Effect, { do: "find" }>) {
      finds += 1;
      const own = finds;
      const found = await worker.run("find", { query, limit });
      if (own === finds) send({ is: "found", query, ...found });
    },
  };
}

/** Saves drafts. They are saved at every key press, and the same error is reported once. */
function draftKeeper({ drafts, wording, send }: EffectDeps): (draft: Draft) => void {
  let reported: string | null = null;
  return (draft) => {
    try {
      drafts.keep(draft);
      reported = null;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (reported !== error.message) send(sayError(wording.failed(error.failure)));
      reported = error.message;
    }
  };
}

async function editTyped({ lend, variables, send }: EffectDeps, typed: string): Promise<void> {
  let text: string | null = null;
  await lend(async () => {
    text = await editText(typed, variables);
  });
  send({ is: "edited", text });
}

async function editSource(
  { lend, variables, send, sourcePath }: EffectDeps,
  { path: named, line }: Extract<Effect, { do: "edit-file" }>,
): Promise<void> {
  const path = sourcePath(named);
  if (path === null) send(sayError("the file is not in a repository of this machine"));
  // The editor would begin a new one.
  else if (!existsSync(path)) send(sayError(`${named} is gone since the package was made`));
  else await lend(() => editFile(path, line, variables));
}

const sayError = (text: string): Action => ({ is: "message", kind: "error", text });
