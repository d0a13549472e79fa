/** Links a generation whose rows are written: only what its changes can have changed, where that follows from names. */

import type { CuratedWriter, StoredFile } from "../../../db/curated/write/write.ts";
import type { ParseCache } from "../../../db/parse-cache/parse-cache.ts";
import type { ReferenceFact } from "../../../syntax/facts/facts.ts";
import { nameOf } from "../../../text/repo-path.ts";
import { resolvesAlike } from "../../imports/ecmascript/workspaces.ts";
import { isSoughtConfig } from "../../imports/sought-config.ts";
import type { FileChange } from "../../links/affected-files.ts";
import { type LinkInput, linkFiles } from "../../links/link-files.ts";
import { type LinkInbox, linksElsewhere } from "../../links/links-elsewhere.ts";
import { cacheKey, type ReportProgress } from "../../model/index-run.ts";
import type { Written } from "./written-files.ts";

/** The facts that a generation is made of. */
export type GenerationFacts = Pick<ParseCache, "facts" | "outline" | "uses">;

/** What of a generation decides which files are linked (`GenerationRequest`). */
type Asked = {
  readonly sameVersions: boolean;
  readonly scip: "keep" | "forget" | Uint8Array;
  readonly isRepeated: boolean;
  readonly isPartial: boolean;
};

/** The files of a generation in path order, and the ids of their rows. */
export type GenerationFiles = Pick<LinkInput, "files" | "ids">;

/** `all`: the files of the generation. `left`: removed files. `hasExact`: there are exact references, which are of one content. */
type WrittenState = Pick<LinkInput, "textOf"> & {
  readonly all: () => GenerationFiles;
  readonly configBefore: ReadonlyMap<string, string | null>;
  readonly changed: readonly Written[];
  readonly left: readonly Pick<StoredFile, "path" | "language" | "contentHash">[];
  readonly hasExact: boolean;
  /** The number of files that were due, and what another thread links of these. */
  readonly due: number;
  readonly links: LinkInbox | null;
};

/** Links what the written and removed files can have changed. Returns the files whose cached facts are unreadable. */
export function linkWritten(
  writer: CuratedWriter,
  cache: GenerationFacts,
  { sameVersions, scip, isRepeated, isPartial }: Asked,
  { all, textOf, configBefore, changed, left, hasExact, due, links }: WrittenState,
  report: ReportProgress,
): readonly string[] {
  const configNames = writer.configNames();
  const isConfig = (path: string): boolean => configNames?.includes(nameOf(path)) === true || isSoughtConfig(path);
  const isAlike = (file: Written): boolean => {
    const [before, after] = [configBefore.get(file.path) ?? null, writer.textOf(file.id)];
    return before !== null && after !== null && resolvesAlike(file.path, before, after);
  };
  const isFollowed =
    sameVersions &&
    scip === "keep" &&
    !isRepeated &&
    configNames !== null &&
    !left.some(({ path }) => isConfig(path)) &&
    !changed.some((file) => isConfig(file.path) && !isAlike(file));
  const changes = isFollowed ? changesOf(cache, changed, left) : null;
  const same = isFollowed && !hasExact ? withSameUses(cache, changed) : new Set();
  const withSameInterface = changed.flatMap(({ path, looksSame }) => (looksSame && !same.has(path) ? path : []));
  if (changes?.length === 0 && withSameInterface.length === 0) return [];
  const parsed = isPartial ? new Set(changed.map(({ path }) => path)) : null;
  // Another thread links all files or none.
  const elsewhere =
    links !== null && !hasExact && due === all().files.length ? linksElsewhere(links, all().files.paths) : null;
  const input = { ...all(), textOf, changes, withSameInterface, parsed, elsewhere };
  return linkFiles(writer, cache, input, report);
}

/** The written files with the same links as before: other files see the same of them, and they use the same names in the same order. */
function withSameUses(cache: GenerationFacts, written: readonly Written[]): ReadonlySet<string> {
  return new Set(
    written.flatMap((file) => {
      const { before: old } = file;
      if (!file.looksSame || old?.language !== file.language) return [];
      const [were, are] = [cache.uses(cacheKey(old)), cache.uses(cacheKey(file))];
      return were !== null && are !== null && namesUsed(were) === namesUsed(are) ? file.path : [];
    }),
  );
}

/** Resolving goes by no lines but those of bases, which belong to the interface. */
const namesUsed = (uses: readonly ReferenceFact[]): string =>
  JSON.stringify(uses.map(({ name, qualifier, kind, symbol }) => [name, qualifier, kind, symbol]));

/** What other files see of the written and removed files. Unreadable facts count as unknown. */
function changesOf(
  cache: GenerationFacts,
  written: readonly Written[],
  removed: readonly Pick<StoredFile, "path" | "language" | "contentHash">[],
): readonly FileChange[] {
  const changed = written.filter(({ looksSame }) => !looksSame);
  return [
    ...changed.map((file): FileChange => {
      const { path, language, before: old } = file;
      if (old === null) return { path, language, kind: "added", before: null, after: cache.facts(cacheKey(file)) };
      const [was, is] = [cache.facts(cacheKey(old)), cache.facts(cacheKey(file))];
      return { path, language, kind: "changed", before: was, after: is };
    }),
    ...removed.map((file): FileChange => {
      const { path, language } = file;
      return { path, language, kind: "removed", before: cache.facts(cacheKey(file)), after: null };
    }),
  ];
}
