/** An index's facts on their way from one machine to another: real folders, parsers, databases and files. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../../src/app/app.ts";
import { openApp } from "../../../src/app/app.ts";
import type { Exported } from "../../../src/app/indexing/export-index.ts";
import type { IndexSummary } from "../../../src/app/indexing/index-repository.ts";
import { EXTRACTOR } from "../../../src/app/indexing/indexing-deps.ts";
import type { ConfigKey } from "../../../src/config/keys.ts";
import { flagLayer, type TypedFlag } from "../../../src/config/settings.ts";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { exportWriter, openExport } from "../../../src/db/export/format.ts";
import { Failed } from "../../../src/failure.ts";
import { VERSION } from "../../../src/version.ts";
import { dumpCuratedFile } from "../../support/dump.ts";
import { environmentIn } from "../../support/environment.ts";
import { tempFolder } from "../../support/folder.ts";
import { tempRepo } from "../../support/repo.ts";
import { shared } from "../../support/shared.ts";

const NEVER = new AbortController().signal;
const MAKING = { craVersion: VERSION.version, extractorVersion: EXTRACTOR };
const KEY = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const FILES = {
  "shop/cart.py": 'class Cart:\n    """Holds lines."""\n    def total(self):\n        return len(self.lines)\n',
  "shop/again.py": 'class Cart:\n    """Holds lines."""\n    def total(self):\n        return len(self.lines)\n',
  "shop/view.ts": 'import { total } from "./total.js";\nexport const view = () => total();\n',
  "notes.md": "# Notes\n\nSome.\n",
  "deploy.py": `TOKEN = "${KEY}"\n`,
  ".env": "UNINDEXED_NAME=1\n",
  "yarn.lock": "unindexed_lock@1\n",
};
/** Contents that can be exported, and those that cannot. */
const [ENTRIES, SECRETS] = [3, 1];

const repo = shared(tempRepo(FILES, { git: true }));
const home = shared(tempFolder());
const at = (name: string): string => join(home.path, name);

let folders = 0;
const fresh = (): string => at(`data-${++folders}`);

type At = { readonly cwd?: string; readonly dataDir?: string; readonly showsSecrets?: boolean };

async function using<T>(
  { cwd = repo.path, dataDir, showsSecrets = false }: At,
  use: (app: App) => Promise<T>,
): Promise<T> {
  const typed = new Map<ConfigKey, TypedFlag>();
  if (dataDir !== undefined) typed.set("data_dir", { flag: "--data-dir", typed: dataDir });
  if (showsSecrets) typed.set("allow_secrets", { flag: "--allow-secrets", typed: "true" });
  const variables = { HOME: home.path, PATH: process.env.PATH };
  const app = await openApp({
    environment: environmentIn(cwd, variables),
    repo: null,
    flags: [flagLayer(typed)],
  });
  try {
    return await use(app);
  } finally {
    app.close();
  }
}

const index = (app: App, importFrom?: string): Promise<IndexSummary> =>
  app.index(
    { failFast: false, rebuild: false, onProgress: () => {}, ...(importFrom === undefined ? {} : { importFrom }) },
    NEVER,
  );
const exported = (app: App): Promise<Exported> => app.exportIndex(() => {}, NEVER);
const dumpIn = (dataDir: string): string => dumpCuratedFile(dataPaths(dataDir).curated);

const first = await using({}, async (app) => {
  await index(app);
  return await exported(app);
});
writeFileSync(at("first"), first.bytes);

test("an import followed by an index run equals a full index run", async () => {
  const [plain, warm] = [fresh(), fresh()];
  const cold = await using({ dataDir: plain }, (app) => index(app));
  const summary = await using({ dataDir: warm }, (app) => index(app, at("first")));
  expect(cold.imported).toBeUndefined();
  expect(summary.imported).toEqual({ from: at("first"), entries: ENTRIES, takenOver: ENTRIES, compared: ENTRIES });
  expect(summary.parsed).toBe(SECRETS);
  expect(summary.files).toEqual(cold.files);
  expect(dumpIn(warm)).toBe(dumpIn(plain));
  // What is there is not taken over again.
  const again = await using({ dataDir: warm }, (app) => index(app, at("first")));
  expect(again).toMatchObject({ changed: false, parsed: 0, imported: { takenOver: 0 } });
});

test("only facts of identical content are imported", async () => {
  using other = tempRepo({ ...FILES, "notes.md": "# Other notes\n", "new.py": "def added():\n    pass\n" });
  const summary = await using({ cwd: other.path, dataDir: fresh() }, (app) => index(app, at("first")));
  expect(summary).toMatchObject({ parsed: SECRETS + 2, imported: { takenOver: ENTRIES - 1 } });
  using unlike = tempRepo({ "a.py": "x = 1\n" });
  const none = await using({ cwd: unlike.path, dataDir: fresh() }, (app) => index(app, at("first")));
  expect(none).toMatchObject({ parsed: 1, imported: { entries: ENTRIES, takenOver: 0, compared: 0 } });
});

