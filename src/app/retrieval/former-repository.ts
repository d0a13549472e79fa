/**
 * Lays out the files of one family of languages as if what the changes remove were still there, so that they can be linked.
 *
 * A changed file has its definitions of today and after them the removed ones; a deleted or renamed one is there at its old path, and uses
 * nothing. What stands outside of any definition of a caller counts as one more definition, because only definitions are linked.
 */
import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { FactCache } from "../../db/parse-cache/parse-cache.ts";
import { familyOf, type SourceFile } from "../../indexing/imports/model.ts";
import { linkFacts } from "../../indexing/links/link-facts.ts";
import type { FileFacts, OutlinedFacts, OutlineSymbol } from "../../syntax/facts/facts.ts";
import { withReads } from "./name-reads.ts";
import type { ParseAny, Removal } from "./removed-definitions.ts";

export type CachedFacts = Pick<FactCache, "facts" | "outline" | "uses">;

export type FormerFile = SourceFile & {
  /** The removed definitions by their index. */
  readonly removed: ReadonlyMap<number, Removal>;
  /** The index of the definition that stands for what is outside of any. */
  readonly topLevel: number | null;
};

export const removedNames = (removals: readonly Removal[]): readonly string[] =>
  removals.flatMap(({ facts, removed }) => [...removed].map((at) => facts.symbols[at]?.name ?? ""));

/** `callers` are the files that may use what was removed; `others` are what these are linked to. By path. */
export async function formerFiles(
  removals: readonly Removal[],
  {
    kb,
    cache,
    parse,
    callers,
    others,
  }: {
    readonly kb: KnowledgeBase;
    readonly cache: CachedFacts;
    readonly parse: ParseAny;
    readonly callers: readonly FileRow[];
    readonly others: readonly FileRow[];
  },
): Promise<ReadonlyMap<string, FormerFile>> {
  const { sourceOf } = linkFacts(cache);
  const files = new Map<string, FormerFile>();
  for (const { path, language, contentHash: hash } of kb.storedFiles(others.map(({ id }) => id))) {
    const source = sourceOf({ path, language, hash });
    const file: FormerFile = {
      path,
      language,
      get facts() {
        return source.facts;
      },
      removed: NONE,
      topLevel: null,
    };
    files.set(path, file);
  }
  const names = new Set(removedNames(removals));
  const texts = kb.textsToMatch(callers.map(({ id }) => id));
  for (const caller of kb.storedFiles(callers.map(({ id }) => id))) {
    const { id, path, language } = caller;
    const text = texts.get(id) ?? "";
    const facts = cache.facts({ hash: caller.contentHash, language }) ?? (await parse({ text, language }));
    const read = withReads(facts, text, names, familyOf(language) !== "python");
    files.set(path, { path, language, ...withTopLevel(read), removed: NONE });
  }
  for (const removal of removals) {
    const { path, language } = removal;
    const now = removal.file.kind === "kept" ? files.get(path) : undefined;
    if (now !== undefined)
      files.set(path, { ...withRemoved(now.facts, removal), path, language, topLevel: now.topLevel });
    else if (removal.file.kind !== "kept") files.set(path, { ...asItWas(removal), path, language, topLevel: null });
  }
  return files;
}

const NONE: ReadonlyMap<number, Removal> = new Map();

function withTopLevel(facts: FileFacts): { readonly facts: OutlinedFacts; readonly topLevel: number } {
  const topLevel = facts.symbols.length;
  const references = facts.references.map((use) => (use.symbol === null ? { ...use, symbol: topLevel } : use));
  return { facts: { ...facts, symbols: [...facts.symbols, TOP_LEVEL], references }, topLevel };
}

/** No definition of a repository has no name. */
const TOP_LEVEL: OutlineSymbol = {
  name: "",
  qualifiedName: "",
  kind: "function",
  startLine: 1,
  endLine: 1,
  docLine: 1,
  nameLine: 1,
  signature: "",
  signatureTokens: 0,
  bodyTokens: 0,
  parent: null,
  exported: false,
};

function withRemoved(now: OutlinedFacts, removal: Removal): Pick<FormerFile, "facts" | "removed"> {
  const before = removal.facts;
  const symbols: OutlineSymbol[] = [...now.symbols];
  const positions = new Map(now.symbols.map(({ qualifiedName }, at) => [qualifiedName, at]));
  const removed = new Map<number, Removal>();
  for (const [at, symbol] of before.symbols.entries()) {
    if (!removal.removed.has(at)) continue;
    const owner = symbol.parent === null ? undefined : before.symbols[symbol.parent]?.qualifiedName;
    const parent = owner === undefined ? null : (positions.get(owner) ?? null);
    removed.set(symbols.length, removal);
    positions.set(symbol.qualifiedName, symbols.length);
    symbols.push({ ...symbol, parent });
  }
  return { facts: { ...now, symbols, exportedAs: { ...before.exportedAs, ...now.exportedAs } }, removed };
}

const asItWas = (removal: Removal): Pick<FormerFile, "facts" | "removed"> => ({
  facts: { ...removal.facts, references: [] },
  removed: new Map([...removal.removed].map((at) => [at, removal])),
});
