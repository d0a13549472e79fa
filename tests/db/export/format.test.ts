/** The export format: contents, and what is refused. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { beginsExport, exportWriter, type OpenExport, openExport } from "../../../src/db/export/format.ts";
import { type ContentFacts, locateRow, unpackRow } from "../../../src/db/export/row.ts";
import { Failed } from "../../../src/failure.ts";
import type { FileFacts } from "../../../src/syntax/facts/facts.ts";
import { factLists } from "../../../src/syntax/facts/facts-codec.ts";
import { encodeTermStats } from "../../../src/text/terms/encode-term-stats.ts";
import { readTermStats } from "../../../src/text/terms/term-stats.ts";

const MAKING = { craVersion: "1.2.3", extractorVersion: "4 some grammars" };
const NEVER = new AbortController().signal;
const hashOf = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

const TEXT = "def add(a, b):\n    # because it is asked for\n    return a + b\n";
const SYMBOL: FileFacts["symbols"][number] = {
  name: "add",
  qualifiedName: "add",
  kind: "function",
  startLine: 1,
  endLine: 3,
  docLine: 1,
  nameLine: 1,
  signature: "def add(a, b)",
  signatureTokens: 6,
  bodyTokens: 20,
  parent: null,
  exported: true,
  doc: { content: "Adds.", format: "plain" },
};
const FACTS: FileFacts = {
  parsed: true,
  problem: null,
  lineCount: 3,
  namespace: null,
  tokenCount: 20,
  doc: null,
  symbols: [SYMBOL],
  comments: [
    { line: 2, endLine: 2, content: "because it is asked for", kind: "rationale", isRationale: true, symbol: 0 },
  ],
  imports: [{ specifier: "os", line: 1, kind: "import", names: [{ name: "*", alias: "os" }], star: false }],
  references: [{ name: "len", qualifier: null, kind: "call", line: 3, symbol: 0 }],
  exportedAs: { ["__proto__"]: "add" },
  commentLines: [{ line: 2, endLine: 2 }],
};
const STATS = encodeTermStats({ text: TEXT, symbols: FACTS.symbols, commentLines: [], docstrings: true });
const FOUND: ContentFacts = { facts: FACTS, stats: STATS };
const key = (name: string, language = "python") => ({ hash: hashOf(name), language });

function exported(names: readonly string[]): Buffer {
  const writer = exportWriter(MAKING);
  for (const name of names) writer.add(key(name), FOUND);
  return Buffer.from(writer.bytes());
}

const opened = (bytes: Uint8Array, making = MAKING): Promise<OpenExport> =>
  openExport(bytes, "team.cra-export", making, () => undefined, NEVER);

/** What a user is told of bytes that are refused; "opened" when they are not. */
async function refusal(bytes: Uint8Array, making = MAKING): Promise<string> {
  try {
    await opened(bytes, making);
    return "opened";
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "import-refused") throw error;
    return error.failure.why;
  }
}

test("finds exported facts by content and language only", async () => {
  const there = await opened(exported(["a", "b"]));
  expect(there.files).toBe(2);
  expect(there.find(key("a"))).toEqual(FOUND);
  expect(Object.keys(there.find(key("a"))?.facts.exportedAs ?? {})).toEqual(["__proto__"]);
  expect(there.find(key("c"))).toBeNull();
  expect(there.find(key("a", "go"))).toBeNull();
  expect((await opened(exported([]))).files).toBe(0);
});

test("the same facts give the same bytes in any order", () => {
  expect(exported(["b", "a", "c"]).equals(exported(["c", "b", "a"]))).toBe(true);
});

/** A change here means that older exports can no longer be read: raise the format's number as well. */
test("the encoding of facts matches this format version", () => {
  expect(JSON.stringify(factLists({ ...FACTS, exportedAs: { a: "b" } }))).toBe(
    '[[[true,null,3,null,20],[["add","add",0,1,3,1,1,"def add(a, b)",6,20,null,true]],[["os",1,"import",[["*","os"]],false]],[["a","b"]]],[["len",null,"call",3,0]],[null,[["Adds.","plain"]],[[2,2,"because it is asked for","rationale",true,0]],[2,0]]]',
  );
  expect(hashOf(STATS)).toBe("30d4786cf204ad9f312d485f15a388c5d5e6efbb589515e0361b4cc908f88680");
});

test("refuses any changed or missing byte", async () => {
  const whole = exported(["a", "b", "c"]);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      expect(await refusal(damaged)).not.toBe("opened");
    }),
    { numRuns: 200 },
  );
  for (let length = 0; length < whole.length; length += 7)
    expect(await refusal(whole.subarray(0, length))).toMatch(
      /^it is truncated$|^its header is|^it is not an index export/,
    );
  expect(await refusal(Buffer.concat([whole, Buffer.from("x")]))).toBe("its checksum does not match its content");
});

