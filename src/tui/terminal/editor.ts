/**
 * Opens the user's own editor in the lent terminal.
 *
 * A text is edited as a copy in a private folder, which is removed afterwards, unless the text is too long to be used.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { Failed } from "../../failure.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";

/** The maximum size of a task. */
const BYTES_MAX = 1024 * 1024;

/** Editors with the option `+12` for a line. */
const TAKES_LINE: ReadonlySet<string> = new Set(
  "vi vim nvim view nano emacs emacsclient micro kak joe ne mg jed pico".split(" "),
);

export const editorOf = ({ VISUAL, EDITOR }: Variables): string => VISUAL?.trim() || EDITOR?.trim() || "vi";

/**
 * The edited text. The extension of `name` tells the editor the kind of text. Throws an input/output failure if there is no
 * editor, or it fails.
 */
export async function editText(text: string, variables: Variables, name = "task.md"): Promise<string> {
  const folder = privateFolder();
  let isKept = false;
  try {
    const path = join(folder, name);
    writePrivate(path, text);
    await run(path, null, variables);
    isKept = statSync(path).size > BYTES_MAX;
    if (isKept)
      throw new Failed({
        code: "io",
        message: `the text is longer than ${BYTES_MAX} bytes; what you wrote was saved`,
        where: path,
        next: "shorten it there",
      });
    return readFileSync(path, "utf8");
  } catch (error) {
    throw error instanceof Failed ? error : failed(systemErrorWords(error), error);
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  }
}

/** A new folder that only this user can read. Throws an input/output failure that names TMPDIR. */
export const privateFolder = (): string => inTmpdir(() => mkdtempSync(join(tmpdir(), "cra-")));

const writePrivate = (path: string, text: string): void => inTmpdir(() => writeFileSync(path, text, { mode: 0o600 }));

function inTmpdir<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    const next = "set TMPDIR to a folder that you can write";
    throw new Failed({ code: "io", message: systemErrorWords(error), where: tmpdir(), next }, { cause: error });
  }
}

/** Opens a file, at a line if the editor supports that. `path` is absolute. */
export const editFile = (path: string, line: number, variables: Variables): Promise<void> => run(path, line, variables);

async function run(path: string, line: number | null, variables: Variables): Promise<void> {
  const editor = editorOf(variables);
  const name = basename(editor.split(/\s/)[0] ?? "");
  const words = line !== null && TAKES_LINE.has(name) ? [`+${line}`, path] : [path];
  // The variable can contain options and is parsed like a shell does, as in git.
  const code = await exitOf(["sh", "-c", `${editor} "$@"`, editor, ...words], variables);
  if (code !== 0) throw failed(code === 126 || code === 127 ? "cannot be started" : `exited with code ${code}`);
}

/** The exit code of a program on this terminal; 127 if there is none of that name, as a shell says. */
async function exitOf(command: readonly string[], variables: Variables): Promise<number> {
  const streams = { stdin: "inherit", stdout: "inherit", stderr: "inherit" } as const;
  try {
    return await Bun.spawn([...command], { env: { ...variables }, ...streams }).exited;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return 127;
    throw error;
  }
}

const failed = (message: string, cause?: unknown): Failed =>
  new Failed({ code: "io", message, where: "the editor", next: "set EDITOR to another editor" }, { cause });
