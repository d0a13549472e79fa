/** The environment of the binary: settings of the working directory, colours, proxies and pinned versions. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { openCra, runCra, startCra } from "../support/run-cra.ts";

const ROOT = join(import.meta.dir, "../..");

test(
  "what a repository says to Bun or Node is neither run nor obeyed",
  async () => {
    using repo = tempRepo({
      "bunfig.toml":
        'preload = ["./hostile.ts"]\n[run]\npreload = ["./hostile.ts"]\n[test]\npreload = ["./hostile.ts"]\n',
      "hostile.ts": `require("node:fs").writeFileSync("hostile-was-here", "");\n`,
      ".env":
        "CRA_BUDGET=nonsense\nCRA_FORMAT=json\nNODE_OPTIONS=--require ./hostile.ts\nBUN_OPTIONS=--preload ./hostile.ts\n",
      ".env.local": "CRA_DEPTH=3\n",
      ".env.production": "CRA_DEPTH=3\n",
      "tsconfig.json": "{ not json",
      "package.json":
        '{ "name": "x", "main": "hostile.ts", "imports": { "#x": "./hostile.ts" }, "scripts": { "preinstall": "touch hostile-was-here" }, not json',
      "node_modules/zod/index.js": `require("node:fs").writeFileSync("hostile-was-here", "");\n`,
      "node_modules/zod/package.json": '{"name":"zod","main":"index.js"}',
      "src/app.py": "def app():\n    return 1\n",
    });
    expect(await runCra(["--version"], { cwd: repo.path })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await runCra(["index", "-q"], { cwd: repo.path })).toMatchObject({ exitCode: 0, stderr: "" });
    const run = await runCra(["retrieve", "app in src/app.py", "-q"], { cwd: repo.path });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout).toStartWith("## Task\n");
    const config = await runCra(["config", "--explain"], { cwd: repo.path });
    expect(config.stdout).not.toMatch(/CRA_|nonsense|\.env/);
    expect(existsSync(join(repo.path, "hostile-was-here"))).toBe(false);
  },
  HANG_MS,
);

describe("colour", () => {
  let repo: TempRepo;
  beforeAll(async () => {
    repo = tempRepo({ "app.txt": "the app\n" });
    await indexIn(repo);
  }, HANG_MS);
  afterAll(() => repo[Symbol.dispose]());

  test.each<readonly [name: string, env: Record<string, string>, args: readonly string[], coloured: boolean]>([
    ["a terminal", {}, [], true],
    ["NO_COLOR", { NO_COLOR: "1" }, [], false],
    ["NO_COLOR, empty", { NO_COLOR: "" }, [], true],
    ["--no-color", {}, ["--no-color"], false],
    ["a dumb terminal", { TERM: "dumb" }, [], false],
  ])("on %s", async (_, env, args, coloured) => {
    await using cra = await openCra(["search", "app", ...args], { cwd: repo.path, env });
    expect(await cra.ended).toEqual({ exitCode: 0, signal: null });
    expect(cra.output().includes("\x1b[1mapp\x1b[22m")).toBe(coloured);
    // A progress line is erased also without colour, but not on a dumb terminal.
    expect(cra.output().replaceAll("\x1b[K", "").includes("\x1b[")).toBe(coloured);
    if (env.TERM === "dumb") expect(cra.output()).not.toContain("\x1b");
  });
});

/** Requests that a server has got, by what they asked for. */
function server(answer: string) {
  const got: string[] = [];
  const http = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      got.push(url);
      return new Response(answer);
    },
  });
  return { got, port: http.port ?? 0, [Symbol.dispose]: () => void http.stop(true) };
}

test.each(["NO_PROXY", "no_proxy"])("with %s set, requests to this machine bypass the proxy", async (name) => {
  using folder = tempFolder();
  using proxy = server("from the proxy");
  using local = server("from this machine");
  // The binary itself asks nothing of the network yet, so a module that it is made to load asks in its place.
  const probe = join(folder.path, "probe.ts");
  const answer = join(folder.path, "answer.txt");
  writeFileSync(
    probe,
    `setTimeout(async () => {
       const texts = [];
       for (const url of ["http://127.0.0.1:${local.port}/", "http://localhost:${local.port}/", "http://elsewhere.invalid/"])
         texts.push(await fetch(url).then((response) => response.text(), () => "nothing"));
       const { renameSync, writeFileSync } = require("node:fs");
       writeFileSync(${JSON.stringify(`${answer}.part`)}, texts.join("\\n"));
       renameSync(${JSON.stringify(`${answer}.part`)}, ${JSON.stringify(answer)});
     }, 30);`,
  );
  const address = `http://127.0.0.1:${proxy.port}`;
  await using cra = await startCra(["retrieve", "-"], {
    cwd: folder.path,
    env: { HTTP_PROXY: address, http_proxy: address, [name]: "example.com", BUN_OPTIONS: `--preload ${probe}` },
  });
  while (!existsSync(answer)) await Bun.sleep(20);
  expect(readFileSync(answer, "utf8").split("\n")).toEqual([
    "from this machine",
    "from this machine",
    "from the proxy",
  ]);
  expect(local.got).toHaveLength(2);
  await cra.send(null);
  expect(await cra.ended).toEqual({ exitCode: 2, signal: null });
});