test("refuses files of other formats", async () => {
  for (const foreign of [
    "",
    "{}",
    "SQLite format 3\0",
    "cra index",
    "\x7fELF",
    "cra index export \n",
    "x".repeat(9_000),
  ])
    expect(await refusal(Buffer.from(foreign))).toMatch(/^it is not an index export$|^it is truncated$/);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect(await refusal(bytes)).not.toBe("opened");
    }),
  );
  expect(beginsExport(exported([]))).toBe(true);
  expect(beginsExport(Buffer.from("# my notes"))).toBe(false);
});

test("refuses another version and names both", async () => {
  expect(await refusal(exported(["a"]), { craVersion: "2.0.0", extractorVersion: "5" })).toBe(
    "it was written by cra 1.2.3, which parses sources differently than this cra 2.0.0",
  );
  expect(await refusal(exported(["a"]), { craVersion: "1.2.3", extractorVersion: "5" })).toContain("another build");
});

/** The number of this format, from the second line of an export. */
const FORMAT: unknown = JSON.parse(exported([]).toString("utf8").split("\n")[1] ?? "").format;

/** An export made by hand, whose checksums are right whatever is in it. */
function crafted(rows: readonly Uint8Array[], head: Readonly<Record<string, unknown>> = {}): Buffer {
  const body = Buffer.concat(rows);
  const rawBytes = rows.reduce((sum, row) => sum + Buffer.from(row).readUInt32LE(33 + (row[32] ?? 0)), 0);
  const about = { format: FORMAT, cra: "1.2.3", extractor: MAKING.extractorVersion, files: rows.length };
  const line = `${JSON.stringify({ ...about, bytes: body.length, raw_bytes: rawBytes, sha256: hashOf(body), ...head })}\n`;
  return Buffer.concat([Buffer.from(`cra index export ${hashOf(line)}\n${line}`), body]);
}

/** A row around packed bytes, with the lengths that are claimed. */
function row(name: string, packed: Uint8Array, rawBytes: number, language = "python", packedBytes = packed.length) {
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(rawBytes);
  sizes.writeUInt32LE(packedBytes, 4);
  const lead = [Buffer.from(hashOf(name), "hex"), Buffer.from([language.length]), Buffer.from(language, "latin1")];
  return Buffer.concat([...lead, sizes, packed]);
}

/** A row of any JSON and statistics. */
function rowOf(name: string, json: string | Uint8Array, stats: Uint8Array = STATS): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.from(json).length);
  const raw = Buffer.concat([length, Buffer.from(json), stats]);
  return row(name, zstdCompressSync(raw), raw.length);
}
const rowFor = (facts: FileFacts, stats = STATS): Buffer => rowOf("a", JSON.stringify(factLists(facts)), stats);

/** A row that claims to be one byte longer than it is, unpacked. */
function longer(honest: Buffer): Buffer {
  const claiming = Buffer.from(honest);
  const at = 33 + (claiming[32] ?? 0);
  claiming.writeUInt32LE(claiming.readUInt32LE(at) + 1, at);
  return claiming;
}

test("refuses an implausible size before unpacking", async () => {
  const zeros = zstdCompressSync(Buffer.alloc(60 * 1024 * 1024));
  const rows = ["a", "b"].map((name) => row(name, zeros, 60 * 1024 * 1024));
  expect(await refusal(crafted(rows))).toBe("it expands to an implausible size");
});

test("opens a correct export made by hand", async () => {
  expect(await refusal(crafted([rowFor(FACTS)]))).toBe("opened");
});

