/**
 * One row of an export: the facts of one content, keyed by its hash and language.
 *
 * Layout, little-endian: hash (32 bytes), length of the language name (1), the name, unpacked size (4), packed size (4), then a
 * zstd frame: length of the facts (4), the facts as JSON, the term statistics. Whatever the bytes are, a row that is read has valid
 * types and consistent facts, and never unpacks to more than its limit.
 */
import { zstdCompressSync } from "node:zlib";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { factLists, factsOfLists } from "../../syntax/facts/facts-codec.ts";
import { parseJson } from "../../text/parse-json.ts";
import { soundTermStats } from "../../text/terms/term-stats-check.ts";
import { unpackZstd } from "../../text/zstd.ts";
import type { ParseKey } from "../parse-cache/parse-cache.ts";

/** The result of parsing one content. */
export type ContentFacts = { readonly facts: FileFacts; readonly stats: Uint8Array };

/** The position of a row: its packed part runs from `at` to `end`. */
export type RowLocation = ParseKey & { readonly at: number; readonly end: number; readonly rawBytes: number };

const HASH_BYTES = 32;
/** The largest row, unpacked. */
const RAW_BYTES_MAX = 64 * 1024 * 1024;
const LANGUAGE = /^[a-z0-9][a-z0-9_+#.-]{0,39}$/;

/** The bytes of a row and its unpacked size; null for facts that could not be read back. */
export function packRow({ hash, language }: ParseKey, { facts, stats }: ContentFacts): PackedRow | null {
  if (!LANGUAGE.test(language) || !areValidFacts(facts, stats)) return null;
  const json = Buffer.from(JSON.stringify(factLists(facts)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const raw = Buffer.concat([length, json, stats]);
  if (raw.length > RAW_BYTES_MAX) return null;
  const packed = zstdCompressSync(raw);
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(raw.length);
  sizes.writeUInt32LE(packed.length, 4);
  const head = [Buffer.from(hash, "hex"), Buffer.from([language.length]), Buffer.from(language, "latin1"), sizes];
  return { bytes: Buffer.concat([...head, packed]), rawBytes: raw.length };
}

export type PackedRow = { readonly bytes: Uint8Array; readonly rawBytes: number };

/** The row that starts at an offset; null when none does. */
export function locateRow(bytes: Buffer, start: number): RowLocation | null {
  const sizesAt = start + HASH_BYTES + 1 + (bytes[start + HASH_BYTES] ?? 0);
  if (sizesAt + 8 > bytes.length) return null;
  const hash = bytes.toString("hex", start, start + HASH_BYTES);
  const language = bytes.toString("latin1", start + HASH_BYTES + 1, sizesAt);
  const rawBytes = bytes.readUInt32LE(sizesAt);
  const at = sizesAt + 8;
  const end = at + bytes.readUInt32LE(sizesAt + 4);
  if (end > bytes.length || rawBytes > RAW_BYTES_MAX || !LANGUAGE.test(language)) return null;
  return { hash, language, at, end, rawBytes };
}

/** The contents of a row; null when it is invalid. */
export function unpackRow(bytes: Buffer, { at, end, rawBytes }: RowLocation): ContentFacts | null {
  try {
    const raw = unpackZstd(bytes.subarray(at, end), rawBytes);
    if (raw.length !== rawBytes) return null;
    const statsAt = 4 + raw.readUInt32LE(0);
    if (statsAt > raw.length) return null;
    const facts = factsOfLists(parseJson(STRICT.decode(raw.subarray(4, statsAt))));
    // A copy, for alignment and to release the buffer.
    const stats = new Uint8Array(raw.subarray(statsAt));
    return facts !== null && areValidFacts(facts, stats) ? { facts, stats } : null;
  } catch {
    return null; // Invalid bytes, for whatever reason.
  }
}

const STRICT = new TextDecoder("utf-8", { fatal: true });

/** The most facts of one kind in one file; parsing keeps fewer. */
const COUNT_MAX = 100_000;
/** Parsing cuts signatures at 400 characters, and names are part of them. */
const NAME_MAX = 20_000;

/** Whether lines are within the file, indexes within their lists, and sizes plausible. Types are checked before. */
export function areValidFacts(facts: FileFacts, stats: Uint8Array): boolean {
  const { lineCount, symbols, comments, imports, references, exportedAs, namespace, doc, commentLines } = facts;
  // An empty file has no lines, but facts about it are on line 1.
  const lineMax = Math.max(1, lineCount);
  const isLine = (line: number): boolean => line >= 1 && line <= lineMax;
  const isSpan = (first: number, last: number): boolean => isLine(first) && isLine(last) && first <= last;
  const isSymbol = (symbol: number | null): boolean => symbol === null || symbol < symbols.length;
  const isDoc = (text: typeof doc): boolean => text === null || text.content.length <= TEXT_MAX;
  return (
    [symbols, comments, imports, references, commentLines, Object.keys(exportedAs)].every(
      ({ length }) => length <= COUNT_MAX,
    ) &&
    (namespace?.length ?? 0) <= NAME_MAX &&
    isDoc(doc) &&
    symbols.every(
      (symbol, index) =>
        isSpan(symbol.startLine, symbol.endLine) &&
        isSpan(symbol.docLine, symbol.endLine) &&
        isLine(symbol.nameLine) &&
        (symbol.parent === null || symbol.parent < index) &&
        symbol.name.length <= NAME_MAX &&
        symbol.qualifiedName.length <= NAME_MAX &&
        symbol.signature.length <= NAME_MAX &&
        isDoc(symbol.doc),
    ) &&
    comments.every(
      ({ line, endLine, symbol, content }) => isSpan(line, endLine) && isSymbol(symbol) && content.length <= TEXT_MAX,
    ) &&
    imports.every(
      ({ line, specifier, names }) => isLine(line) && specifier.length <= NAME_MAX && names.length <= COUNT_MAX,
    ) &&
    commentLines.every(({ line, endLine }) => isSpan(line, endLine)) &&
    references.every(({ line, symbol, name }) => isLine(line) && isSymbol(symbol) && name.length <= NAME_MAX) &&
    soundTermStats(stats, symbols.length)
  );
}

/** The largest size limit for a file. */
const TEXT_MAX = 64 * 1024 * 1024;
