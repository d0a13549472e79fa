/**
 * Lets the user write an entry in an editor, reopened until the entry is complete.
 *
 * What the user wrote is never lost: if it cannot be stored, it stays in a file that the error names.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../failure.ts";
import { problemWords } from "../../memory/entry.ts";
import { type Draft, draftProblem } from "../../memory/entry-draft.ts";
import { entryTemplate, readTemplate } from "../../memory/entry-template.ts";
import { shellWord } from "../../text/shell-word.ts";
import type { Context } from "../syntax/command.ts";

/** What is edited, and the command that accepts the text as a file with `--entry`. */
type Editing = { readonly draft: Draft; readonly remarks: readonly string[]; readonly command: string };

const FILE_NAME = "entry.toml";
/** Starts a line about the problem of the previous attempt. */
const MARK = "# cra: ";

/**
 * Lets the user edit, then passes the entry to `store`. Throws a usage failure for an empty text, and for an incomplete
 * one that was left unchanged or that no user is there to complete.
 */
export async function editEntry<T>(
  context: Context,
  { draft, remarks, command }: Editing,
  store: (written: Draft) => Promise<T>,
): Promise<T> {
  const first = entryTemplate(draft, remarks);
  let shown = first;
  for (;;) {
    const left = await edited(context, shown);
    const text = left
      .replaceAll("\r\n", "\n")
      .split("\n")
      .filter((line) => !line.startsWith(MARK))
      .join("\n");
    if (isBlank(text)) throw new Failed({ code: "usage", message: "the text is empty, so nothing was stored" });
    const { problem, written } = readAgain(text, draft.type);
    if (written !== null) return await keeping(text, command, () => store(written));
    if (left === first)
      throw new Failed({ code: "usage", message: `nothing was stored: the text was not changed, and ${problem}` });
    if (left === shown || !context.input.canAsk)
      return await keeping(text, command, () => {
        throw new Failed({ code: "usage", message: `nothing was stored: ${problem}` });
      });
    shown = `${MARK}${problem}\n${text}`;
  }
}

async function edited({ environment, device, signal }: Context, text: string): Promise<string> {
  const { editText } = await import("../../tui/terminal/editor.ts");
  let left = text;
  const edit = async (): Promise<void> => {
    left = await editText(text, environment.variables, FILE_NAME);
  };
  await (device === undefined ? edit() : device.lent(edit));
  signal.throwIfAborted();
  return left;
}

const isBlank = (text: string): boolean =>
  text.split("\n").every((line) => line.trim() === "" || line.trimStart().startsWith("#"));

/** The entry, or its problem with the line number that the editor will show below the remark. */
function readAgain(text: string, type: Draft["type"]): { readonly written: Draft | null; readonly problem: string } {
  const read = readTemplate(text);
  if (!read.ok) {
    const line = read.line === undefined ? "" : `line ${read.line + 1}: `;
    return { written: null, problem: `${line}${problemWords(read.problem)}` };
  }
  if (read.value.type !== type) return { written: null, problem: `type is not ${type}` };
  const problem = draftProblem(read.value);
  return { written: problem === null ? read.value : null, problem: problem === null ? "" : problemWords(problem) };
}

/** Runs `work`; if it fails, saves the text and names the file in the failure. */
async function keeping<T>(text: string, command: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const { privateFolder } = await import("../../tui/terminal/editor.ts");
    const path = join(privateFolder(), FILE_NAME);
    writeFileSync(path, text, { mode: 0o600 });
    const message = `${error.message}; what you wrote was saved`;
    throw new Failed(
      { code: "usage", message, next: `correct it, then run: ${command} --entry ${shellWord(path)}` },
      { cause: error },
    );
  }
}
