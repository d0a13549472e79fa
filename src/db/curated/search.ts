/**
 * Full-text search over paths, symbols and contents, for any text a user types.
 *
 * Bands of the score, best first: a symbol of this name, a file of this name, a part of a name or path, a
 * part of the name of what a symbol is in, words of a symbol, words of a file. Within a band closer matches
 * score higher, tests a little lower; a part of an outline (a heading, a key) comes two bands lower than a
 * definition, after files of that name; ties end on path, line and name, so the order is total.
 * Invariant: what a limit cuts off is what scores lowest, since a query orders by the score itself.
 * Not here: ranking for a task (`retrieval/`).
 */
import { zstdDecompressSync } from "bun";
import type { Db } from "../sqlite/db.ts";
import { asPattern, containing, matchExpression, partsOfRuns, queryWords } from "../sqlite/full-text.ts";
import { bestLine, highlight } from "./highlight.ts";
import type { SearchHit } from "./knowledge-base.ts";
import { OUTLINED } from "./outline-condition.ts";

const BAND = { symbolName: 5, fileName: 4, part: 3, outerPart: 2, symbolWords: 1, fileWords: 0 } as const;

/** How many bands a part of an outline is below a definition, by its name. */
const OUTLINE_BANDS = 2;

/** Longer queries are cut: they are pasted text, and their first words say enough. */
const QUERY_CHARS_MAX = 1_000;

type SymbolHit = {
  id: number;
  path: string;
  line: number;
  name: string;
  qualifiedName: string;
  kind: string;
  signature: string;
  rank: number;
};
type FileHit = { id: number; path: string; rank: number };

const SYMBOL_COLUMNS = `s.id, f.path, s.name_line as line, s.name, s.qualified_name as qualifiedName, s.kind, s.signature`;

/** At most `limit` hits, best first. */
export function search(db: Db, query: string, limit: number): readonly SearchHit[] {
  const typed = query.slice(0, QUERY_CHARS_MAX).trim();
  if (typed === "" || limit < 1) return [];
  const words = queryWords(typed);
  const needles = [typed, ...words, ...partsOfRuns(words)];
  const symbols = new Map<number, SearchHit>();
  const files = new Map<number, SearchHit>();
  for (const hit of symbolsContaining(db, typed, limit)) symbols.set(hit.id, symbolHit(hit, hit.rank, needles));
  for (const hit of filesContaining(db, typed, limit)) {
    const snippet = highlight(hit.path, needles);
    files.set(hit.id, { ...FILE, path: hit.path, line: 1, score: fileScore(hit.path, typed), snippet });
  }
  const byWords = wordHits(db, words, limit, symbols.size + files.size > 0);
  for (const hit of byWords.symbols)
    if (!symbols.has(hit.id)) {
      const band = hit.outlined ? BAND.fileWords : BAND.symbolWords;
      symbols.set(hit.id, symbolHit(hit, rounded(band + share(hit.rank)), needles));
    }
  const more = byWords.files.filter(({ id }) => !files.has(id));
  for (const [id, hit] of contentHits(db, more, needles)) files.set(id, hit);
  return [...symbols.values(), ...files.values()].sort(byScore).slice(0, limit);
}

const FILE = { what: "file", name: null, kind: null } as const;

function byScore(a: SearchHit, b: SearchHit): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  if (a.line !== b.line) return a.line - b.line;
  return (a.name ?? "") < (b.name ?? "") ? -1 : 1;
}

function symbolHit(hit: SymbolHit, score: number, needles: readonly string[]): SearchHit {
  const { path, line, qualifiedName, kind, signature } = hit;
  const shown = signature === "" ? qualifiedName : signature;
  return { what: "symbol", path, line, name: qualifiedName, kind, score, snippet: highlight(shown, needles) };
}

