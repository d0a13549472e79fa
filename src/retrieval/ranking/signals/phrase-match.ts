/** Whether the file repeats rare word triples or quoted messages of the task (`phrases.ts`). Reads whole texts. */

import { phraseScores, phrasesIn } from "../../lexical/phrases.ts";
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

export const phraseMatch: Signal = ({ kb, files, task }, best) => {
  const phrases = phrasesIn(task.sections);
  if (phrases === null) return new Float64Array(files.length);
  const byId = phraseScores(phrases, kb.bytesToMatch(best), files.length);
  return columnOf(files, ({ id }) => byId.get(id) ?? 0);
};
