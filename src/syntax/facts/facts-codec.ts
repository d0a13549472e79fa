/**
 * Encodes a file's facts for the parse cache, in three parts that can be read separately. A thread that parses does it, since
 * an object of facts takes longer to hand over than bytes.
 *
 * Name resolution needs `facts` of many files, `uses` of one file after another, and `prose` of none. Rows are JSON lists without
 * field names, which makes them small and fast to read. Decoded facts have valid types, whatever was stored; otherwise null.
 */

import { zstdCompressSync } from "bun";
import { parseJson } from "../../text/parse-json.ts";
import { SYMBOL_KINDS } from "../../text/terms/segments.ts";
import { STORED_BYTES_MAX, unpackZstd } from "../../text/zstd.ts";
import { packNames } from "./defined-names.ts";
import {
  COMMENT_KINDS,
  type CommentFact,
  DOC_FORMATS,
  type DocFact,
  type FileFacts,
  IMPORT_KINDS,
  type ImportFact,
  type OutlinedFacts,
  type OutlineSymbol,
  REFERENCE_KINDS,
  type ReferenceFact,
} from "./facts.ts";
import type { Measured } from "./measure.ts";

/** Facts without documentation, comments and references: their lists are empty, their texts null or missing. */
export type Outline = Omit<OutlinedFacts, "references">;

/** `facts` holds an `Outline`, `uses` the references, `prose` the documentation and comments. */
export type PackedFacts = {
  readonly facts: Uint8Array;
  readonly uses: Uint8Array;
  readonly prose: Uint8Array;
};

/** What was found in a file, with the facts as the parse cache stores them. `problem` is that of the facts. */
export type PackedMeasured = {
  readonly problem: string | null;
  readonly packed: PackedFacts;
  /** See `packNames`. */
  readonly names: Uint32Array;
  readonly stats: Uint8Array;
};

/** Packs the facts. */
export const packMeasured = ({ facts, stats }: Measured): PackedMeasured => ({
  problem: facts.problem,
  packed: packFacts(facts),
  names: packNames(facts),
  stats,
});

/** Returns one shared string for all equal ones. */
export type Intern = (text: string) => string;

/** Facts as JSON lists without field names, one for each part of `PackedFacts`. */
type FactLists = readonly [facts: unknown, uses: unknown, prose: unknown];

export function packFacts(found: FileFacts): PackedFacts {
  const [facts, uses, prose] = factLists(found);
  return { facts: packed(facts), uses: packed(uses), prose: packed(prose) };
}

/** When this form changes, increment `EXPORT_FORMAT` (`format.ts`) and add a migration to the parse cache. */
export function factLists(found: FileFacts): FactLists {
  const { parsed, problem, lineCount, namespace, tokenCount, symbols, imports, exportedAs } = found;
  const { doc, comments, references, commentLines } = found;
  return [
    [
      [parsed, problem, lineCount, namespace, tokenCount],
      symbols.map((symbol) => [
        symbol.name,
        symbol.qualifiedName,
        SYMBOL_KINDS.indexOf(symbol.kind),
        symbol.startLine,
        symbol.endLine,
        symbol.docLine,
        symbol.nameLine,
        symbol.signature,
        symbol.signatureTokens,
        symbol.bodyTokens,
        symbol.parent,
        symbol.exported,
      ]),
      imports.map(({ specifier, line, kind, names, star }) => [
        specifier,
        line,
        kind,
        names.map(({ name, alias }) => [name, alias]),
        star,
      ]),
      Object.entries(exportedAs),
    ],
    references.map(({ name, qualifier, kind, line, symbol }) => [name, qualifier, kind, line, symbol]),
    [
      packedDoc(doc),
      symbols.map((symbol) => packedDoc(symbol.doc)),
      comments.map(({ line, endLine, content, kind, isRationale, symbol }) => [
        line,
        endLine,
        content,
        kind,
        isRationale,
        symbol,
      ]),
      packedLines(commentLines),
    ],
  ];
}

const packed = (value: unknown): Uint8Array => zstdCompressSync(JSON.stringify(value));

/** For each comment, how many lines it begins after the one before, and how many follow its first line. */
const packedLines = (blocks: FileFacts["commentLines"]): readonly number[] =>
  blocks.flatMap(({ line, endLine }, at) => [line - (blocks[at - 1]?.line ?? 0), endLine - line]);

const packedDoc = (doc: DocFact | null): readonly unknown[] | null => (doc === null ? null : [doc.content, doc.format]);

/** Null when unreadable. */
export const unpackOutline = (bytes: Uint8Array, intern: Intern): Outline | null =>
  readable(() => outlineOf(unpacked(bytes), intern));

/** Null when unreadable. */
export const unpackUses = (bytes: Uint8Array): FileFacts["references"] | null =>
  readable(() => list(unpacked(bytes)).map(useOf));

/** Null when any part is unreadable. */
export const unpackFacts = ({ facts, uses, prose }: PackedFacts): FileFacts | null =>
  readable(() => wholeOf(unpacked(facts), unpacked(uses), unpacked(prose)));

