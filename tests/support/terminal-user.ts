/**
 * Uses the terminal interface of the compiled binary by named actions, whose keys come from the key table, and compares
 * screens with golden files.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CommandName, type Context, footerLabel, footerOf, keysOf } from "../../src/tui/keys/bindings.ts";
import { binary } from "./binary.ts";
import { FOR_BRIEF_RUNS } from "./run-cra.ts";
import { pressOf } from "./terminal-presses.ts";
import { openTerminal, type TerminalOptions, type TerminalSession } from "./terminal-session.ts";

/** The fastest tokenizer to start, for tests that do not depend on token counts of a model. */
export const ENVIRONMENT = { CRA_TOKENIZER: "approximate", CRA_INDEX_WORKERS: "1" } as const;

export type User = TerminalSession & {
  /** Performs actions of one context and sends all their keys in one burst. */
  press(context: Context, ...actions: readonly CommandName[]): void;
  /** Waits until the screen equals the golden file, except for times; `UPDATE_GOLDEN=1` rewrites the file. */
  sees(name: string): Promise<void>;
};

export async function openTui(
  args: readonly string[],
  { env = {}, ...options }: Omit<TerminalOptions, "command">,
): Promise<User> {
  const session = openTerminal({
    ...options,
    command: [await binary(), "tui", ...args],
    env: { ...FOR_BRIEF_RUNS, ...ENVIRONMENT, ...env },
  });
  return Object.assign(session, {
    press: (context: Context, ...actions: readonly CommandName[]) => session.type(bytesOf(context, ...actions)),
    sees: (name: string) => sees(session, name),
  });
}

/** The bytes of the keys of these actions in a context. */
export const bytesOf = (context: Context, ...actions: readonly CommandName[]): string =>
  actions
    .map((action) => {
      const [key] = keysOf(action, context);
      if (key === undefined) throw new Error(`${action} has no key in ${context}`);
      return pressOf(key);
    })
    .join("");

/** Whether a context has the keyboard focus, according to the first keys of the footer. */
export const at =
  (context: Context) =>
  (text: string): boolean => {
    const footer = text.split("\n").slice(-2).join(" ");
    return footerOf(context)
      .slice(0, 2)
      .every((action) => footer.includes(footerLabel(action, context)));
  };

const GOLDEN = join(import.meta.dir, "../golden/tui");

async function sees(session: TerminalSession, name: string): Promise<void> {
  const path = join(GOLDEN, `e2e-${name}.txt`);
  if (process.env.UPDATE_GOLDEN === "1" || !existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    await session.until(isAnswered);
    writeFileSync(path, `${timeless(await session.still(600))}\n`);
    return;
  }
  const golden = readFileSync(path, "utf8").trimEnd();
  try {
    await session.until((text) => timeless(text) === golden);
  } catch {
    throw new Error(
      `the screen is not ${path}; look at both, then: UPDATE_GOLDEN=1 bun test\n${difference(golden, timeless(session.text()))}`,
    );
  }
}

/**
 * Normalises a screen: `#` for every time, fixed letters for temporary folders, and on lines with a time a single blank
 * for each run of blanks because columns shift.
 */
export const timeless = (screen: string): string =>
  screen
    .replaceAll(join(tmpdir(), "cra-"), "/tmp/cra-")
    .replaceAll(/\bcra-(repo|home|folder)-\w{6}\b/g, "cra-$1-XXXXXX")
    .split("\n")
    .map((line) => {
      const without = line.replaceAll(TIME, "#");
      return without === line ? line : without.replaceAll(/ {2,}/g, " ");
    })
    .join("\n");
const TIME = /\b\d+(?:\.\d+)?(?= ?(?:ms|s|min|h|d)\b)|\b\d+:\d\d\b/g;

/** Whether the status line shows no pending work. */
export const isAnswered = (screen: string): boolean => !/next (?:round )?…/.test(screen);

/** The lines that differ, each expected and actual. */
function difference(wanted: string, seen: string): string {
  const [left, right] = [wanted.split("\n"), seen.split("\n")];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [left[at] ?? "", right[at] ?? ""])
    .flatMap(([was, is]) => (was === is ? [`  ${is}`] : [`- ${was}`, `+ ${is}`]))
    .join("\n");
}
