/** References from a SCIP index that a compiler made: they replace guesses, and only in files with the content that was indexed. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { checkCurated } from "../../../src/db/check/curated.ts";
import { Failed } from "../../../src/failure.ts";
import { hashOfIndex } from "../../../src/indexing/update/scan/compare.ts";
import { dumpCuratedFile } from "../../support/dump.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";
import { runIndex, sharedWorlds, type World } from "../update/index-repo-world.ts";

const FIXTURE = join(import.meta.dir, "../../fixtures/scip");
const SCIP = readFileSync(join(FIXTURE, "index.scip"));
const SOURCES = readdirSync(join(FIXTURE, "project/src"));

const worldOf = sharedWorlds();

/** A repository with the project that the index was made from, in a folder. */
function shop(folder = ""): TempRepo {
  const source = (name: string): string => readFileSync(join(FIXTURE, "project/src", name), "utf8");
  return tempRepo(Object.fromEntries(SOURCES.map((name) => [`${folder}src/${name}`, source(name)])));
}

/** `cart.show > FileStore.load call .3`, of callers whose names begin so. */
function edges({ paths }: World, caller = ""): readonly string[] {
  using db = new Database(paths.curated, { readonly: true });
  const rows = db
    .query<{ edge: string }, [string]>(
      `select c.qualified_name || ' > ' || d.qualified_name || ' ' || r.kind || ' ' || r.confidence as edge
       from symbol_references r join symbols c on c.id = r.caller_id join symbols d on d.id = r.callee_id
       where c.qualified_name like ?1 || '%' order by 1`,
    )
    .all(caller);
  return rows.map(({ edge }) => edge);
}

const soundness = (here: World): readonly unknown[] => [
  ...checkCurated(here.paths.curated, hashOfIndex, () => undefined),
];

test("exact references replace guesses and add uses that no parser sees", async () => {
  using repo = shop();
  const here = worldOf(repo);
  await runIndex(here);
  const guessed = edges(here);
  expect(guessed).toContain("show > open.memory call 0.8");
  expect(guessed.filter((edge) => edge.includes(".load"))).toEqual([]);
  expect(guessed.filter((edge) => edge.includes(" use "))).toEqual([]);

  const { meta } = await runIndex(here, { scip: SCIP });
  expect(meta.scip).toMatchObject({ files: 3, changed: 0, unknown: 0 });
  expect(edges(here, "show")).toEqual([
    "show > Größe call 1.0",
    "show > Größe.cents use 1.0",
    "show > MemoryStore.load call 1.0",
    "show > open use 1.0",
    "show > open.memory call 1.0",
    "show > total call 1.0",
    "show > total call 1.0",
    "show > total call 1.0",
  ]);
  expect(edges(here, "save")).toEqual(["save > Store type 1.0", "save > Store.flush call 1.0", "save > pick call 1.0"]);
  expect(edges(here, "add")).toEqual(["add > LIMIT use 1.0"]);
  // Two definitions in one line: each has its own.
  expect(edges(here, "open.")).toEqual(["open.file > FileStore call 1.0", "open.memory > MemoryStore call 1.0"]);
  expect(soundness(here)).toEqual([]);
});

test("later runs keep them for files that did not change; a rebuild forgets them", async () => {
  using repo = shop();
  const here = worldOf(repo);
  const exact = (await runIndex(here, { scip: SCIP })).meta;
  expect((await runIndex(here)).changed).toBe(false);
  const before = edges(here);

  const cart = join(repo.path, "src/cart.ts");
  const text = readFileSync(cart, "utf8");
  await Bun.write(cart, text.replace("own.flush()", "own.flush ( )"));
  const changed = await runIndex(here);
  expect(changed.meta.contentHash).not.toBe(exact.contentHash);
  expect(edges(here, "save > Store.flush")).toEqual([]);
  expect(edges(here, "add")).toEqual(["add > LIMIT use 1.0"]);

  await Bun.write(cart, text);
  expect((await runIndex(here)).meta.contentHash).toBe(exact.contentHash);
  expect(edges(here)).toEqual(before);

  const rebuilt = await runIndex(here, { rebuild: true });
  expect(rebuilt.meta.scip).toBeUndefined();
  const fresh = worldOf(repo);
  await runIndex(fresh);
  expect(dumpCuratedFile(here.paths.curated)).toBe(dumpCuratedFile(fresh.paths.curated));
});

