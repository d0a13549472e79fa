/**
 * Runs the effects of the interface and sends their results back as actions.
 *
 * Only saving drafts, writing a file and drawing block this thread. A failure becomes a message; any other error ends the
 * interface.
 */
import { join, sep } from "node:path";
import { Failed, sentence } from "../../failure.ts";
import type { Action } from "../state/actions.ts";
import type { Draft } from "../state/draft.ts";
import type { Effect } from "../state/effects.ts";
import { editFile, editText } from "../terminal/editor.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { DraftStore } from "./draft-store.ts";
import { copyPackage, copyText, type PackageDeps, rememberTask, savePackage } from "./package-effects.ts";
import { runEffects } from "./run-effects.ts";

export type EffectDeps = PackageDeps & {
  readonly drafts: DraftStore;
  readonly terminal: Pick<Terminal, "write" | "reportMouse">;
  /** The repository's root, absolute. */
  readonly root: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Leaves the terminal to `use` while it runs. */
  lend(use: () => Promise<void>): Promise<void>;
  suspend(): Promise<void>;
  redraw(): void;
  /** Ends the interface. */
  quit(): void;
  /** Ends the interface because of an error that is not a `Failed`. */
  fail(bug: unknown): void;
};

export function effectRunner(deps: EffectDeps): (effect: Effect) => void {
  const { worker, terminal, send } = deps;
  let finds = 0;
  let lastKept: string | null = null;

  /** Starts asynchronous work; a failure becomes an action, an error message by default. */
  const start = (work: () => Promise<void>, toAction: (message: string) => Action = sayError): void => {
    work().catch((error: unknown) => {
      if (error instanceof Failed) send(toAction(sentence(error.failure)));
      else deps.fail(error);
    });
  };
  const keep = (draft: Draft): void => {
    try {
      deps.drafts.keep(draft);
      lastKept = null;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      // Drafts are saved at every key press; the same error is reported once.
      if (lastKept !== error.message) send(sayError(error.message));
      lastKept = error.message;
    }
  };
  const { run, cancelRun, index, cancelIndex, isIndexing, dryRun } = runEffects(worker, send);

  return (effect) => {
    switch (effect.do) {
      case "retrieve":
      case "refine":
        return start(() => run(effect));
      case "cancel":
        return cancelRun(effect.run);
      case "index":
        return start(index);
      case "cancel-index":
        return cancelIndex();
      case "load-home":
        start(async () => send({ is: "home-loaded", ...(await worker.run("home", null)) }));
        return start(async () => {
          const index = await worker.run("knownIndex", null);
          // Indexing in progress reports its own end.
          if (!isIndexing()) send({ is: "index-known", index });
        });
      case "resume":
        return start(async () => {
          const { taskId, task, round } = await worker.run("resume", effect.taskId);
          send({ is: "resumed", taskId, task, round, draft: deps.drafts.load(taskId) });
        });
      case "load-preview":
        return start(async () => send({ is: "preview-loaded", preview: await worker.run("preview", effect.path) }));
      case "load-outline":
        return start(async () => {
          const { path } = effect;
          send({ is: "outline-loaded", path, symbols: await worker.run("outline", path) });
        });
      case "find": {
        finds += 1;
        const own = finds;
        const { query, limit } = effect;
        return start(async () => {
          const found = await worker.run("find", { query, limit });
          if (own === finds) send({ is: "found", query, ...found });
        });
      }
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
        return start(async () => {
          let text: string | null = null;
          await deps.lend(async () => {
            text = await editText(effect.text, deps.variables);
          });
          send({ is: "edited", text });
        });
      case "edit-file": {
        const path = join(deps.root, effect.path);
        if (!path.startsWith(deps.root + sep)) return send(sayError("the file is outside the repository"));
        return start(() => deps.lend(() => editFile(path, effect.line, deps.variables)));
      }
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

const sayError = (text: string): Action => ({ is: "message", kind: "error", text });
