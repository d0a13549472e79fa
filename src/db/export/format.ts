/**
 * The file that carries an index's facts to another machine.
 *
 * A first line that names the format and the SHA-256 of the second; a second line of JSON, with the versions, how many
 * rows there are, how long they are and the SHA-256 of them all; then the rows, by hash and language
 * (`row.ts`). So every byte is under a checksum, and the same facts give the same bytes.
 * Invariants: it holds no path, no task and no time; what is opened was checked to its last row. Checksums find damage,
 * not lies: whoever makes a file makes its checksums. Not here: where the bytes come from, and what is done about lies
 * (`indexing/update/import-facts.ts`).
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { display } from "../../text/display.ts";
import { keyOf, type ParseKey } from "../parse-cache/parse-cache.ts";
import { type FoundFacts, type PackedRow, packRow, placeRow, type RowPlace, unpackRow } from "./row.ts";

/** Raised whenever rows are written in another form (`row.ts`, `facts-codec.ts`). */
const EXPORT_FORMAT = 1;
/** The largest file that is read; it is held in memory whole. */
export const EXPORT_BYTES_MAX = 512 * 1024 * 1024;
/** Real rows unpack to two or three times their length, repetitive ones to twenty times; more than this is an attack. */
const EXPANSION_MAX = 100;
/** So much does no harm, however few bytes it comes from. */
const RAW_BYTES_FREE = 64 * 1024 * 1024;

/** What facts were found with. */
export type ExportMaking = { readonly craVersion: string; readonly extractorVersion: string };

/** An export that was checked: what it says of contents, by their hash. */
export type OpenExport = { readonly files: number; find(key: ParseKey): FoundFacts | null };

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

/** Whether a file that begins with these bytes is an export, whole or not. */
export const beginsExport = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, MAGIC.length)).toString("latin1") === MAGIC;

const sha256 = (...parts: readonly (Uint8Array | string)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** Collects rows in any order; `bytes` is the file of all. */
export function exportWriter({ craVersion, extractorVersion }: ExportMaking) {
  const rows = new Map<string, PackedRow>();
  return {
    has: (key: ParseKey): boolean => rows.has(keyOf(key)),
    /** Adds what was found in a content; says whether it can be exported. */
    add(key: ParseKey, found: FoundFacts): boolean {
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

/** After so many rows the event loop gets a turn, so that signals and progress are seen. */
const ROWS_PER_TURN = 100;

/**
 * Checks an export to its last row, and opens it. `where` names it in messages. Throws `import-refused`, or the
 * signal's reason.
 */
export async function openExport(
  given: Uint8Array,
  where: string,
  making: ExportMaking,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<OpenExport> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const refused = (why: string, next = "get it again, or make it anew: cra index --export FILE"): Failed =>
    new Failed({ code: "import-refused", where, why, next });
  const { header, bodyAt } = readHeader(bytes, refused);
  if (header.format !== EXPORT_FORMAT || header.extractor !== making.extractorVersion) {
    const [by, here] = [display(header.cra), making.craVersion];
    const what = by === here ? "another build of it" : `cra ${by}`;
    throw refused(
      `${what} made it, which reads sources in another way than this cra ${here}`,
      "use the same version on both sides",
    );
  }
  const body = bytes.subarray(bodyAt);
  if (body.length < header.bytes) throw refused("it is cut short");
  if (body.length > header.bytes || sha256(body) !== header.sha256)
    throw refused("its bytes are not those that were written");
  if (header.raw_bytes > Math.max(RAW_BYTES_FREE, EXPANSION_MAX * header.bytes))
    throw refused("it unpacks to far more than facts do");
  const rows = new Map<string, RowPlace>();
  let rawBytes = 0;
  let before = "";
  for (let at = 0; at < body.length; ) {
    if (rows.size % ROWS_PER_TURN === 0) {
      signal.throwIfAborted();
      onProgress(rows.size, header.files);
      await new Promise((resume) => setImmediate(resume));
    }
    const row = placeRow(body, at);
    rawBytes += row?.rawBytes ?? 0;
    if (row === null || keyOf(row) <= before || rows.size === header.files || rawBytes > header.raw_bytes)
      throw refused(`its entry ${rows.size + 1} is none`);
    if (unpackRow(body, row) === null) throw refused(`its entry ${rows.size + 1} does not hold together`);
    before = keyOf(row);
    rows.set(before, row);
    at = row.end;
  }
  if (rows.size !== header.files || rawBytes !== header.raw_bytes) throw refused("it has less in it than it says");
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
    throw refused(begun ? "it is cut short" : "it is no export of an index");
  }
  const bodyAt = bytes.subarray(0, FIRST_LINE_BYTES + HEADER_BYTES_MAX).indexOf("\n", FIRST_LINE_BYTES) + 1;
  const line = bytes.subarray(FIRST_LINE_BYTES, bodyAt);
  if (bodyAt === 0 || sha256(line) !== first[1]) throw refused("its head is not what was written, or cut short");
  const read = Header.safeParse(jsonOf(line));
  if (!read.success) throw refused("its head is not one that cra writes");
  return { header: read.data, bodyAt };
}

function jsonOf(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return null; // No header has this form.
  }
}
