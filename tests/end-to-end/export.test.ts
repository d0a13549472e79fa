/** `cra index --export` and `--import` with the compiled binary, real files and a real server. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDataDir } from "../../src/db/data-folder/data-dir.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { takeIndexLock } from "../../src/db/sqlite/lock.ts";
import { dumpCuratedFile } from "../support/dump.ts";
import { listing, type TempFolder, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { type CraRun, runCra, startCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";

const FILES = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [
    `src/part${n}.py`,
    `import part${n + 1}\n\n\ndef run_${n}(value):\n    """Runs ${n}."""\n    return part${n + 1}.run_${n + 1}(value)\n`,
  ]),
);

let repo: TempRepo;
let folder: TempFolder;
/** A data folder with the whole index. */
let whole = "";
const at = (name: string): string => join(folder.path, name);
const cra = (...words: readonly string[]): Promise<CraRun> => runCra(words, { cwd: repo.path });
/** The same in this process: so few files start no thread. */
const here = (...words: readonly string[]): Promise<CraRun> => runHere(words, { cwd: repo.path });
let folders = 0;
const into = (): string => at(`data-${++folders}`);
const importing = (from: string, dataDir = into()): Promise<CraRun> =>
  cra("index", "--import", from, "--data-dir", dataDir, "--json");

beforeAll(async () => {
  repo = tempRepo(FILES, { git: true });
  folder = tempFolder();
  whole = into();
  const { exitCode, stdout, stderr } = await cra("index", "--export", at("team.cra-export"), "--data-dir", whole);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/\nexported +12 contents to \S+team\.cra-export \([\d.]+ [KkM]?i?B\)\n$/);
}, HANG_MS);
afterAll(() => {
  repo[Symbol.dispose]();
  folder[Symbol.dispose]();
});

test("an import from a server or a file reports the imported facts, and a later run finds no changes", async () => {
  const bytes = readFileSync(at("team.cra-export"));
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(bytes) });
  const from = `http://ci:hunter2@127.0.0.1:${server.port}/team.cra-export?key=hunter2`;
  try {
    const dataDir = into();
    const { exitCode, stdout, stderr } = await cra("index", "--import", from, "--data-dir", dataDir);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(
      `imported    12 contents from http://127.0.0.1:${server.port}/team.cra-export, 0 parsed here\n`,
    );
    expect(stdout).not.toContain("hunter2");
    expect((await here("index", "--data-dir", dataDir)).stdout).toContain("changes     none\n");
    const again = await here("index", "--import", at("team.cra-export"), "--data-dir", into(), "--json");
    const json = JSON.parse(again.stdout);
    expect(json).toMatchObject({
      parsed: 0,
      imported: { from: at("team.cra-export"), entries: 12, taken_over: 12, compared: 12 },
    });
  } finally {
    server.stop(true);
  }
});

test("an import over plain http from another machine is reported", async () => {
  const bytes = readFileSync(at("team.cra-export"));
  // A proxy gets the whole address, whatever host it names.
  const proxy = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(bytes) });
  try {
    const from = "http://ci:hunter2@ci.example/team.cra-export";
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    const run = await runCra(["index", "--import", from, "--data-dir", into(), "--json"], { cwd: repo.path, env });
    expect(run.stderr).toMatch(/^cra: note: the import came from ci\.example over http:\/\/, .*; use https:\/\/\n$/);
    expect(JSON.parse(run.stdout)).toMatchObject({
      notices: [{ code: "import-open", host: "ci.example" }],
      imported: { taken_over: 12 },
    });
  } finally {
    proxy.stop(true);
  }
});

test("an imported index can be exported again, so CI can start from its last result", async () => {
  const run = await here(
    "index",
    "--import",
    at("team.cra-export"),
    "--export",
    at("next"),
    "--data-dir",
    into(),
    "--json",
  );
  expect(JSON.parse(run.stdout)).toMatchObject({
    parsed: 0,
    imported: { taken_over: 12 },
    exported: { file: at("next"), entries: 12, left_out: { secret: 0, unparsed: 0 } },
  });
  expect(readFileSync(at("next")).equals(readFileSync(at("team.cra-export")))).toBe(true);
});

