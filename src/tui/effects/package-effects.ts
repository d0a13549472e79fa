/** Effects that take the package away: saving it, copying it, and remembering the task as an experience. */
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import { Failed } from "../../failure.ts";
import type { Format } from "../../retrieval/render/formats.ts";
import type { Action } from "../state/actions.ts";
import type { Effect } from "../state/effects.ts";
import { clipboardSequence } from "../terminal/clipboard.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { WorkerClient } from "../worker/worker-client.ts";

export type PackageDeps = {
  readonly worker: WorkerClient;
  readonly terminal: Pick<Terminal, "write">;
  /** The folder that typed paths are relative to, absolute. */
  readonly cwd: string;
  send(action: Action): void;
  /** Whether writing would replace a file, also through a link. Throws a `Failed` if the path cannot be written. */
  isTaken(path: string): boolean;
  /** Whether a written file is in the repository and git does not track it. */
  isUntracked(path: string): boolean;
  /** Writes atomically. Throws a `Failed`. */
  writeFile(path: string, text: string, how: { readonly force: boolean }): void;
};

/** Sends the text to the clipboard; `what` names it in the message. */
export function copyText({ terminal, send }: PackageDeps, text: string, what: string): void {
  const sequence = clipboardSequence(text);
  if (sequence === null) {
    send({ is: "copy-too-long", what });
    return;
  }
  terminal.write(sequence);
  send({ is: "message", kind: "done", text: `${what}: sent to the terminal's clipboard` });
}

export async function copyPackage(deps: PackageDeps, format: Format, what: string): Promise<void> {
  copyText(deps, await rendered(deps, format), what);
}

export async function savePackage(deps: PackageDeps, effect: Extract<Effect, { do: "save" }>): Promise<void> {
  const { format, path: typed, overwrite } = effect;
  const path = pathFrom(typed, deps.cwd);
  const text = await rendered(deps, format);
  // Checked and written without a pause, so that nothing can come between.
  if (!overwrite && deps.isTaken(path)) return deps.send({ is: "save-exists", path });
  deps.writeFile(path, text, { force: overwrite });
  deps.send({ is: "saved", path, bytes: Buffer.byteLength(text), untracked: deps.isUntracked(path) });
}

export async function rememberTask(
  { worker, send }: PackageDeps,
  { taskId, hypothesis, unapplied }: Extract<Effect, { do: "remember-task" }>,
): Promise<void> {
  const { id, status } = await worker.run("rememberTask", { taskId, hypothesis });
  const warning = unapplied === null ? "" : ` (${unapplied})`;
  send({ is: "message", kind: "done", text: `${REMEMBERED[status]} ${id}${warning}` });
}

const REMEMBERED = {
  added: "Remembered as",
  replaced: "Updated",
  unchanged: "Already remembered as",
} as const;

async function rendered({ worker }: PackageDeps, format: Format): Promise<string> {
  const text = await worker.run("render", format);
  if (text === null) throw new Failed({ code: "usage", message: "no round has finished yet" });
  return text;
}

/** A typed path relative to the working folder; `~` is the home folder. Throws a usage failure where there is none. */
const pathFrom = (typed: string, cwd: string): string =>
  resolve(cwd, typed === "~" || typed.startsWith(`~${sep}`) ? join(home(), typed.slice(1)) : typed);

function home(): string {
  try {
    return homedir();
  } catch (error) {
    // Without HOME the system is asked, which need not know this user.
    const message = "~ means nothing here, because HOME is not set";
    throw new Failed({ code: "usage", message, next: "type the whole path" }, { cause: error });
  }
}
