/**
 * Shows a long text in the user's pager, as git does: `$PAGER`, else `less`.
 *
 * Only where a user is there to page, and only what does not fit on the screen. An empty `$PAGER`, or `cat`, turns it off.
 */
import type { Variables } from "../../config/variables.ts";
import { findProgram } from "../../source/git/find-program.ts";
import type { Context } from "../syntax/command.ts";

/** Quit if it fits, keep colours, leave the text on the screen: git's own choice. */
const LESS = "FRX";
/** What a shell exits with if there is no such program, or it cannot be run. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/** Shows a text that is safe for a terminal; false if it fits without, or no pager could be started. */
export function inPager(
  { device, environment, input }: Pick<Context, "device" | "environment" | "input">,
  root: string,
): (text: string) => Promise<boolean> {
  return async (text) => {
    const { variables } = environment;
    if (device === undefined || !input.canAsk || variables.TERM === "dumb" || fits(text, device.screen)) return false;
    const command = pagerOf(variables, root);
    if (command === null) return false;
    let isShown = false;
    await device.lent(async () => {
      isShown = await pages([...command], text, variables);
    });
    return isShown;
  };
}

function fits(text: string, { rows, columns }: { readonly rows: number; readonly columns: number }): boolean {
  const lines = text.split("\n").map((line) => Math.max(1, Math.ceil(line.length / Math.max(1, columns))));
  return lines.reduce((sum, count) => sum + count, 0) < rows;
}

/** The variable may hold options, and a shell reads it, as git has it; `less` is never one from the repository. */
function pagerOf(variables: Variables, root: string): readonly string[] | null {
  const chosen = variables.PAGER?.trim();
  if (chosen === "" || chosen === "cat") return null;
  if (chosen !== undefined) return ["sh", "-c", chosen];
  const less = findProgram("less", variables, root);
  return less === null ? null : [less];
}

async function pages(command: string[], text: string, variables: Variables): Promise<boolean> {
  try {
    const child = Bun.spawn(command, {
      env: { ...variables, LESS: variables.LESS ?? LESS },
      stdin: Buffer.from(text),
      stdout: "inherit",
      stderr: "inherit",
    });
    return !NOT_RUN.has(await child.exited);
  } catch {
    // It exists but cannot be run, so the text is printed.
    return false;
  }
}
