/**
 * The answer to a question: one schema that is sent to the server and that validates what comes.
 *
 * It is lenient by the entry and strict as a whole: entries of ids or classes that were not given are dropped, of two
 * for one id the first holds, keys that nobody asked for are dropped, reasons are cut and made safe. When no entry is
 * left, the answer is invalid. So a value that passed names nothing that was not asked about.
 */
import { z } from "zod";
import { shorten } from "./one-line.ts";

/** Longer reasons cost time (a model writes them token by token) and do not fit a line. */
export const REASON_CHARS_MAX = 120;

/** The schema of an answer about these ids, which are at least one. Use it with `io: "input"` for JSON Schema. */
export function replySchema<Class extends string>(ids: readonly string[], classes: readonly [Class, ...Class[]]) {
  const entry = z.object({
    id: z.enum(ids),
    class: z.enum(classes),
    reason: z.string().max(REASON_CHARS_MAX).optional(),
  });
  const usable = usableEntries(new Set(ids), new Set(classes));
  return z.object({ verdicts: z.preprocess(usable, z.array(entry).min(1).max(ids.length)) });
}

const Loose = z.object({ id: z.string(), class: z.string(), reason: z.unknown().optional() });

/** Keeps what is no list as it is: the schema says what is wrong with it. */
function usableEntries(ids: ReadonlySet<string>, classes: ReadonlySet<string>): (value: unknown) => unknown {
  return (value) => {
    if (!Array.isArray(value)) return value;
    const byId = new Map<string, unknown>();
    for (const element of value) {
      const entry = Loose.safeParse(element);
      if (!entry.success || !ids.has(entry.data.id) || !classes.has(entry.data.class) || byId.has(entry.data.id))
        continue;
      const { id, class: verdict, reason } = entry.data;
      const said = typeof reason === "string" ? shorten(reason, REASON_CHARS_MAX) : "";
      byId.set(id, said === "" ? { id, class: verdict } : { id, class: verdict, reason: said });
    }
    return [...byId.values()];
  };
}