function fileScore(path: string, typed: string): number {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = name.replace(/\.[^.]*$/, "");
  if (same(path, typed)) return BAND.fileName + 0.9;
  if (same(name, typed)) return BAND.fileName + 0.8;
  if (same(stem, typed)) return BAND.fileName + 0.7;
  return rounded(BAND.part + (0.8 * typed.length) / (path.length + 1));
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** bm25 (better is lower, without bound) to 0..0.9 (better is higher). */
const share = (rank: number): number => rounded((0.9 * Math.max(0, -rank)) / (1 + Math.max(0, -rank)));

const rounded = (score: number): number => Math.round(score * 1e6) / 1e6;

/**
 * The score of a symbol in whose qualified name the text (?2, its pattern ?1, as a whole name ?3) is found. A
 * name at the top of a file comes before the same name inside something, and exact spelling before another
 * case; of a part, the share of the whole counts. A text with a dot may reach from the outer into the own name.
 */
const NAME_SCORE = `round(case
  when s.qualified_name = ?2 then ${BAND.symbolName} + 0.9
  when s.qualified_name like ?3 escape '\\' then ${BAND.symbolName} + 0.7
  when s.name = ?2 then ${BAND.symbolName} + 0.5
  when s.name like ?3 escape '\\' then ${BAND.symbolName} + 0.3
  when s.name like ?1 escape '\\' then ${BAND.part} + 0.1 + 0.1 * (s.name = s.qualified_name) + 0.7 * length(?2) / (length(s.name) + 1)
  when instr(lower(s.qualified_name), lower(?2)) + length(?2) > length(s.qualified_name) - length(s.name) + 1
    then ${BAND.part} + 0.1 + 0.7 * length(?2) / (length(s.qualified_name) + 1)
  else ${BAND.outerPart} + 0.1 + 0.7 * length(?2) / (length(s.qualified_name) + 1)
  end - 0.1 * f.is_test - ${OUTLINE_BANDS} * (${OUTLINED}), 6)`;

/** Names that contain the text, best first; the rank is the score. */
function symbolsContaining(db: Db, typed: string, limit: number): readonly SymbolHit[] {
  return db.all<SymbolHit>(
    `select ${SYMBOL_COLUMNS}, ${NAME_SCORE} as rank from symbols s join files f on f.id = s.file_id
     where s.name like ?1 escape '\\' or s.qualified_name like ?1 escape '\\'
     order by rank desc, f.path, line, s.qualified_name limit ?4`,
    containing(typed),
    typed,
    asPattern(typed),
    limit,
  );
}

function filesContaining(db: Db, typed: string, limit: number): readonly FileHit[] {
  return db
    .all<FileHit>("select id, path, 0 as rank from files where path like ?1 escape '\\'", containing(typed))
    .sort((a, b) => fileScore(b.path, typed) - fileScore(a.path, typed) || (a.path < b.path ? -1 : 1))
    .slice(0, limit);
}

type WordHits = {
  readonly symbols: readonly (SymbolHit & { readonly outlined: 0 | 1 })[];
  readonly files: readonly FileHit[];
};

/** What holds all the words or, where nothing else is found either, any of them. */
function wordHits(db: Db, words: readonly string[], limit: number, foundOthers: boolean): WordHits {
  const ask = (want: "all" | "any"): WordHits => {
    const match = matchExpression(words, want);
    if (match === null) return { symbols: [], files: [] };
    return { symbols: symbolsMatching(db, match, limit), files: filesMatching(db, match, limit) };
  };
  const all = ask("all");
  return foundOthers || all.symbols.length + all.files.length > 0 ? all : ask("any");
}

/** bm25 is rounded before it orders, so that ties between equal rows end on the path. */
function symbolsMatching(db: Db, match: string, limit: number): WordHits["symbols"] {
  return db.all<WordHits["symbols"][number]>(
    `select ${SYMBOL_COLUMNS}, m.rank, ${OUTLINED} as outlined from
       (select rowid, round(bm25(symbol_search, 4.0, 1.0, 1.0), 6) as rank from symbol_search where symbol_search match ?1) m
       join symbols s on s.id = m.rowid join files f on f.id = s.file_id
     order by outlined, m.rank, f.path, s.start_line, s.qualified_name limit ?2`,
    match,
    limit,
  );
}

function filesMatching(db: Db, match: string, limit: number): readonly FileHit[] {
  return db.all<FileHit>(
    `select f.id, f.path, m.rank from
       (select rowid, round(bm25(file_search, 4.0, 1.0), 6) as rank from file_search where file_search match ?1) m
       join files f on f.id = m.rowid
     order by m.rank, f.path limit ?2`,
    match,
    limit,
  );
}

function contentHits(
  db: Db,
  hits: readonly FileHit[],
  needles: readonly string[],
): readonly (readonly [number, SearchHit])[] {
  const ids = JSON.stringify(hits.map(({ id }) => id));
  const texts = new Map<number, Uint8Array>();
  for (const { id, text } of db.all<{ id: number; text: Uint8Array }>(
    "select file_id as id, text from file_texts where file_id in (select value from json_each(?1))",
    ids,
  ))
    texts.set(id, text);
  return hits.map(({ id, path, rank }) => {
    const packed = texts.get(id);
    const best = packed ? bestLine(zstdDecompressSync(packed).toString("utf8"), needles) : null;
    const place = best ?? { line: 1, snippet: highlight(path, needles) };
    return [id, { ...FILE, path, ...place, score: rounded(BAND.fileWords + share(rank)) }];
  });
}
