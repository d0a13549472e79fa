/**
 * Reports a bug: one line for the user, and the stack in a file in the user's state folder.
 *
 * The file is named by a hash of its content, so one bug makes one file. `CRA_DEBUG=1` prints the stack instead.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { sentence } from "../../failure.ts";
import { display, displayLines } from "../../text/display.ts";

/** No useful stack is longer. */
const CHARS_MAX = 100_000;

/** Records the bug and returns the text for stderr, ending in a newline. Never throws. */
export function recordBug(thrown: unknown, variables: Variables): string {
  const line = (where: string) =>
    `cra: ${display(sentence({ code: "internal", message: `${firstLine(thrown)}${where}` }))}\n`;
  const stack = stackOf(thrown).slice(0, CHARS_MAX);
  if (variables.CRA_DEBUG === "1") return `${line("")}${displayLines(stack)}\n`;
  const path = write(stack, variables);
  return line(path === null ? "" : ` (details in ${path})`);
}

function firstLine(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return (text.split("\n")[0] ?? "").slice(0, 300);
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause =
    thrown.cause === undefined
      ? ""
      : `\ncaused by: ${thrown.cause instanceof Error ? thrown.cause.stack : String(thrown.cause)}`;
  return `${thrown.stack ?? thrown.message}${cause}`;
}

function write(stack: string, variables: Variables): string | null {
  const { XDG_STATE_HOME: state, HOME: home } = variables;
  const base = state?.startsWith("/") ? state : home ? join(home, ".local", "state") : null;
  if (base === null) return null;
  const folder = join(base, "cra", "log");
  const path = join(folder, `bug-${createHash("sha256").update(stack).digest("hex").slice(0, 12)}.txt`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${stack}\n`, { mode: 0o600 });
    return path;
  } catch {
    return null; // The line on stderr has to be enough.
  }
}
