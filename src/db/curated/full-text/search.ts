/**
 * Full-text search over paths, symbols and file contents, for any text that a user types.
 *
 * Score bands, best first: symbol of this name, file of this name, part of a name or path, a file with the text as it is typed, part of
 * the name of an enclosing symbol, words of a symbol, words of a file. Within a band closer matches score higher and tests a little
 * lower. Outline symbols (headings, keys) rank two bands below definitions. Ties end on path, line and name. A limit drops the
 * lowest scores.
 */
import { nameOf } from "../../../text/repo-path.ts";
import { fold } from "../../../text/terms/normalize.ts";
import type { Db } from "../../sqlite/db.ts";
import {
  likeContaining,
  likePattern,
  matchExpression,
  partsOfNames,
  partsOfRuns,
  queryWords,
} from "../../sqlite/full-text.ts";
import type { FoundDefinition, SearchHit, SymbolRow } from "../knowledge-base.ts";
import { OUTLINED } from "../schema.ts";
import { type StoredText, textOf } from "../stored-text.ts";
import { filesMatching, type RankedFile } from "./file-ranks.ts";
import { bestLine, highlight, linesWith } from "./highlight.ts";

const BAND = { symbolName: 6, fileName: 5, part: 4, fileText: 3, outerPart: 2, symbolWords: 1, fileWords: 0 } as const;

/** What a test loses within its band. */
const TEST_LOSS = 0.1;

/** How many bands an outline symbol is below a definition. */
const OUTLINE_BANDS = 2;

/** Longer queries are pasted text, whose first words suffice. */
const QUERY_CHARS_MAX = 1_000;

type SymbolHit = Pick<FoundDefinition, "id" | "path" | "name" | "qualifiedName" | "kind" | "signature" | "rank"> & {
  readonly line: number;
};
/** `pathScore`: the score of a file whose path has the text; null for one that is found by words. */
type FileHit = {
  readonly id: number;
  readonly path: string;
  readonly rank: number;
  readonly pathScore: number | null;
};

const SYMBOL_COLUMNS = `s.id, f.path, s.name_line as line, s.name, s.qualified_name as qualifiedName, s.kind, s.signature`;

/** What a query without blanks asks for as a pattern would: any of these. `||` is code. */
const ALTERNATIVES = /^[^\s|]+(?:\|[^\s|]+)+$/;
const ALTERNATIVES_MAX = 10;

