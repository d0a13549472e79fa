/** Stores the exact references of a SCIP index, and reads those that fit the files of the generation. */

import type { StoredMeta } from "../../db/curated/meta.ts";
import type { ExactUseStore } from "../../db/curated/write/exact-uses.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { SourceFile } from "../imports/model.ts";
import type { FileColumns } from "../model/file-list.ts";
import { cacheKey, type IndexableFile } from "../model/index-run.ts";
import type { ReferenceEdge } from "../references/resolve-references.ts";
import { exactEdges, symbolFinder } from "../scip/exact-edges.ts";
import { type ExactUse, exactUses, type IndexedFile } from "../scip/exact-uses.ts";

/** What the description of the index says of exact references afterwards. */
export function updateExact(
  store: ExactUseStore & { meta(): StoredMeta | null },
  cache: Pick<ParseCache, "facts">,
  textOf: (file: IndexableFile) => string | null,
  scip: "keep" | "forget" | Uint8Array,
  files: () => FileColumns,
): Pick<StoredMeta, "scip"> {
  if (scip === "keep") {
    const known = store.meta()?.scip;
    return known === undefined ? {} : { scip: known };
  }
  if (scip === "forget") {
    store.setExactFiles([]);
    return {};
  }
  const { find } = files();
  const fileAt = (path: string): IndexedFile | null => {
    const file = find(path);
    if (file === undefined) return null;
    const [facts, text] = [cache.facts(cacheKey(file)), textOf(file)];
    return facts === null || text === null ? null : { contentHash: file.contentHash, text, facts };
  };
  const { files: found, changed, unknown, id } = exactUses(scip, fileAt);
  store.setExactFiles(found);
  return { scip: { id, files: found.length, changed, unknown } };
}

/** Puts exact references in the place of those that the resolver found, in files whose content is the one that they are of. */
export function exactReferences(
  store: ExactUseStore,
  files: FileColumns,
  sources: readonly SourceFile[],
): (path: string, own: readonly ReferenceEdge[]) => readonly ReferenceEdge[] {
  const covered = store.exactFiles();
  if (covered.size === 0) return (_, own) => own;
  const current = new Set(files.paths.filter((path, position) => covered.get(path) === files.hashAt(position)));
  const symbolsOf = symbolFinder(sources);
  return (path, own) => {
    if (!current.has(path)) return own;
    const uses = store.exactUsesOf(path).flatMap((use) => (isKind(use.kind) ? [{ ...use, kind: use.kind }] : []));
    return exactEdges(path, uses, own, symbolsOf);
  };
}

const KINDS: ReadonlySet<string> = new Set<ExactUse["kind"]>([
  "call",
  "decorate",
  "implement",
  "inherit",
  "type",
  "use",
]);
const isKind = (kind: string): kind is ExactUse["kind"] => KINDS.has(kind);