test.each([
  [
    ["retrieve", "-"],
    // Those at the start are given by `runCra`.
    ["0 0 67108864 0  100000    1 0 0", "0 0 100663296 0 1000 10000    1 0 0 0.0001"],
    0,
  ],
  [["index", "-q"], ["0 0 67108864 0  100000    1 0 0", "10000000 1000000 805306368  0    1.5"], 0],
  [["index", "-q"], ["0 0 67108864 0  100000    1 0 0", "10000000 1000000 1073741824  0   0"], 100],
  [["index", "-q"], ["0 0 67108864 0  100000    1 0 0", "10000000 1000000 805306368  0    1.5"], 2 * 1024 * 1024],
  [["-q", "--repo", ".", "index"], ["0 0 67108864 0  100000    1 0 0", "10000000 1000000 1073741824  0   0"], 100],
  [
    ["index", "--repo=../elsewhere", "-q"],
    ["0 0 67108864 0  100000    1 0 0", "10000000 1000000 805306368  0    1.5"],
    100,
  ],
  [["index", "../elsewhere", "-q"], ["0 0 67108864 0  100000    1 0 0", "10000000 1000000 805306368  0    1.5"], 100],
  [["--data-dir", "index", "status"], ["0 0 67108864 0  100000    1 0 0"], 100],
  [["index", "--from", "nowhere", "-q"], ["0 0 67108864 0  100000    1 0 0", "0 0 67108864  1000 10000    1"], 100],
  [["status"], ["0 0 67108864 0  100000    1 0 0"], 100],
] as const)(
  "%j runs in one process with the engine's options for it (%j; git's list has %j bytes), and hands none on",
  async (words, starts, gitListBytes) => {
    using folder = tempFolder();
    if (gitListBytes > 0) {
      mkdirSync(join(folder.path, ".git"));
      writeFileSync(join(folder.path, ".git", "index"), new Uint8Array(gitListBytes));
    }
    const probe = join(folder.path, "probe.ts");
    const seen = join(folder.path, "seen.txt");
    writeFileSync(
      probe,
      `const OPTIONS = ["BUN_JSC_useFTLJIT", "BUN_JSC_useOMGJIT", "BUN_JSC_largeHeapSize", "MIMALLOC_ALLOW_THP", "MIMALLOC_PURGE_DELAY",
        "BUN_JSC_thresholdForOptimizeAfterWarmUp", "BUN_JSC_thresholdForFTLOptimizeAfterWarmUp", "BUN_JSC_thresholdForFTLOptimizeSoon",
        "BUN_JSC_forceRAMSize", "BUN_JSC_numberOfGCMarkers", "BUN_JSC_useWarmUpMarkedBlocks", "BUN_JSC_useBBQTierUpChecks",
        "BUN_JSC_collectionTimerMaxPercentCPU", "MIMALLOC_PURGE_HOLES", "BUN_JSC_smallHeapGrowthFactor"];
     const say = (at) => require("node:fs").appendFileSync(${JSON.stringify(seen)},
       JSON.stringify([at, process.pid, OPTIONS.map((name) => process.env[name]).join(" ").trim()]) + "\\n");
     say("start");
     process.on("exit", () => say("end"));`,
    );
    await using cra = await startCra([...words], { cwd: folder.path, env: { BUN_OPTIONS: `--preload ${probe}` } });
    await cra.send(null);
    await cra.ended;
    const lines = z
      .array(z.tuple([z.string(), z.number(), z.string()]))
      .parse(JSON.parse(`[${readFileSync(seen, "utf8").trimEnd().replaceAll("\n", ",")}]`));
    expect(lines.map(([at, , option]) => [at, option])).toEqual([
      ...starts.map((option) => ["start", option]),
      ["end", ""],
    ]);
    expect(new Set(lines.map(([, pid]) => pid)).size).toBe(1);
  },
);

test("every version is pinned, and the lock file has the same ones", () => {
  const versions = z.record(z.string(), z.string());
  const own = z
    .looseObject({ dependencies: versions, devDependencies: versions })
    .parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
  const lock = z
    .looseObject({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) })
    .parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  for (const [name, version] of Object.entries({ ...own.dependencies, ...own.devDependencies })) {
    expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+$/);
    expect(`${name} ${lock.packages[`node_modules/${name}`]?.version}`).toBe(`${name} ${version}`);
  }
  expect(Object.keys({ ...own.dependencies, ...own.devDependencies })).toContain("bun");
});