/** At most `limit` hits, best first. `a|b` finds what either finds. */
export function search(db: Db, query: string, limit: number): readonly SearchHit[] {
  const typed = query.slice(0, QUERY_CHARS_MAX).trim();
  if (typed === "" || limit < 1) return [];
  if (!ALTERNATIVES.test(typed)) return found(db, typed, limit);
  const either = new Set(typed.split(/\\?\|/).map((part) => part.replace(/^[(^]+|(?<![()$])[()$]+$/g, "")));
  const hits = [...either].slice(0, ALTERNATIVES_MAX).flatMap((part) => (part === "" ? [] : found(db, part, limit)));
  const best = new Map<string, SearchHit>();
  for (const hit of hits.sort(byScore)) best.getOrInsert(placeOf(hit), hit);
  return [...best.values()].slice(0, limit);
}

/** A file is one place, whichever of its lines is the best. */
const placeOf = ({ what, path, line, name }: SearchHit): string =>
  JSON.stringify(what === "file" ? path : [path, line, name]);

const lineOf = ({ path, line }: Pick<SearchHit, "path" | "line">): string => JSON.stringify([path, line]);

function found(db: Db, typed: string, limit: number): readonly SearchHit[] {
  const words = queryWords(typed);
  const needles = [typed, ...words, ...partsOfRuns(words)];
  const symbols = new Map<number, SearchHit>();
  for (const hit of [...symbolsContaining(db, typed, limit), ...symbolsTyped(db, typed, words, limit)])
    symbols.set(hit.id, symbolHit(hit, hit.rank, needles));
  const byPath = filesContaining(db, typed, limit);
  const isNamed = symbols.size + byPath.length > 0;
  const byWords = wordHits(db, words, limit, isNamed);
  for (const hit of byWords.symbols)
    if (!symbols.has(hit.id)) {
      const band = hit.outlined ? BAND.fileWords : BAND.symbolWords;
      symbols.set(hit.id, symbolHit(hit, rounded(band + share(hit.rank)), needles));
    }
  const hits = [...symbols.values()];
  const listed = new Set(hits.filter(({ score }) => score > BAND.fileText + 1).map(lineOf));
  const paths = new Set(byPath.map(({ id }) => id));
  const files = [...byPath, ...byWords.files.filter(({ id }) => !paths.has(id))];
  const sought = { typed, needles, parts: partsOfNames(words), listed, defined: new Set(hits.map(lineOf)), isNamed };
  return [...hits, ...contentHits(db, files, sought)].sort(byScore).slice(0, limit);
}

/** Further lines of a file that are named. */
const MORE_MAX = 20;
/** Files with the words of a query that are searched for the text as it is typed. */
const TEXTS_MAX = 100;

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

/** The hit of a definition that a query names in another way. */
export const namedHit = (row: SymbolRow, path: string, query: string): SearchHit =>
  symbolHit({ ...row, path, line: row.nameLine, rank: 0 }, BAND.symbolName + 0.9, [row.name, ...queryWords(query)]);

function fileScore(path: string, typed: string): number {
  const name = nameOf(path);
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
 * The score of a symbol whose qualified name contains the text (?2; ?1 is its pattern, ?3 its pattern as a whole name).
 * Top-level names come before nested ones and exact case before other case; partial matches score by the share they cover. A
 * text with a dot may span the enclosing and the own name.
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
  end - ${TEST_LOSS} * f.is_test - ${OUTLINE_BANDS} * (${OUTLINED}), 6)`;

/** Symbols whose name contains the text, best first; their rank is the score. */
function symbolsContaining(db: Db, typed: string, limit: number): readonly SymbolHit[] {
  return db.all<SymbolHit>(
    `select ${SYMBOL_COLUMNS}, ${NAME_SCORE} as rank from symbols s join files f on f.id = s.file_id
     where s.name like ?1 escape '\\' or s.qualified_name like ?1 escape '\\'
     order by rank desc, f.path, line, s.qualified_name limit ?4`,
    likeContaining(typed),
    typed,
    likePattern(typed),
    limit,
  );
}

/** Definitions that are typed as in their own line, such as `def parse(`, best first; their rank is the score. */
function symbolsTyped(db: Db, typed: string, words: readonly string[], limit: number): readonly SymbolHit[] {
  return db.all<SymbolHit>(
    `select ${SYMBOL_COLUMNS}, ${BAND.symbolName} + 0.2 - ${TEST_LOSS} * f.is_test as rank
       from symbols s join files f on f.id = s.file_id
     where s.name in (select value from json_each(?1)) and s.name <> ?2 and instr(s.signature, ?2) > 0
     order by rank desc, f.path, line, s.qualified_name limit ?3`,
    JSON.stringify(words),
    typed,
    limit,
  );
}

function filesContaining(db: Db, typed: string, limit: number): readonly FileHit[] {
  return db
    .all<{ readonly id: number; readonly path: string }>(
      "select id, path from files where path like ?1 escape '\\'",
      likeContaining(typed),
    )
    .map((file) => ({ ...file, rank: 0, pathScore: fileScore(file.path, typed) }))
    .sort((a, b) => b.pathScore - a.pathScore || (a.path < b.path ? -1 : 1))
    .slice(0, limit);
}

type WordHits = {
  readonly symbols: readonly (SymbolHit & { readonly outlined: 0 | 1 })[];
  readonly files: readonly FileHit[];
};

/** Matches of all words or, if nothing else was found, of any word. */
function wordHits(db: Db, words: readonly string[], limit: number, foundOthers: boolean): WordHits {
  const ask = (want: "all" | "any"): WordHits => {
    const match = matchExpression(words, want);
    if (match === null) return { symbols: [], files: [] };
    return {
      symbols: symbolsMatching(db, match, limit),
      files: bestFiles(filesMatching(db, words, want), Math.max(limit, TEXTS_MAX)),
    };
  };
  const all = ask("all");
  return foundOthers || all.symbols.length + all.files.length > 0 ? all : ask("any");
}

/** bm25 is rounded before sorting, so that equal rows tie and end on the path. */
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

/** Rounded like the ranks of symbols; a lower rank is better. */
const bestFiles = (files: readonly RankedFile[], limit: number): readonly FileHit[] =>
  files
    .map(({ id, path, score }) => ({ id, path, rank: -rounded(score), pathScore: null }))
    .sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
    .slice(0, limit);

/** `listed`: places of definitions that come before any text; `defined`: of all that are found. `isNamed`: a definition or path has the text as it is typed. */
type Sought = {
  readonly typed: string;
  readonly needles: readonly string[];
  readonly parts: readonly string[];
  readonly listed: ReadonlySet<string>;
  readonly defined: ReadonlySet<string>;
  readonly isNamed: boolean;
};

type TextRow = StoredText & { readonly id: number; readonly isTest: 0 | 1 };

/** The parts of a name are of no use to a reader who gets the places with the whole of it. */
function contentHits(db: Db, files: readonly FileHit[], sought: Sought): readonly SearchHit[] {
  const rows = db.all<TextRow>(
    `select t.file_id as id, t.text, f.size_bytes as sizeBytes, f.is_test as isTest
       from file_texts t join files f on f.id = t.file_id where t.file_id in (select value from json_each(?1))`,
    JSON.stringify(files.map(({ id }) => id)),
  );
  const texts = new Map(rows.map((row) => [row.id, row]));
  const wanted = fold(sought.typed);
  const read = files.map((file) => {
    const stored = texts.get(file.id);
    const text = stored === undefined ? "" : textOf(db, stored).toString("utf8");
    return { file, text, hasTyped: fold(text).includes(wanted), lower: stored?.isTest === 1 ? TEST_LOSS : 0 };
  });
  const isFound = sought.isNamed || read.some(({ hasTyped }) => hasTyped);
  const isWhole = isFound && !/\s/.test(sought.typed);
  return read.flatMap(({ file: { path, rank, pathScore }, text, hasTyped, lower }) => {
    const lines = hasTyped ? linesTyped(path, text, sought) : null;
    if (pathScore !== null) {
      // What is typed is the name of the file, or nothing else says where it is.
      const isShown = lines !== null || !hasTyped || pathScore >= BAND.fileName;
      const place = lines ?? { line: 1, snippet: highlight(path, sought.needles) };
      return isShown ? [{ ...FILE, path, ...place, score: pathScore }] : [];
    }
    if (isWhole && !hasTyped) return [];
    const match = hasTyped ? lines : lineOfWords(path, text, sought);
    const band = hasTyped ? BAND.fileText : BAND.fileWords;
    return match === null ? [] : [{ ...FILE, path, ...match, score: rounded(band + share(rank) - lower) }];
  });
}

type Lines = Pick<SearchHit, "line" | "more" | "snippet">;

/** The lines with the whole text, without those of listed definitions; null if there are no others. */
function linesTyped(path: string, text: string, { typed, needles, listed, defined }: Sought): Lines | null {
  const all = linesWith(text, typed, MORE_MAX + 1 + listed.size);
  const [line, ...more] = all.filter((one) => !listed.has(lineOf({ path, line: one })));
  // Text that goes over several lines is in none of them.
  if (line === undefined) return all.length > 0 ? null : lineOfWords(path, text, { needles, parts: [], defined });
  const snippet = bestLine(text.split("\n")[line - 1] ?? "", needles)?.snippet ?? "";
  return { line, snippet, ...(more.length === 0 ? {} : { more: more.slice(0, MORE_MAX) }) };
}

/** The line with most of the words, or of their parts; null if it is that of a definition that is found. */
function lineOfWords(
  path: string,
  text: string,
  { needles, parts, defined }: Pick<Sought, "needles" | "parts" | "defined">,
): Lines | null {
  const best = bestLine(text, needles) ?? bestLine(text, parts);
  if (best === null) return { line: 1, snippet: highlight(path, [...needles, ...parts]) };
  return defined.has(lineOf({ path, line: best.line })) ? null : best;
}
