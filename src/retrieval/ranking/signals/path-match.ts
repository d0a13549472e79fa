/**
 * How well the path's components match a keyword of the task: 1 for a whole folder or file name (with or without
 * extension), .5 for a word of one, .25 for a longer part of one.
 */

import { expandIdentifier, identifiersIn } from "../../../text/terms/identifiers.ts";
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

const WHOLE = 1;
const WORD = 0.5;
const PART = 0.25;
/** Shorter parts of names match by chance. */
const PART_LENGTH_MIN = 4;

export const pathMatch: Signal = ({ files, task }) => {
  const keywords = new Set(task.keywords);
  const long = [...keywords].filter((keyword) => keyword.length >= PART_LENGTH_MIN);
  return columnOf(files, ({ path }) => {
    const lower = path.toLowerCase();
    const components = lower.split("/").flatMap((part) => [part, part.split(".")[0] ?? part]);
    if (components.some((part) => keywords.has(part))) return WHOLE;
    if (identifiersIn(path).some((name) => expandIdentifier(name).some((term) => keywords.has(term)))) return WORD;
    return long.some((keyword) => lower.includes(keyword)) ? PART : 0;
  });
};
