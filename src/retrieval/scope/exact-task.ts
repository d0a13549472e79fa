/**
 * How exactly a short task says what it is about. An exact task needs what it names and what that is tied to, and little
 * that only shares words with it.
 */
import type { TaskQuery } from "../../task/query.ts";
import { isShort } from "../../task/searched-task.ts";
import type { Seed } from "../model/selection.ts";

/** More named symbols are a list to search in. */
const SYMBOLS_MAX = 5;

/** From "fix X" over "fix X in x.py" to "fix X in src/x.py". */
export type Exactness = "symbol" | "file" | "path";

/** `symbols` are the ids of what the task names. */
type ExactTask = { readonly exactness: Exactness; readonly symbols: ReadonlySet<number> };

/** Null for a task that is longer, or that names no symbol or too many. */
export function exactTask(
  task: Pick<TaskQuery, "sections" | "frames" | "fileHints" | "given">,
  seeds: readonly Seed[],
): ExactTask | null {
  if (!isShort(task)) return null;
  const named = seeds.filter(({ first, symbols }) => first !== undefined && symbols.length > 0);
  const symbols = new Set(named.flatMap((seed) => seed.symbols));
  if (symbols.size === 0 || symbols.size > SYMBOLS_MAX) return null;
  const paths = [...task.given.paths, ...task.fileHints.map(({ text }) => text)];
  const isFileNamed = named.some(({ first }) => first === "file");
  const exactness = !isFileNamed ? "symbol" : paths.some((path) => path.includes("/")) ? "path" : "file";
  return { exactness, symbols };
}
