/**
 * Finds the definitions that the changes under review remove, by comparing the files as they were with the index.
 *
 * A file that only gained lines, or adds each word as often as it deletes it, removes nothing and is not looked at.
 */
import type { KnowledgeBase, StoredFileRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { FactCache } from "../../db/parse-cache/parse-cache.ts";
import { familyOf } from "../../indexing/imports/model.ts";
import { cacheKey } from "../../indexing/model/index-run.ts";
import { hashOf } from "../../indexing/update/scan/file-content.ts";
import { fileRole } from "../../languages/file-role.ts";
import { languageIn } from "../../languages/script-language.ts";
import type { FileChange } from "../../source/revisions/work-tree-diff.ts";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import type { ParseJob } from "../../syntax/parse/parse-thread.ts";
import { inOrder } from "../../text/order.ts";
import { IDENTIFIER } from "../../text/terms/identifiers.ts";

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

type CachedFacts = Pick<FactCache, "facts">;

/** The facts of a text that is not in the cache, however much work it is. */
export type ParseAny = (job: ParseJob) => Promise<FileFacts>;

type WithBefore = FileChange & { readonly before: NonNullable<FileChange["before"]> };

/** Whether it is worth asking for removals. */
export const canRemove = (change: FileChange): change is WithBefore =>
  change.before !== undefined &&
  // The old path of a renamed file: the new one has both.
  !(change.kind === "deleted" && change.patches.length === 0) &&
  familyOf(languageIn(change.before.path, change.before.text)) !== null &&
  (change.kind === "deleted" || change.path !== change.before.path || losesWords(change));

const WORDS = new RegExp(IDENTIFIER, "gu");

/** Whether fewer of a word are added than deleted: the value of `const join = path.join` has the name of what it defines. */
function losesWords({ patches }: Pick<FileChange, "patches">): boolean {
  const counts = new Map<string, number>();
  for (const { hunks } of patches)
    for (const { lines } of hunks)
      for (const line of lines) {
        const change = line.startsWith("+") ? 1 : line.startsWith("-") ? -1 : 0;
        if (change === 0) continue;
        for (const word of line.slice(1).match(WORDS) ?? []) counts.set(word, (counts.get(word) ?? 0) + change);
      }
  return counts.values().some((count) => count < 0);
}

/** What the changes remove, sources first. `cache` spares parsing what was indexed before. */
export async function removalsIn(
  changes: readonly FileChange[],
  kb: KnowledgeBase,
  cache: CachedFacts,
  parse: ParseAny,
): Promise<readonly Removal[]> {
  const chosen = changes
    .filter(canRemove)
    .map((change) => ({ change, isSource: fileRole(change.before.path) === "source" }))
    .sort((a, b) => Number(b.isSource) - Number(a.isSource) || inOrder(a.change.path, b.change.path))
    .slice(0, FILES_MAX);
  const ids = kb.idsOf(chosen.map(({ change }) => change.path));
  const present = presentIn(kb, cache, [...ids.values()]);
  const inheritsOutside = outsideBases(kb, cache);
  const found: Removal[] = [];
  let chars = 0;
  for (const { change } of chosen) {
    const { path, text } = change.before;
    const language = languageIn(path, text);
    const id = ids.get(change.path);
    // A file that the index leaves out still has its definitions.
    if (change.kind !== "deleted" && id === undefined) continue;
    chars += text.length;
    if (chars > CHARS_MAX) break;
    const hash = hashOf(Buffer.from(text));
    const facts = cache.facts({ hash, language }) ?? (await parse({ text, language }));
    const file = fateOf(change);
    const removed = removedFrom(facts, id === undefined ? NOTHING : present(id), inheritsOutside);
    if (removed.size > 0 || file.kind !== "kept") found.push({ path, file, language, facts, removed });
  }
  return found;
}

function fateOf({ kind, path, before }: WithBefore): Removal["file"] {
  if (kind === "deleted") return { kind: "deleted" };
  return path === before.path ? { kind: "kept" } : { kind: "renamed", to: path };
}

/** What a file of the index defines, and the names that it takes from others or passes on. */
type Present = { readonly defined: ReadonlyMap<string, SymbolRow>; readonly passed: ReadonlySet<string> };

const NOTHING: Present = { defined: new Map(), passed: new Set() };

/** Of the files with these ids. */
function presentIn(kb: KnowledgeBase, cache: CachedFacts, ids: readonly number[]): (id: number) => Present {
  const files = new Map(kb.storedFiles(ids).map((file) => [file.id, file]));
  const symbols = Map.groupBy(kb.symbolsIn(ids), ({ fileId }) => fileId);
  return (id) => {
    const facts = factsOf(files.get(id), cache);
    const bound = facts?.imports.flatMap(({ names }) => names.map(({ name, alias }) => alias ?? name)) ?? [];
    return {
      defined: new Map((symbols.get(id) ?? []).map((row) => [row.qualifiedName, row])),
      passed: new Set([...bound, ...Object.keys(facts?.exportedAs ?? {})]),
    };
  };
}

/** The definitions that are not there any more. A member is still there if its class has a base that nobody knows, or comes from another file. */
function removedFrom(
  { symbols }: FileFacts,
  { defined, passed }: Present,
  inheritsOutside: (owner: SymbolRow) => boolean,
): ReadonlySet<number> {
  const isThere = ({ name, qualifiedName }: FileFacts["symbols"][number]): boolean => {
    if (defined.has(qualifiedName) || passed.has(qualifiedName)) return true;
    const owner = qualifiedName.slice(0, Math.max(0, qualifiedName.length - name.length - 1));
    const row = defined.get(owner);
    return row === undefined ? passed.has(owner) : inheritsOutside(row);
  };
  return new Set(symbols.flatMap((symbol, at) => (isThere(symbol) ? [] : [at])));
}

/** What the cache knows of a file of the index. */
const factsOf = (file: StoredFileRow | undefined, cache: CachedFacts): FileFacts | null =>
  file === undefined ? null : cache.facts(cacheKey(file));

/** Bases of bases are followed so far. */
const BASES_MAX = 4;

/** Whether a class inherits from what the index does not know, which may have any member. */
function outsideBases(kb: KnowledgeBase, cache: CachedFacts): (owner: SymbolRow) => boolean {
  const known = new Map<number, boolean>();
  const ask = (owner: SymbolRow, depth: number): boolean => {
    const facts = factsOf(kb.storedFiles([owner.fileId])[0], cache);
    const isOwner = (at: number | null): boolean =>
      at !== null && facts?.symbols[at]?.startLine === owner.startLine && facts.symbols[at].name === owner.name;
    const written = facts?.references.filter(({ kind, symbol }) => kind === "inherit" && isOwner(symbol)) ?? [];
    if (written.length === 0) return false;
    const found = new Set(
      kb.referencesFrom([owner.id]).flatMap(({ kind, callee }) => (kind === "inherit" ? [callee] : [])),
    );
    if (found.size < written.length) return true;
    return depth < BASES_MAX && kb.symbolsById([...found]).some((base) => ask(base, depth + 1));
  };
  return (owner) => known.getOrInsertComputed(owner.id, () => ask(owner, 1));
}