test("refuses invalid rows even with correct checksums", async () => {
  const bomb = zstdCompressSync(Buffer.alloc(60 * 1024 * 1024));
  const withByte = (at: number, value: number): Uint8Array => {
    const changed = STATS.slice();
    changed[at] = value;
    return changed;
  };
  const segmentAt = readTermStats(STATS)?.segmentAt ?? 0;
  const symbol = (change: Partial<typeof SYMBOL>): FileFacts => ({ ...FACTS, symbols: [{ ...SYMBOL, ...change }] });
  const hostile: Readonly<Record<string, Buffer>> = {
    "unpacks to more than it says": crafted([row("a", bomb, 4)]),
    "unpacks to far more": crafted([row("a", bomb, 60 * 1024 * 1024)]),
    "unpacks to one byte less": crafted([longer(rowFor(FACTS))]),
    "unpacks to less": crafted([row("a", zstdCompressSync("abc"), 900)]),
    "larger than any row": crafted([row("a", bomb, 0xffffffff)], { raw_bytes: 1 }),
    "longer than the file": crafted([row("a", bomb, 4, "python", 0xffffffff)]),
    "no zstd": crafted([row("a", Buffer.from("plain"), 5)]),
    "a language that leaves its place": crafted([row("a", bomb, 4, "../../etc")]),
    "a language with an escape": crafted([row("a", bomb, 4, "\x1b[2J")]),
    "more rows than it says": crafted([rowFor(FACTS)], { files: 0 }),
    "fewer rows than it says": crafted([rowFor(FACTS)], { files: 9_000_000_000_000 }),
    "a count that is none": crafted([rowFor(FACTS)], { files: -1 }),
    "more in the head": crafted([rowFor(FACTS)], { path: "/etc/passwd" }),
    "a head of another prototype": crafted([rowFor(FACTS)], { constructor: {} }),
    "a later format": crafted([rowFor(FACTS)], { format: 1_000_000 }),
    "twice the same": crafted([rowFor(FACTS), rowFor(FACTS)]),
    "out of order": crafted(
      ["a", "b"].map((name) => rowOf(name, JSON.stringify(factLists(FACTS)))).sort((a, b) => Buffer.compare(b, a)),
    ),
    "no JSON": crafted([rowOf("a", "{")]),
    "JSON of another form": crafted([rowOf("a", '{"__proto__":{"parsed":true}}')]),
    "JSON nested without end": crafted([rowOf("a", "[".repeat(500_000))]),
    "bytes that are no text": crafted([
      rowOf("a", Buffer.from(JSON.stringify(factLists(FACTS)).replace("Adds.", "\xff\xfe"), "latin1")),
    ]),
    "facts of another type": crafted([rowOf("a", JSON.stringify(factLists(FACTS)).replace('"add"', "7"))]),
    "a line beyond the last": crafted([rowFor(symbol({ endLine: 4 }))]),
    "a line before the first": crafted([rowFor(symbol({ startLine: 0, docLine: 0 }))]),
    "an end before the start": crafted([rowFor(symbol({ startLine: 3, endLine: 2 }))]),
    "a parent that is itself": crafted([rowFor(symbol({ parent: 0 }))]),
    "an endless name": crafted([rowFor(symbol({ name: "x".repeat(30_000) }))]),
    "a comment of no symbol": crafted([
      rowFor({ ...FACTS, comments: FACTS.comments.map((one) => ({ ...one, symbol: 1 })) }),
    ]),
    "a use in no symbol": crafted([
      rowFor({ ...FACTS, references: FACTS.references.map((one) => ({ ...one, symbol: 9 })) }),
    ]),
    "too many uses": crafted([
      rowFor({
        ...FACTS,
        references: Array.from({ length: 100_001 }, () => ({
          name: "a",
          qualifier: null,
          kind: "call" as const,
          line: 1,
          symbol: 0,
        })),
      }),
    ]),
    "no statistics": crafted([rowFor(FACTS, new Uint8Array())]),
    "statistics of another format": crafted([rowFor(FACTS, withByte(0, 7))]),
    "statistics that are cut": crafted([rowFor(FACTS, STATS.slice(0, -4))]),
    "a segment of no symbol": crafted([rowFor(FACTS, withByte(segmentAt + 6, 5))]),
    "a segment around itself": crafted([rowFor(FACTS, withByte(segmentAt + 8, 2))]),
    "a segment of no kind": crafted([rowFor(FACTS, withByte(segmentAt + 7, 99))]),
    "a length below zero": crafted([rowFor(FACTS, withByte(4 * 4 + 3, 0x80))]),
    "a place in no segment": crafted([rowFor(FACTS, withByte(STATS.length - 1, 0x7e))]),
  };
  for (const [what, bytes] of Object.entries(hostile))
    expect([what, await refusal(bytes)]).not.toEqual([what, "opened"]);
});

test("any bytes give either consistent facts or none", () => {
  const good = rowFor(FACTS);
  const place = locateRow(good, 0);
  if (place === null) throw new Error("the row is there");
  const raw = zstdDecompressSync(good.subarray(place.at, place.end));
  fc.assert(
    fc.property(fc.nat(raw.length - 1), fc.nat(255), (at, value) => {
      const changed = Buffer.from(raw);
      changed[at] = value;
      const bytes = row("a", zstdCompressSync(changed), changed.length);
      const there = locateRow(bytes, 0);
      const found = there === null ? null : unpackRow(bytes, there);
      if (found !== null)
        expect(found.facts.symbols.every(({ endLine }) => endLine <= found.facts.lineCount)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("facts that could not be read back are not exported", () => {
  const writer = exportWriter(MAKING);
  expect(writer.add(key("a"), { facts: { ...FACTS, lineCount: 1 }, stats: STATS })).toBe(false);
  expect(writer.add(key("a", "no such/language"), FOUND)).toBe(false);
  expect(writer.add(key("a"), FOUND)).toBe(true);
  expect(writer.files()).toBe(1);
});

test("a signal aborts verification with its reason", async () => {
  const reason = new Failed({ code: "cancelled", signal: "SIGINT" });
  const checking = openExport(exported(["a"]), "x", MAKING, () => undefined, AbortSignal.abort(reason));
  expect(await checking.catch((error: unknown) => error)).toBe(reason);
});
