/**
 * How well the name of a symbol in the file matches a keyword or symbol of the task: 1 for the exact name, .5 for a part of
 * it as written, .3 for one of its words in any case (`auth` in `AuthHandler`).
 */

import { expandIdentifier, NAME_SEPARATOR } from "../../../text/terms/identifiers.ts";
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

const EXACT = 1;
const PART = 0.5;
const WORD = 0.3;
/** Shorter parts of names match by chance. */
const PART_LENGTH_MIN = 3;

export const symbolMatch: Signal = ({ kb, files, task }) => {
  const hints = [...task.given.symbols, ...task.symbolHints.map(({ text }) => text)];
  const names = new Set(hints.map((hint) => hint.split(NAME_SEPARATOR).at(-1) ?? hint));
  const keywords = new Set(task.keywords);
  const parts = [...keywords].filter((keyword) => keyword.length >= PART_LENGTH_MIN);
  const held = new Map<string, boolean>();
  const holdsWord = (name: string): boolean =>
    held.getOrInsertComputed(name, () => expandIdentifier(name).some((term) => keywords.has(term)));
  /** The grade of a name, or `least` if it is no better. Splitting names takes longest. */
  const gradeOf = (name: string, least: number): number => {
    if (names.has(name) || keywords.has(name.toLowerCase())) return EXACT;
    if (least < PART && parts.some((part) => name.includes(part))) return PART;
    return least < WORD && holdsWord(name) ? WORD : least;
  };
  const best = new Map<number, number>();
  for (const { fileId, name } of kb.definitionsIn(files.map(({ id }) => id))) {
    const least = best.get(fileId) ?? 0;
    if (least < EXACT) best.set(fileId, gradeOf(name, least));
  }
  return columnOf(files, ({ id }) => best.get(id) ?? 0);
};
