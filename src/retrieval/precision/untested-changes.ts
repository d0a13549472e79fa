/** Notices that no test reaches what a review changes, where the index would know of one. */
import { roleOf } from "../../languages/file-role.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import type { Notice } from "../../notice.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import type { StageInput } from "../model/stage.ts";
import { testsInSources } from "../scope/tests-in-sources.ts";

/** Of a change of definitions of sources alone, in a repository with tests. `placed` are the symbols with the tests of callers. */
export function untestedChanges(
  { kb, selection: { seeds, files }, remaining = [] }: Pick<StageInput, "kb" | "selection" | "remaining">,
  placed: readonly PlacedSymbol[],
): readonly Notice[] {
  const byId = new Map(files.map(({ file }) => [file.id, file]));
  const changed = seeds.flatMap((seed) => (seed.changed === undefined ? [] : (byId.get(seed.fileId) ?? [])));
  const sources = changed.filter((file) => roleOf(file) === "source");
  const isLinked = ({ language }: { readonly language: string }): boolean =>
    LANGUAGES.get(language)?.imports !== undefined;
  const hasDefinitions = seeds.some(({ changed: own = [] }) => own.length > 0);
  if (!hasDefinitions || sources.length === 0 || !sources.every(isLinked)) return [];
  // A first answer knows of few uses.
  if (kb.meta().provisional !== undefined || changed.some(({ isTest }) => isTest)) return [];
  if (placed.some(({ isCaller, symbol }) => isCaller && byId.get(symbol.fileId)?.isTest)) return [];
  // A test of what was removed or renamed.
  const tests = new Set(files.flatMap(({ file }) => (file.isTest ? [file.path] : [])));
  if (remaining.some(({ path }) => tests.has(path))) return [];
  if (testsInSources(kb, kb.symbolsIn(sources.map(({ id }) => id))).size > 0) return [];
  const isTested = kb.testsOf(sources.map(({ id }) => id)).length > 0 || !kb.files().some(({ isTest }) => isTest);
  return isTested ? [] : [{ code: "changes-untested", files: sources.length }];
}
