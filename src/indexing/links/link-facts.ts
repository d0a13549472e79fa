/**
 * Reads the facts that resolving needs from the parse cache on demand.
 *
 * What a file defines and imports stays in memory until it is forgotten, without documentation and comments, with equal strings
 * shared. References, which are most of the facts, are read again, because they are needed file by file.
 */
import type { ParseCache, ParseKey } from "../../db/parse-cache/parse-cache.ts";
import type { OutlinedFacts } from "../../syntax/facts/facts.ts";
import type { SourceFile } from "../imports/model.ts";
import { contentHashes } from "../model/content-hashes.ts";
import type { FileColumns } from "../model/file-list.ts";

export type LinkFacts = {
  /** A file whose facts are read on demand. */
  sourceOf(file: { readonly path: string } & ParseKey): SourceFile;
  /** The same of all files of a list, in its order. */
  sourcesOf(files: FileColumns): SourceFile[];
  /** Files whose facts were unreadable; resolving treated them as empty. */
  lost(): readonly string[];
  /** Frees all facts. From now on about `symbolsKept` symbols are kept in memory; facts that were dropped are read again when needed. */
  forget(symbolsKept?: number): void;
};

/** The number of files whose references stay in memory. */
const USES_KEPT = 16;
/** All else stays in memory while it has no more symbols than this, unless whoever asked for it keeps it. */
const SYMBOLS_KEPT = 38_000;

export function linkFacts(cache: Pick<ParseCache, "outline" | "uses">): LinkFacts {
  let intern = stringPool();
  const lost = new Set<string>();
  const outlines = new Map<string, OutlinedFacts>();
  let symbolsKept = SYMBOLS_KEPT;
  let symbols = 0;
  const uses = new Map<string, OutlinedFacts["references"]>();

  const usesOf = (path: string, key: ParseKey): OutlinedFacts["references"] => {
    const known = uses.get(path);
    if (known !== undefined) return known;
    const found = cache.uses(key);
    if (found === null) lost.add(path);
    if (uses.size >= USES_KEPT) uses.delete(uses.keys().next().value ?? path);
    const read = [...(found ?? [])];
    uses.set(path, read);
    return read;
  };
  // One getter for all files, as below.
  const withReferences = Object.defineProperty({}, "references", {
    get(this: { readonly path: string; readonly key: ParseKey }) {
      return usesOf(this.path, this.key);
    },
  });
  const factsOf = (path: string, source: ParseKey): OutlinedFacts => {
    const known = outlines.get(path);
    if (known !== undefined) return known;
    // A source makes its hash each time it is asked for it.
    const key: ParseKey = { hash: source.hash, language: source.language };
    const outline = cache.outline(key, intern);
    // In a first answer these are nearly all files.
    if (outline === EMPTY) return NO_FACTS;
    if (outline === null) lost.add(path);
    const facts: OutlinedFacts = Object.assign(Object.create(withReferences), outline ?? EMPTY, { path, key });
    if (symbols > symbolsKept) {
      outlines.clear();
      symbols = 0;
    }
    symbols += facts.symbols.length;
    outlines.set(path, facts);
    return facts;
  };
  const hashes = contentHashes();
  const sourceOf = sourceMaker(factsOf, hashes.at);
  return {
    sourceOf: ({ path, language, hash }) => sourceOf(path, language, hashes.add(hash)),
    sourcesOf(files) {
      const make = sourceMaker(factsOf, files.hashAt);
      return files.paths.map((path, position) => make(path, files.languageAt(position), position));
    },
    lost: () => [...lost],
    forget(kept = SYMBOLS_KEPT) {
      symbolsKept = kept;
      symbols = 0;
      intern = stringPool();
      outlines.clear();
      uses.clear();
    },
  };
}

/** There is one for each file of the repository, and making an object with a getter of its own takes several times as long. */
function sourceMaker(
  factsOf: (path: string, key: ParseKey) => OutlinedFacts,
  hashAt: (position: number) => string,
): (path: string, language: string, position: number) => SourceFile {
  const made = {
    path: "",
    language: "",
    position: 0,
    get hash(): string {
      return hashAt(this.position);
    },
    get facts(): OutlinedFacts {
      return factsOf(this.path, this);
    },
  };
  return (path, language, position) => {
    const source: typeof made = Object.create(made);
    source.path = path;
    source.language = language;
    source.position = position;
    return source;
  };
}

/** The facts of a file that is not parsed, without references. */
export const EMPTY: Omit<OutlinedFacts, "references"> = {
  parsed: false,
  problem: null,
  lineCount: 0,
  namespace: null,
  tokenCount: 0,
  doc: null,
  symbols: [],
  comments: [],
  imports: [],
  exportedAs: {},
  commentLines: [],
};

const NO_FACTS: OutlinedFacts = { ...EMPTY, references: [] };

/** A pool of more strings takes more room than it saves. */
const STRINGS_KEPT = 50_000;

/** Returns the same string object for most equal strings. */
function stringPool(): (text: string) => string {
  const pool = new Map<string, string>();
  return (text) => {
    const known = pool.get(text);
    if (known !== undefined) return known;
    if (pool.size >= STRINGS_KEPT) pool.clear();
    pool.set(text, text);
    return text;
  };
}
