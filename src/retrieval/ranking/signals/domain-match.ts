/** Whether a concept of the task is the file's domain or module (1), or a word of one (.5). Needs enrichment. */

import { termsIn } from "../../../text/terms/identifiers.ts";
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

const WHOLE = 1;
const WORD = 0.5;

export const domainMatch: Signal = ({ kb, files, task }) => {
  const rows = kb.fileMetadata().filter(({ domain, module }) => domain !== null || module !== null);
  if (rows.length === 0) return null;
  const concepts = new Set(task.concepts.map((concept) => concept.toLowerCase()));
  const values = new Map<number, number>();
  for (const { fileId, domain, module } of rows) {
    const names = [domain, module].filter((name) => name !== null).map((name) => name.toLowerCase());
    const whole = names.some((name) => concepts.has(name));
    const word = names.some((name) => termsIn(name).some((term) => concepts.has(term)));
    values.set(fileId, whole ? WHOLE : word ? WORD : 0);
  }
  return columnOf(files, ({ id }) => values.get(id) ?? 0);
};