/** The inverse of `factLists`; null for anything else. */
export const factsOfLists = (value: unknown): FileFacts | null =>
  readable(() => {
    const [facts, uses, prose] = list(value);
    return wholeOf(facts, uses, prose);
  });

function wholeOf(facts: unknown, uses: unknown, prose: unknown): FileFacts {
  const outline = outlineOf(facts, (text) => text);
  const [doc, docs, comments, lines] = list(prose);
  const written = list(docs);
  if (written.length !== outline.symbols.length) throw unreadable();
  return {
    ...outline,
    doc: docOf(doc),
    symbols: outline.symbols.map((symbol, index) => ({
      ...symbol,
      doc: docOf(written[index]),
    })),
    comments: list(comments).map(commentOf),
    references: list(uses).map(useOf),
    commentLines: linesOf(lines),
  };
}

/** Thrown and caught in this file. */
const unreadable = (): Error => new Error("these are no facts");

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null; // The file is parsed again.
  }
}

const unpacked = (bytes: Uint8Array): unknown => parseJson(unpackZstd(bytes, STORED_BYTES_MAX).toString("utf8"));

function outlineOf(value: unknown, intern: Intern): Outline {
  const [head, symbols, imports, exportedAs] = list(value);
  const [parsed, problem, lineCount, namespace, tokenCount] = list(head);
  return {
    parsed: flag(parsed),
    problem: orNull(problem, text),
    lineCount: whole(lineCount),
    namespace: orNull(namespace, text),
    tokenCount: whole(tokenCount),
    doc: null,
    symbols: list(symbols).map((symbol) => symbolOf(symbol, intern)),
    comments: [],
    imports: list(imports).map((each) => importOf(each, intern)),
    exportedAs: Object.fromEntries(
      list(exportedAs).map((entry) => {
        const [name, local] = list(entry);
        return [intern(text(name)), intern(text(local))];
      }),
    ),
    commentLines: [],
  };
}

function symbolOf(value: unknown, intern: Intern): OutlineSymbol {
  const row = list(value);
  const kind = SYMBOL_KINDS[whole(row[2])];
  if (kind === undefined) throw unreadable();
  const name = intern(text(row[0]));
  const qualifiedName = text(row[1]);
  return {
    name,
    // Not shared if it is longer: of 640,000 such names four fifths are in one file only.
    qualifiedName: qualifiedName === name ? name : qualifiedName,
    kind,
    startLine: whole(row[3]),
    endLine: whole(row[4]),
    docLine: whole(row[5]),
    nameLine: whole(row[6]),
    signature: text(row[7]),
    signatureTokens: whole(row[8]),
    bodyTokens: whole(row[9]),
    parent: orNull(row[10], whole),
    exported: flag(row[11]),
  };
}

function importOf(value: unknown, intern: Intern): ImportFact {
  const [specifier, line, kind, names, star] = list(value);
  return {
    specifier: intern(text(specifier)),
    line: whole(line),
    kind: among(kind, IMPORT_KINDS),
    names: list(names).map((pair) => {
      const [name, alias] = list(pair);
      return {
        name: intern(text(name)),
        alias: alias === null ? null : intern(text(alias)),
      };
    }),
    star: flag(star),
  };
}

function useOf(value: unknown): ReferenceFact {
  const row = list(value);
  return {
    name: text(row[0]),
    qualifier: orNull(row[1], text),
    kind: among(row[2], REFERENCE_KINDS),
    line: whole(row[3]),
    symbol: orNull(row[4], whole),
  };
}

function commentOf(value: unknown): CommentFact {
  const [line, endLine, content, kind, isRationale, symbol] = list(value);
  return {
    line: whole(line),
    endLine: whole(endLine),
    content: text(content),
    kind: among(kind, COMMENT_KINDS),
    isRationale: flag(isRationale),
    symbol: orNull(symbol, whole),
  };
}

function linesOf(value: unknown): FileFacts["commentLines"] {
  const numbers = list(value).map(whole);
  if (numbers.length % 2 !== 0) throw unreadable();
  let line = 0;
  return Array.from({ length: numbers.length / 2 }, (_, at) => {
    line += numbers[2 * at] ?? 0;
    return { line, endLine: line + (numbers[2 * at + 1] ?? 0) };
  });
}

function docOf(value: unknown): DocFact | null {
  if (value === null) return null;
  const [content, format] = list(value);
  return { content: text(content), format: among(format, DOC_FORMATS) };
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable();
  return value;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw unreadable();
  return value;
}

/** A non-negative integer. */
function whole(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw unreadable();
  return value;
}

function flag(value: unknown): boolean {
  if (typeof value !== "boolean") throw unreadable();
  return value;
}

const orNull = <T>(value: unknown, read: (value: unknown) => T): T | null => (value === null ? null : read(value));

function among<T extends string>(value: unknown, options: readonly T[]): T {
  for (const option of options) if (option === value) return option;
  throw unreadable();
}
