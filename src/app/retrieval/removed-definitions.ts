/**
 * Finds the definitions that the changes under review remove, by comparing the files as they were with the index.
 *
 * A file that only gained lines, or whose deleted words all stand in added lines too, removes nothing and is not looked at.
 */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { FactCache } from "../../db/parse-cache/parse-cache.ts";
import { familyOf } from "../../indexing/imports/model.ts";
import { fileRole } from "../../languages/file-role.ts";
import { languageOf } from "../../languages/languages.ts";
import type { FileChange } from "../../source/revisions/work-tree-diff.ts";
import type { FileFacts, ImportFact } from "../../syntax/facts/facts.ts";
import { parseHere } from "../../syntax/parse/parse-here.ts";
import { inOrder } from "../../text/order.ts";

/** `removed` are indices into the symbols of `facts`, the facts of the file as it was. */
export type Removal = {
  /** As it was. */
  readonly path: string;
  /** What became of the file. `renamed` is its path now. */
  readonly file: { readonly kind: "kept" | "deleted" } | { readonly kind: "renamed"; readonly to: string };
  readonly language: string;
  readonly facts: FileFacts;
  readonly removed: ReadonlySet<number>;
};

/** More changed files are not compared, nor more characters of them. */
const FILES_MAX = 40;
const CHARS_MAX = 1_000_000;

type WithBefore = FileChange & { readonly before: NonNullable<FileChange["before"]> };

/** Whether it is worth asking for removals. */
export const canRemove = (change: FileChange): change is WithBefore =>
  change.before !== undefined &&
  // The old path of a renamed file: the new one has both.
  !(change.kind === "deleted" && change.patches.length === 0) &&
  familyOf(languageOf(change.before.path)) !== null &&
  (change.kind === "deleted" || change.path !== change.before.path || losesWords(change));

const IDENTIFIER = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu;

function losesWords({ patches }: Pick<FileChange, "patches">): boolean {
  const words = (sign: "+" | "-"): ReadonlySet<string> =>
    new Set(
      patches.flatMap(({ hunks }) =>
        hunks.flatMap(({ lines }) =>
          lines.flatMap((line) => (line.startsWith(sign) ? (line.slice(1).match(IDENTIFIER) ?? []) : [])),
        ),
      ),
    );
  return !words("-").isSubsetOf(words("+"));
}

/** What the changes remove, sources first. `cache` spares parsing what was indexed before. */
export async function removalsIn(
  changes: readonly FileChange[],
  kb: KnowledgeBase,
  cache: Pick<FactCache, "facts">,
): Promise<readonly Removal[]> {
  const chosen = changes
    .filter(canRemove)
    .map((change) => ({ change, isSource: fileRole(change.before.path) === "source" }))
    .sort((a, b) => Number(b.isSource) - Number(a.isSource) || inOrder(a.change.path, b.change.path))
    .slice(0, FILES_MAX);
  const ids = kb.idsOf(chosen.map(({ change }) => change.path));
  const hashes = new Map(kb.files().map((file) => [file.id, file.contentHash]));
  const found: Removal[] = [];
  let chars = 0;
  for (const { change } of chosen) {
    const { path, text } = change.before;
    const language = languageOf(path);
    const id = ids.get(change.path);
    // A file that the index leaves out still has its definitions.
    if (change.kind !== "deleted" && id === undefined) continue;
    chars += text.length;
    if (chars > CHARS_MAX) break;
    const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    const facts = cache.facts({ hash, language }) ?? (await parseHere(text, language))?.facts;
    if (facts === undefined || facts.symbols.length === 0) continue;
    const file = fateOf(change);
    const now = file.kind === "kept" && id !== undefined ? { id, hash: hashes.get(id) ?? "", language } : null;
    const kept = now === null ? NOTHING : providedBy(kb, cache, now);
    const isRemoved = (at: number): boolean => {
      const { qualifiedName } = facts.symbols[at] ?? { qualifiedName: "" };
      return !kept.has(qualifiedName);
    };
    const removed = new Set(facts.symbols.keys().filter(isRemoved));
    if (removed.size > 0) found.push({ path, file, language, facts, removed });
  }
  return found;
}

const NOTHING: ReadonlySet<string> = new Set();

function fateOf({ kind, path, before }: WithBefore): Removal["file"] {
  if (kind === "deleted") return { kind: "deleted" };
  return path === before.path ? { kind: "kept" } : { kind: "renamed", to: path };
}

/** The names that a file of the index defines, or passes on from others. */
function providedBy(
  kb: KnowledgeBase,
  cache: Pick<FactCache, "facts">,
  { id, ...key }: { readonly id: number; readonly hash: string; readonly language: string },
): ReadonlySet<string> {
  const facts = cache.facts(key);
  const bound = (all: readonly ImportFact[]): readonly string[] =>
    all.flatMap(({ names }) => names.map(({ name, alias }) => alias ?? name));
  return new Set([
    ...kb.symbolsIn([id]).map(({ qualifiedName }) => qualifiedName),
    ...(facts === null ? [] : [...bound(facts.imports), ...Object.keys(facts.exportedAs)]),
  ]);
}