test("the same content gives the same bytes in another place, later, and without the cache", async () => {
  expect(first).toMatchObject({ entries: ENTRIES, leftOut: { secret: SECRETS, unparsed: 0 } });
  using other = tempRepo({ "z.txt": "last\n" });
  const dataDir = fresh();
  const later = await using({ cwd: other.path, dataDir }, async (app) => {
    await index(app);
    other.remove("z.txt");
    // By other names and in another order, which no export tells.
    other.write({ "a/view.ts": FILES["shop/view.ts"] });
    await index(app);
    other.write({ "b.md": FILES["notes.md"], "c/cart.py": FILES["shop/cart.py"], "d.py": FILES["deploy.py"] });
    await index(app);
    const before = await exported(app);
    const { files } = (await app.clean(new Set(["cache"] as const), { dryRun: false })).removed[0] ?? { files: [] };
    expect(files).not.toEqual([]);
    return [before, await exported(app)];
  });
  for (const { bytes } of later) expect(Buffer.from(bytes).equals(Buffer.from(first.bytes))).toBe(true);
});

test("an export contains no file name, no secret and nothing that is not indexed", async () => {
  const opened = await openExport(first.bytes, "x", MAKING, () => {}, NEVER);
  expect(opened.files).toBe(ENTRIES);
  const rows = Object.entries(FILES).flatMap(([path, text]) => {
    const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    const language = path.endsWith(".py") ? "python" : path.endsWith(".ts") ? "typescript" : "markdown";
    return opened.find({ hash, language }) ?? [];
  });
  expect(rows).toHaveLength(ENTRIES + 1);
  const said = JSON.stringify(rows) + Buffer.from(first.bytes).toString("latin1");
  for (const hidden of [
    repo.path,
    "cart.py",
    "view.ts",
    "deploy",
    KEY,
    "TOKEN",
    "UNINDEXED",
    "unindexed",
    "return len",
  ])
    expect([hidden, said.includes(hidden)]).toEqual([hidden, false]);
  const shown = await using({ showsSecrets: true }, exported);
  expect(shown).toMatchObject({ entries: ENTRIES + SECRETS, leftOut: { secret: 0 } });
});

/** Every file of a folder with its bytes. */
const bytesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name)).toString("base64")]),
  );

/** What a user is told when an import is refused, with `.cra` as it was. */
async function refusal(name: string): Promise<string> {
  const dataDir = join(repo.path, ".cra");
  const before = bytesIn(dataDir);
  repo.write({ "shop/waiting.py": "def waiting():\n    pass\n" });
  try {
    await using({}, (app) => index(app, at(name)));
    return "imported";
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    expect(bytesIn(dataDir)).toEqual(before);
    return `${error.failure.code}: ${error.message}`;
  } finally {
    repo.remove("shop/waiting.py");
  }
}

test("a damaged, foreign or missing export changes nothing and says why", async () => {
  const flipped = Buffer.from(first.bytes);
  flipped[flipped.length - 9] = (flipped[flipped.length - 9] ?? 0) ^ 1;
  writeFileSync(at("flipped"), flipped);
  writeFileSync(at("cut"), first.bytes.subarray(0, -5));
  writeFileSync(at("foreign"), "SQLite format 3\0");
  writeFileSync(at("version"), exportWriter({ craVersion: "0.0.1", extractorVersion: "1" }).bytes());
  expect(await refusal("flipped")).toBe(
    `import-refused: ${at("flipped")}: not imported: its checksum does not match its content; download it again, or export it again: cra index --export FILE`,
  );
  expect(await refusal("cut")).toContain("it is truncated");
  expect(await refusal("foreign")).toContain("it is not an index export");
  expect(await refusal("version")).toContain(
    `it was written by cra 0.0.1, which parses sources differently than this cra`,
  );
  expect(await refusal("nowhere")).toBe(
    `io: ${at("nowhere")}: there is no such file; nothing was changed; leave out --import`,
  );
});

test("one false fact among those checked refuses the whole import and changes nothing", async () => {
  const opened = await openExport(first.bytes, "x", MAKING, () => {}, NEVER);
  const key = { hash: new Bun.CryptoHasher("sha256").update(FILES["notes.md"]).digest("hex"), language: "markdown" };
  const found = opened.find(key);
  if (found === null) throw new Error("it was exported");
  const lying = exportWriter(MAKING);
  lying.add(key, { ...found, facts: { ...found.facts, tokenCount: 1 } });
  writeFileSync(at("lying"), lying.bytes());
  expect(await refusal("lying")).toContain("1 of 1 files parsed here give other results than it says");
});

test("without an index nothing is exported", async () => {
  using empty = tempRepo({ "a.py": "x = 1\n" });
  const failure = await using({ cwd: empty.path }, exported).catch((error: unknown) => error);
  expect(failure instanceof Failed ? failure.failure.code : failure).toBe("not-indexed");
});