test("a refused import has its exit code and one line, and leaves no files", async () => {
  const good = readFileSync(at("team.cra-export"));
  writeFileSync(at("damaged"), Buffer.concat([good.subarray(0, 700), Buffer.from("x"), good.subarray(701)]));
  writeFileSync(at("notes.md"), "# Notes\n");
  const cases = [
    [at("damaged"), 12, "its checksum does not match its content"],
    [at("notes.md"), 12, "it is not an index export"],
    [at("nowhere"), 74, "there is no such file"],
    [folder.path, 74, "not a regular file"],
    ["http://ci:hunter2@127.0.0.1:9/x?key=hunter2", 74, "connection refused"],
    ["ftp://127.0.0.1/x", 2, "it does not start with http:// or https://"],
  ] as const;
  for (const [from, code, words] of cases) {
    const dataDir = into();
    const run = from === at("damaged") ? cra : here;
    const { exitCode, stdout, stderr } = await run("index", "--import", from, "--data-dir", dataDir, "--json");
    expect([from, exitCode, stderr.trimEnd().split("\n").length]).toEqual([from, code, 1]);
    expect(stdout + stderr).toContain(words);
    expect(stdout + stderr).not.toContain("hunter2");
    expect(existsSync(dataDir)).toBe(false);
  }
});

test("an export replaces only an older export, and is written completely or not at all", async () => {
  const dataDir = into();
  writeFileSync(at("precious"), "precious");
  const refused = await here("index", "--export", at("precious"), "--data-dir", dataDir);
  expect([refused.exitCode, readFileSync(at("precious"), "utf8")]).toEqual([2, "precious"]);
  expect(refused.stderr).toContain("exists and is not an export; name another file, or remove it");
  expect(existsSync(dataDir)).toBe(false);
  writeFileSync(at("older"), readFileSync(at("team.cra-export")).subarray(0, 100));
  expect((await here("index", "--export", at("older"), "--data-dir", whole)).exitCode).toBe(0);
  expect(readFileSync(at("older")).equals(readFileSync(at("team.cra-export")))).toBe(true);
  expect((await here("index", "--export", at("no/such/folder"), "--data-dir", whole)).exitCode).toBe(74);
  expect(listing(folder.path).filter((line) => line.includes(".tmp"))).toEqual([]);
  expect((await here("index", "--export", at("x"), "--watch")).exitCode).toBe(2);
});

test("during another index run, an import waits and writes nothing", async () => {
  const dataDir = into();
  const paths = createDataDir({ path: dataDir, inRepository: false, notice: null });
  const holder = { pid: 4711, host: "elsewhere", startedAt: "2024-01-01T00:00:00.000Z" };
  const lock = await takeIndexLock(paths.lock, holder, 0);
  const run = importing(at("team.cra-export"), dataDir);
  await Bun.sleep(700);
  expect([existsSync(paths.curated), existsSync(paths.parseCache)]).toEqual([false, false]);
  lock.release();
  expect((await run).exitCode).toBe(0);
  expect(existsSync(paths.curated)).toBe(true);
});

test("an import that is killed leaves an index that the next run completes", async () => {
  const words = ["index", "--import", at("team.cra-export"), "--data-dir"];
  for (const written of ["parse-cache.sqlite-wal", "curated.sqlite-wal"]) {
    const dataDir = into();
    await using run = await startCra([...words, dataDir], { cwd: repo.path });
    while (!existsSync(join(dataDir, written))) await Bun.sleep(1);
    run.kill("SIGKILL");
    await run.ended;
    expect((await here(...words, dataDir)).exitCode).toBe(0);
    expect(dumpCuratedFile(dataPaths(dataDir).curated)).toBe(dumpCuratedFile(dataPaths(whole).curated));
  }
});
