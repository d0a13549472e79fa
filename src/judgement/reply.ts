/**
 * The schema of an answer: it is sent to the server, and it validates the reply.
 *
 * It is lenient about entries and strict as a whole: entries with unknown ids or classes, repeated ids and unknown keys
 * are dropped, reasons are shortened. An answer without a valid entry is invalid.
 */
import { z } from "zod";
import { shorten } from "./shorten.ts";

/** Longer reasons cost time and do not fit a line. */
export const REASON_CHARS_MAX = 120;

/** The schema of an answer about these ids, at least one. Use `io: "input"` for JSON Schema. */
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

/** Returns a value that is no list unchanged, so that the schema reports it. */
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