test("a file with another content than was indexed stays with the resolver", async () => {
  const changes: readonly (readonly [string, string])[] = [
    ["sumOf(store.load(id))", "sumOf(store.lead(id))"],
    ["export function show", "\nexport function show"],
    ["export function show", "export function shown"],
    ['const größe = "ü"; ', 'const größe = "u" ; '],
  ];
  for (const [from, to] of changes) {
    using repo = shop();
    const cart = join(repo.path, "src/cart.ts");
    await Bun.write(cart, readFileSync(cart, "utf8").replace(from, to));
    const here = worldOf(repo);
    const { meta } = await runIndex(here, { scip: SCIP });
    expect([to, meta.scip]).toEqual([to, expect.objectContaining({ files: 2, changed: 1, unknown: 0 })]);
    expect(edges(here, "save > pick")).not.toEqual(["save > pick call 1.0"]);
  }
});

test("the indexed project may be a folder of the repository", async () => {
  using repo = shop("packages/shop/");
  const root = Buffer.from(SCIP.toString("latin1").replace("/cra-scip/shop", "/packages/shop"), "latin1");
  // The same length keeps the lengths around it true.
  expect(root.length).toBe(SCIP.length);
  const { meta } = await runIndex(worldOf(repo), { scip: root });
  expect(meta.scip).toMatchObject({ files: 3, unknown: 0 });
});

test("any other bytes are refused, or cover no file, and change nothing", async () => {
  using repo = shop();
  const here = worldOf(repo);
  const { meta } = await runIndex(here);
  const before = edges(here);
  const broken = fc.tuple(fc.nat(SCIP.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
    const bytes = Buffer.from(SCIP);
    bytes[at] = ((bytes[at] ?? 0) + by) % 256;
    return bytes;
  });
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.nat(SCIP.length).map((end) => SCIP.subarray(0, end)),
    broken,
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (scip) => {
      try {
        await runIndex(here, { scip });
        expect(soundness(here)).toEqual([]);
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        expect(error.failure.code).toBe("import-refused");
      }
    }),
    { numRuns: 12 },
  );
  const after = await runIndex(here, { rebuild: true });
  expect(after.meta.contentHash).toBe(meta.contentHash);
  expect(edges(here)).toEqual(before);
});

/** A SCIP index of occurrences, in the wire format of Protocol Buffers: path, range (line, start, end), symbol and roles. */
function scipOf(root: string, occurrences: readonly (readonly [string, readonly number[], string, number])[]): Buffer {
  const field = (number: number, bytes: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([(number << 3) | 2, (bytes.length & 0x7f) | (bytes.length > 0x7f ? 0x80 : 0)]),
      Buffer.from(bytes.length > 0x7f ? [bytes.length >> 7] : []),
      bytes,
    ]);
  const documents = [...Map.groupBy(occurrences, ([path]) => path)].map(([path, own]) => {
    const all = own.map(([, range, symbol, roles]) =>
      field(2, Buffer.concat([field(1, Buffer.from(range)), field(2, Buffer.from(symbol)), Buffer.from([24, roles])])),
    );
    return field(2, Buffer.concat([field(1, Buffer.from(path)), ...all]));
  });
  return Buffer.concat([field(1, field(3, Buffer.from(`file://${root}`))), ...documents]);
}

test("they are back when the file of what is used has its content again, though no import leads to it", async () => {
  const account =
    "export {};\ndeclare global {\n  namespace Express {\n    interface Request {\n      account: string;\n    }\n  }\n}\n";
  using repo = tempRepo({
    "src/a.ts": 'import { Request } from "express";\nexport function show(req: Request) {\n  return req.account;\n}\n',
    "src/types.d.ts": account,
  });
  const symbol = (name: string): string => `scip-typescript npm x 1.0 src/\`${name}`;
  const scip = scipOf(repo.path, [
    ["src/a.ts", [1, 16, 20], symbol("a.ts`/show()."), 1],
    ["src/a.ts", [2, 13, 20], symbol("types.d.ts`/global/Express/Request#account."), 0],
    ["src/types.d.ts", [4, 6, 13], symbol("types.d.ts`/global/Express/Request#account."), 1],
  ]);
  const here = worldOf(repo);
  await runIndex(here, { scip });
  const exact = edges(here, "show");
  expect(exact).toEqual([expect.stringContaining("account use 1.0")]);
  repo.write({ "src/types.d.ts": account.replace("account", "user") });
  await runIndex(here);
  expect(edges(here, "show")).toEqual([]);
  repo.write({ "src/types.d.ts": account });
  await runIndex(here);
  expect(edges(here, "show")).toEqual(exact);
});
