/** Builds the notice that a package hides secrets: their number and kinds in each file, from the markers in the shown text. */
import type { Notice } from "../../notice.ts";
import { markedKinds } from "../../secrets/redactor.ts";
import type { FileJson } from "../model/package-schema.ts";

/** The notice names this many places and sums up the rest. */
const PLACES_MAX = 20;

/** At most one notice. `task` and `diff` are the texts as shown. */
export function redactions(task: string, files: readonly FileJson[], diff = ""): readonly Notice[] {
  const hidden = [
    { where: "the task", found: markedKinds(task) },
    { where: "the diff", found: markedKinds(diff) },
    ...files.map((file) => ({ where: file.path, found: kindsIn(file) })),
  ].filter(({ found }) => found.length > 0);
  if (hidden.length === 0) return [];
  const places = hidden.map(({ where, found }) => ({ where, count: found.length, kinds: [...new Set(found)].sort() }));
  const rest = places.slice(PLACES_MAX);
  if (rest.length === 0) return [{ code: "secrets-redacted", places }];
  const others = {
    where: `${rest.length} more files`,
    count: rest.reduce((sum, { count }) => sum + count, 0),
    kinds: [...new Set(rest.flatMap(({ kinds }) => kinds))].sort(),
  };
  return [{ code: "secrets-redacted", places: [...places.slice(0, PLACES_MAX), others] }];
}

/** Reasons and assertions repeat code, so their secrets count only if the code shows none. */
function kindsIn({ symbols, snippets, rationale_comments, test_assertions }: FileJson): readonly string[] {
  const code = [
    ...symbols.map(({ body, signature, docstring }) => body ?? `${signature}\n${docstring ?? ""}`),
    ...snippets.map(({ text }) => text),
  ].flatMap(markedKinds);
  if (code.length > 0) return code;
  return [...rationale_comments, ...(test_assertions ?? [])].flatMap(markedKinds);
}
