/**
 * Says what a package hides: how many secrets of which kinds, file by file, and never anything of them.
 *
 * Told by the markers in what is shown, so what no reader sees counts for nothing. Not here: hiding (`secrets/`).
 */
import type { Notice } from "../../failure.ts";
import { markedKinds } from "../../secrets/redactor.ts";
import type { FileJson } from "../model/package-schema.ts";

/** Places that the notice names. */
const PLACES_MAX = 20;

/** At most one notice. `task` is the task as it is shown. */
export function redactions(task: string, files: readonly FileJson[]): readonly Notice[] {
  const hidden = [
    { where: "the task", found: markedKinds(task) },
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

/** A secret in a body is in its signature or its reasons too, so those count only where no code shows it. */
function kindsIn({ symbols, snippets, rationale_comments, test_assertions }: FileJson): readonly string[] {
  const code = [
    ...symbols.map(({ body, signature, docstring }) => body ?? `${signature}\n${docstring ?? ""}`),
    ...snippets.map(({ text }) => text),
  ].flatMap(markedKinds);
  if (code.length > 0) return code;
  return [...rationale_comments, ...(test_assertions ?? [])].flatMap(markedKinds);
}
