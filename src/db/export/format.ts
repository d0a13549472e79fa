/**
 * The file format of `cra index --export`: facts about contents, keyed by content hash.
 *
 * The first line names the format and the SHA-256 of the second line. The second line is JSON: versions, number of rows, sizes and
 * the SHA-256 of all rows. Then follow the rows, sorted by hash and language (`row.ts`). The file holds no path, task or time, and
 * the same facts give the same bytes. Checksums detect damage, not lies; `indexing/update/verify-import.ts` handles lies.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { nextTurn } from "../../concurrency/next-turn.ts";
import { Failed } from "../../failure.ts";
import { display } from "../../text/display.ts";
import { parseJson } from "../../text/parse-json.ts";
import { keyOf, type ParseKey } from "../parse-cache/parse-cache.ts";
import { type ContentFacts, locateRow, type PackedRow, packRow, type RowLocation, unpackRow } from "./row.ts";

/** Incremented whenever the form of rows changes (`row.ts`, `facts-codec.ts`). */
const EXPORT_FORMAT = 3;
/** The largest file that is read; it is held in memory. */
export const EXPORT_BYTES_MAX = 512 * 1024 * 1024;
/** Real rows expand two or three times, repetitive ones twenty times; more than this is an attack. */
const EXPANSION_MAX = 100;
/** This size is harmless, whatever the expansion. */
const RAW_BYTES_FREE = 64 * 1024 * 1024;

/** The versions that produced the facts. */
type ExportVersions = { readonly craVersion: string; readonly extractorVersion: string };

/** A verified export. */
export type OpenExport = { readonly files: number; find(key: ParseKey): ContentFacts | null };

const MAGIC = "cra index export ";
const FIRST_LINE = new RegExp(`^${MAGIC}([0-9a-f]{64})\n$`);
const FIRST_LINE_BYTES = MAGIC.length + 64 + 1;
const HEADER_BYTES_MAX = 8 * 1024;

const Header = z.strictObject({
  format: z.int().nonnegative(),
  cra: z.string().max(200),
  extractor: z.string().max(4_000),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  raw_bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Whether a file that begins with these bytes is an export, complete or not. */
export const beginsExport = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, MAGIC.length)).toString("latin1") === MAGIC;

const sha256 = (...parts: readonly (Uint8Array | string)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** Collects rows in any order; `bytes` returns the whole file. */
export function exportWriter({ craVersion, extractorVersion }: ExportVersions) {
  const rows = new Map<string, PackedRow>();
  return {
    has: (key: ParseKey): boolean => rows.has(keyOf(key)),
    /** Adds the facts of a content; false when they cannot be exported. */
    add(key: ParseKey, found: ContentFacts): boolean {
      const row = packRow(key, found);
      if (row !== null) rows.set(keyOf(key), row);
      return row !== null;
    },
    files: (): number => rows.size,
    bytes(): Uint8Array {
      const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
      const body = Buffer.concat(sorted.map(({ bytes }) => bytes));
      const header = `${JSON.stringify({
        format: EXPORT_FORMAT,
        cra: craVersion,
        extractor: extractorVersion,
        files: sorted.length,
        bytes: body.length,
        raw_bytes: sorted.reduce((sum, { rawBytes }) => sum + rawBytes, 0),
        sha256: sha256(body),
      } satisfies z.infer<typeof Header>)}\n`;
      return Buffer.concat([Buffer.from(`${MAGIC}${sha256(header)}\n${header}`), body]);
    },
  };
}

/** Rows verified between two turns of the event loop. */
const ROWS_PER_TURN = 100;

/** Verifies every row of an export and opens it. `where` names it in messages. Throws `import-refused`, or the signal's reason. */
export async function openExport(
  given: Uint8Array,
  where: string,
  making: ExportVersions,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<OpenExport> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const refused = (why: string, next = "download it again, or export it again: cra index --export FILE"): Failed =>
    new Failed({ code: "import-refused", where, why, next });
  const { header, bodyAt } = readHeader(bytes, refused);
  if (header.format !== EXPORT_FORMAT || header.extractor !== making.extractorVersion) {
    const [by, here] = [display(header.cra), making.craVersion];
    const what = by === here ? "another build" : `cra ${by}`;
    throw refused(
      `it was written by ${what}, which parses sources differently than this cra ${here}`,
      "use the same version on both sides",
    );
  }
  const body = bytes.subarray(bodyAt);
  if (body.length < header.bytes) throw refused("it is truncated");
  if (body.length > header.bytes || sha256(body) !== header.sha256)
    throw refused("its checksum does not match its content");
  if (header.raw_bytes > Math.max(RAW_BYTES_FREE, EXPANSION_MAX * header.bytes))
    throw refused("it expands to an implausible size");
  const rows = new Map<string, RowLocation>();
  let rawBytes = 0;
  let before = "";
  for (let at = 0; at < body.length; ) {
    if (rows.size % ROWS_PER_TURN === 0) {
      signal.throwIfAborted();
      onProgress(rows.size, header.files);
      await nextTurn();
    }
    const row = locateRow(body, at);
    rawBytes += row?.rawBytes ?? 0;
    if (row === null || keyOf(row) <= before || rows.size === header.files || rawBytes > header.raw_bytes)
      throw refused(`entry ${rows.size + 1} is invalid`);
    if (unpackRow(body, row) === null) throw refused(`entry ${rows.size + 1} is inconsistent`);
    before = keyOf(row);
    rows.set(before, row);
    at = row.end;
  }
  if (rows.size !== header.files || rawBytes !== header.raw_bytes)
    throw refused("it contains less than its header states");
  return {
    files: rows.size,
    find(key) {
      const row = rows.get(keyOf(key));
      return row === undefined ? null : unpackRow(body, row);
    },
  };
}

function readHeader(
  bytes: Buffer,
  refused: (why: string) => Failed,
): { readonly header: z.infer<typeof Header>; readonly bodyAt: number } {
  const first = FIRST_LINE.exec(bytes.toString("latin1", 0, FIRST_LINE_BYTES));
  if (first === null) {
    const begun =
      bytes.length > 0 &&
      bytes.length < FIRST_LINE_BYTES &&
      MAGIC.startsWith(bytes.toString("latin1", 0, MAGIC.length));
    throw refused(begun ? "it is truncated" : "it is not an index export");
  }
  const bodyAt = bytes.subarray(0, FIRST_LINE_BYTES + HEADER_BYTES_MAX).indexOf("\n", FIRST_LINE_BYTES) + 1;
  const line = bytes.subarray(FIRST_LINE_BYTES, bodyAt);
  if (bodyAt === 0 || sha256(line) !== first[1]) throw refused("its header is damaged or truncated");
  const read = Header.safeParse(parseJson(line.toString("utf8")));
  if (!read.success) throw refused("its header is invalid");
  return { header: read.data, bodyAt };
}
