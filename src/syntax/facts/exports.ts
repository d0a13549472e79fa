/**
 * What a file exports, from the export captures of its import queries.
 *
 * A definition is exported either by the place of its name (`export function f`), or by a name in a list
 * (`export { f }`, `module.exports = { f }`, `__all__`).
 *
 * Captures of a pattern: @export is the name, @export.as the name that other files see. Settings: `#set! name` is the name of what has
 * none, and `#set! as` stands in place of @export.as.
 */
import { type Match, unquoted } from "../query/match.ts";
import type { ImportFact } from "./facts.ts";
import { type SourceText, textOf } from "./source-text.ts";

/** `as` maps exported names to local ones where they differ, and where the local one is an import that the file passes on. */
export type Exports = {
  readonly places: ReadonlySet<number>;
  readonly names: ReadonlySet<string>;
  readonly as: ReadonlyMap<string, string>;
};

export function findExports(
  source: SourceText,
  matches: readonly Match[],
  imports: readonly Pick<ImportFact, "names">[],
): Exports {
  const imported = new Set(imports.flatMap((fact) => fact.names.flatMap(({ alias }) => alias ?? [])));
  // Where everything is visible, imports are passed on in any case.
  const passesOn = (local: string): boolean => !source.style.public && imported.has(local);
  const places = new Set<number>();
  const names = new Set<string>();
  const as = new Map<string, string>();
  for (const { captures, settings } of matches) {
    const exported = captures.get("export");
    if (exported === undefined) continue;
    places.add(exported.start);
    const nameless = settings.get("name");
    if (nameless === undefined && exported.end - exported.start > NAME_CHARS_MAX) continue;
    const local = nameless ?? unquoted(textOf(source, exported));
    names.add(local);
    const alias = captures.get("export.as");
    const outside = settings.get("as") ?? (alias === undefined ? local : unquoted(textOf(source, alias)));
    if (outside !== local || passesOn(local)) as.set(outside, local);
  }
  return { places, names, as };
}

/** Longer texts are expressions, not names. */
const NAME_CHARS_MAX = 200;
