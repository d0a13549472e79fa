/** Stores the exact references of a SCIP index, and reads those that fit the files of the generation. */
import type { ExactUseStore } from "../../db/curated/exact-uses.ts";
import type { StoredMeta } from "../../db/curated/meta.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import type { IndexableFile } from "../model/index-run.ts";
import type { ExactSource } from "../scip/exact-edges.ts";
import { type ExactUse, exactUses, type IndexedFile } from "../scip/exact-uses.ts";

type LinkedFile = Pick<IndexableFile, "path" | "language" | "contentHash">;

/** What the description of the index says of exact references afterwards. */
export function updateExact(
  store: ExactUseStore & { meta(): StoredMeta | null },
  cache: Pick<ParseCache, "facts" | "content">,
  scip: "keep" | "forget" | Uint8Array,
  files: readonly LinkedFile[],
): Pick<StoredMeta, "scip"> {
  if (scip === "keep") {
    const known = store.meta()?.scip;
    return known === undefined ? {} : { scip: known };
  }
  if (scip === "forget") {
    store.setExactFiles([]);
    return {};
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  const fileAt = (path: string): IndexedFile | null => {
    const file = byPath.get(path);
    if (file === undefined) return null;
    const key = { hash: file.contentHash, language: file.language };
    const [facts, content] = [cache.facts(key), cache.content(key)];
    return facts === null || content === null ? null : { contentHash: file.contentHash, text: content.text, facts };
  };
  const { files: found, changed, unknown, id } = exactUses(scip, fileAt);
  store.setExactFiles(found);
  return { scip: { id, files: found.length, changed, unknown } };
}

/** The exact references of `callers` (null: of all files) whose content is still the one that they are of. */
export function exactSource(
  store: ExactUseStore,
  files: readonly LinkedFile[],
  callers: ReadonlySet<string> | null,
): ExactSource {
  const covered = store.exactFiles();
  const current = files.filter(
    ({ path, contentHash }) => covered.get(path) === contentHash && (callers === null || callers.has(path)),
  );
  return {
    paths: current.map(({ path }) => path),
    usesOf: (path) => store.exactUsesOf(path).flatMap((use) => (isKind(use.kind) ? [{ ...use, kind: use.kind }] : [])),
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
