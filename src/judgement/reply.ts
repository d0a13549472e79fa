/**
 * The schema of an answer: it is sent to the server, and it validates the reply.
 *
 * It is lenient about entries and strict as a whole: entries with unknown ids or classes, repeated ids and unknown keys
 * are dropped, reasons are shortened. An answer without a valid entry is invalid.
 */
import { z } from "zod";
import { PROPOSED_CHARS_MAX, PROPOSED_MAX } from "./judge.ts";
import { shorten } from "./shorten.ts";

/** Longer reasons cost time and do not fit a line. */
export const REASON_CHARS_MAX = 120;

type Reply<Class extends string> = {
  readonly verdicts: readonly { readonly id: string; readonly class: Class; readonly reason?: string | undefined }[];
  readonly words?: readonly string[] | undefined;
};

/** The schema of an answer about these ids, at least one, and of proposed words. Use `io: "input"` for JSON Schema. */
export function replySchema<Class extends string>(
  ids: readonly string[],
  classes: readonly [Class, ...Class[]],
  takesWords = false,
): z.ZodType<Reply<Class>> {
  const entry = z.object({
    id: z.enum(ids),
    class: z.enum(classes),
    reason: z.string().max(REASON_CHARS_MAX).optional(),
  });
  const usable = usableEntries(new Set(ids), new Set(classes));
  const words = z.preprocess(usableWords, z.array(z.string().max(PROPOSED_CHARS_MAX)).max(PROPOSED_MAX));
  const sorted = z.object({ verdicts: z.preprocess(usable, z.array(entry).min(1).max(ids.length)) });
  return takesWords ? sorted.extend({ words: words.optional() }) : sorted;
}

/** Single words of letters, digits and underscores; whatever else is there is dropped, so it never fails an answer. */
const usableWords = (value: unknown): readonly string[] =>
  [
    ...new Set(
      (Array.isArray(value) ? value : []).filter((word): word is string => typeof word === "string" && WORD.test(word)),
    ),
  ].slice(0, PROPOSED_MAX);

const WORD = /^(?=.*\p{L})[\p{L}\p{M}\p{N}_]{2,40}$/u;

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
