/**
 * The terms of a query in paths, from the words of paths that the index stores (`text/terms/path-block.ts`). Looking into all names takes
 * several times as long.
 */
import type { FileRow, PathBlockRow } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import { visitPathWords } from "../../text/terms/path-block.ts";
import { lookUp } from "../../text/terms/term-stats.ts";
import { firstPathOf, positionsById } from "./file-positions.ts";
import { type Counted, type InPath, NO_TERMS, type PathTerms } from "./path-words.ts";
import { type LexicalQuery, termTables } from "./weighted-terms.ts";

/** Throws `index-damaged` if a block cannot be read. */
export function storedPathTerms(
  query: LexicalQuery,
  files: readonly FileRow[],
  blocks: readonly PathBlockRow[],
): PathTerms {
  const positions = positionsById(files);
  const tables = termTables(query);
  const ofExact = pathTermCollector(files.length);
  const ofStems = pathTermCollector(files.length);
  for (const { firstId, words } of blocks) {
    const isWhole = visitPathWords(words, tables.stems, (stemTerm, hash, place, path, name) => {
      const position = positions.get(firstId + place);
      if (position === undefined) return;
      if (stemTerm < query.stems.terms.length) ofStems.add(position, stemTerm, path, name);
      const exactTerm = lookUp(tables.exact, hash);
      if (exactTerm >= 0) ofExact.add(position, exactTerm, path, name);
    });
    if (!isWhole) throw unreadable(firstPathOf(files, firstId));
  }
  return { exact: ofExact.inOrder(), stems: ofStems.inOrder() };
}

const unreadable = (path: string): Failed =>
  new Failed({ code: "index-damaged", path, why: "the words of its path cannot be read" });

/** Collects the terms of each of `count` files, in any order. */
function pathTermCollector(count: number) {
  const found = new Array<Counted[] | undefined>(count).fill(undefined);
  return {
    add(position: number, term: number, path: number, name: number): void {
      const own = found[position];
      if (own === undefined) {
        found[position] = [{ term, path, name }];
        return;
      }
      for (const row of own) {
        if (row.term !== term) continue;
        row.path += path;
        row.name += name;
        return;
      }
      own.push({ term, path, name });
    },
    inOrder: (): readonly (readonly InPath[])[] =>
      found.map((terms) => (terms === undefined ? NO_TERMS : terms.length > 1 ? terms.sort(byTerm) : terms)),
  };
}

const byTerm = (a: InPath, b: InPath): number => a.term - b.term;
