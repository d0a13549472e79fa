/** Commands from words to output, in a world that is made of plain values. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type IndexSummary, openConfig, type RetrieveRequest, type RetrieveResult } from "../../src/app.ts";
import type { Sink } from "../../src/cli/output.ts";
import { start } from "../../src/cli/start.ts";
import { loadConfig } from "../../src/config-load.ts";
import type { IndexMeta, SearchHit } from "../../src/db/curated.ts";
import type { LoggedDecision } from "../../src/db/raw-log.ts";
import { Failed } from "../../src/failure.ts";
import type { PipelineEvent } from "../../src/retrieval/events.ts";
import type { ContextPackage } from "../../src/retrieval/package-schema.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cra-commands-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const META: IndexMeta = {
  contentHash: "c0ffee",
  head: "0123456789abcdef",
  remoteUrl: null,
  repoPath: "/r",
  indexedAt: "2024-01-01T00:00:00.000Z",
  craVersion: "0.1.0",
  extractorVersion: "1",
  historyProblem: null,
  counts: { files: 3, symbols: 20, dependencies: 4, references: 9, commits: 7 },
  languages: [
    { language: "python", files: 1 },
    { language: "typescript", files: 2 },
  ],
  skipped: [{ reason: "binary", count: 1 }],
};
const SUMMARY: IndexSummary = {
  meta: META,
  changed: true,
  files: { added: 3, changed: 0, removed: 0, unchanged: 0 },
  parsed: 3,
  fromCache: 0,
  skips: [{ path: "logo\x1b[2J.png", reason: "binary" }],
  problems: [],
  notices: [],
  ms: {},
  msTotal: 1_234,
  bytes: 4_096,
};
const HITS: readonly SearchHit[] = [
  {
    what: "symbol",
    path: "a.ts",
    line: 3,
    name: "parseUrl",
    kind: "function",
    score: 2,
    snippet: "function \u0001parse\u0002Url()",
  },
];
const DECISION: LoggedDecision = {
  runId: 1,
  round: 1,
  stage: "scope",
  path: "a.ts",
  symbol: null,
  line: null,
  kind: null,
  tier: "seed",
  included: true,
  detail: "none",
  score: 0.5,
  terms: [{ signal: "mention", share: 0.5 }],
  tokens: null,
  reason: "the task names it",
};
const PACKAGE: ContextPackage = {
  schema_version: 1,
  task_id: "0123456789ab",
  task_query: {
    raw_description: "x",
    task_type: "bug_fix",
    keywords: [],
    file_hints: [],
    symbol_hints: [],
    error_patterns: [],
    concepts: [],
  },
  files: [],
  dependency_edges: [],
  token_count: 90,
  budget: 100,
  provenance: {
    cra_version: "0.1.0",
    index: { content_hash: "c0ffee", head: null },
    task_cut: null,
    edges_shown: 0,
    weights: {},
    files: [],
    symbols: [],
    budget: {
      tokenizer: "o200k_base",
      exact: true,
      max_lines: null,
      floor: 5,
      before: 120,
      after: 90,
      use: 0.9,
      evicted: [{ path: "b.ts", item: "b", tier: "supporting", tokens: 30 }],
      demoted: [],
    },
  },
  warnings: [],
};

type World = {
  readonly indexed?: boolean;
  readonly problems?: IndexSummary["problems"];
  readonly inputsSkipped?: number;
  readonly hits?: readonly SearchHit[];
  readonly throws?: Error;
};
type Ran = { readonly out: string; readonly err: string; readonly code: number };
let requests: RetrieveRequest[] = [];
let indexed = 0;
beforeEach(() => {
  requests = [];
  indexed = 0;
});

function appOf(world: World, config: App["config"]): App {
  let hasIndex = world.indexed ?? true;
  return {
    root: "/r",
    config,
    notices: [],
    nowMs: () => 0,
    isIndexed: () => hasIndex,
    index: async () => {
      indexed += 1;
      hasIndex = true;
      return { ...SUMMARY, problems: world.problems ?? [] };
    },
    async *retrieve(request): AsyncGenerator<PipelineEvent, RetrieveResult> {
      if (world.throws) throw world.throws;
      requests.push(request);
      yield { event: "stage_started", stage: "scope" };
      yield { event: "notice", code: "hint-unknown", message: 'the hint "x" matches nothing' };
      yield { event: "stage_finished", stage: "scope", counts: { seed: 1, ranked: 2 } };
      yield { event: "package", package: PACKAGE };
      return {
        package: PACKAGE,
        rendered: "# the package\x1b[2J\n",
        scores: [
          {
            path: "a.ts",
            tier: "seed",
            score: 0.75,
            terms: [
              { signal: "mention", share: 0.5 },
              { signal: "recency", share: 0 },
              { signal: "content_match", share: 0.25 },
            ],
          },
        ],
        inputsSkipped: world.inputsSkipped ?? 0,
      };
    },
    search: () => world.hits ?? HITS,
    explain: async (taskId, what) => {
      if (taskId !== PACKAGE.task_id) throw new Failed({ code: "unknown-task", taskId });
      if (what !== null && what !== "a.ts") throw new Failed({ code: "no-match", message: `nothing knows ${what}` });
      const run = {
        runId: 1,
        taskId,
        round: 1,
        command: "retrieve",
        task: "t",
        options: {},
        budget: {},
        contentHash: "c",
        craVersion: "0",
        startedAt: "2024",
        result: null,
      };
      return { run, decisions: [DECISION], asked: null };
    },
    status: async () => ({
      root: "/r",
      dataDir: "/r/.cra",
      index: hasIndex ? META : null,
      stale: null,
      files: [{ name: "curated", bytes: 2048 }],
      runs: 2,
      versions: [["cra", "0.1.0"]],
    }),
    close: () => {},
  };
}

async function ran(
  words: readonly string[],
  world: World = {},
  stdin: { readonly text?: string; readonly isTerminal?: boolean } = {},
): Promise<Ran> {
  const text = { out: "", err: "" };
  const sink = (name: "out" | "err"): Sink => ({
    isTerminal: stdin.isTerminal ?? false,
    columns: 80,
    write: async (more) => {
      text[name] += more;
    },
  });
  const code = await start({
    argv: words,
    environment: { cwd: folder, variables: { XDG_STATE_HOME: folder }, uid: null, processors: 1, pid: 1, host: "here" },
    out: sink("out"),
    err: sink("err"),
    stdin: {
      isTerminal: stdin.isTerminal ?? false,
      async *bytes() {
        yield new TextEncoder().encode(stdin.text ?? "");
      },
    },
    signal: new AbortController().signal,
    door: async () => ({
      openConfig,
      openApp: async ({ flags }) => appOf(world, loadConfig({ flags, variables: {}, root: null })),
    }),
  });
  return { ...text, code };
}

describe("index", () => {
  test("prints counts by language, skips by reason and the time", async () => {
    expect(await ran(["index"])).toEqual({
      out: `indexed /r in 1.2 s
files       3  typescript 2, python 1
changes     3 added, 0 changed, 0 removed, 0 unchanged
symbols     20
imports     4
references  9
commits     7
skipped     1  binary 1
problems    none
`,
      err: "",
      code: 0,
    });
  });
  test("names what was skipped with -v", async () => {
    expect((await ran(["index", "-v"])).err).toBe("skipped logo\\x1b[2J.png: binary\n");
  });
  test("is code 3 under --strict when an input could not be read", async () => {
    const problems = [{ path: "a.py", why: "permission denied" }];
    expect((await ran(["index"], { problems })).code).toBe(0);
    expect(await ran(["index", "--strict", "-q"], { problems })).toMatchObject({
      code: 3,
      err: "cra: 1 inputs were skipped, and --strict was given; see them with -v\n",
    });
  });
  test("is one JSON object", async () => {
    expect(JSON.parse((await ran(["index", "--json"])).out)).toMatchObject({
      schema_version: 1,
      counts: { files: 3 },
      languages: { python: 1 },
    });
  });
  test("wants one repository", async () => expect((await ran(["index", "a", "--repo", "b"])).code).toBe(2));
});

describe("retrieve", () => {
  test("prints the package, and the rest on stderr", async () => {
    expect(await ran(["retrieve", "fix it"])).toEqual({
      out: "# the package\x1b[2J\n",
      err: 'cra: note: the hint "x" matches nothing\ncra: 0 files, 0 symbols, 90 of 100 tokens; why: cra explain 0123456789ab\n',
      code: 0,
    });
  });
  test("hands over what was typed, merged and checked", async () => {
    await ran([
      "retrieve",
      "fix it",
      "--context-window",
      "50",
      "--reserved-tokens",
      "8",
      "--depth",
      "2",
      "--hint-path",
      "a",
      "--hint-symbol",
      "b",
      "--include",
      "src/**",
      "--no-refresh",
      "-q",
    ]);
    expect(requests[0]).toMatchObject({
      task: "fix it",
      hintPaths: ["a"],
      hintSymbols: ["b"],
      template: null,
      refresh: false,
      settings: { context_window: 50, reserved_tokens: 8, depth: 2, include: ["src/**"] },
    });
  });
  test("reads the task from standard input, whatever its bytes, up to a limit", async () => {
    await ran(["retrieve", "-"], {}, { text: "a long issue\n" });
    expect(requests[0]?.task).toBe("a long issue\n");
    expect((await ran(["retrieve", "-"], {}, { text: "x".repeat(1024 * 1024 + 1) })).err).toBe(
      "cra: standard input is larger than 1048576 bytes\n",
    );
  });
  test.each(["", "  \n\t", "\uFEFF"])("an empty task is a usage error: %p", async (task) => {
    const { code, err, out } = await ran(["retrieve", task]);
    expect([code, out, err]).toEqual([
      2,
      "",
      'cra: the task is empty; say what is to be done: cra retrieve "fix the login bug"\n',
    ]);
    expect((await ran(["retrieve", "-"], {}, { text: task })).code).toBe(2);
  });
  test("-v shows scores, counts and what the budget cost", async () => {
    const { err } = await ran(["retrieve", "x", "-v"]);
    expect(err).toContain(
      "rank  score   tier  mention  content_match  path\n   1  0.7500  seed  0.500    0.250          a.ts\n",
    );
    expect(err).toContain("stage  tier    count\nscope  seed        1\nscope  ranked      2\n");
    expect(err).toContain("Budget: 90 of 100 tokens (o200k_base)\n");
    expect(err).toContain("evicted  supporting      30  b.ts  b\n");
  });
  test("--events jsonl prints one event a line, the package last", async () => {
    const lines = (await ran(["retrieve", "x", "--events", "jsonl"])).out
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { event: "stage_started" },
      { event: "notice" },
      { event: "stage_finished" },
      { event: "package", package: { task_id: "0123456789ab" } },
    ]);
  });
  test("-o writes the bytes to a file, and refuses to overwrite before anything is done", async () => {
    const path = join(folder, "out.md");
    expect(await ran(["retrieve", "x", "-o", "out.md", "-q"])).toEqual({ out: "", err: "", code: 0 });
    expect(readFileSync(path, "utf8")).toBe("# the package\x1b[2J\n");
    const again = await ran(["retrieve", "x", "-o", "out.md"]);
    expect([again.code, again.err, requests.length]).toEqual([
      2,
      `cra: --output: ${path} exists; add --force to overwrite it\n`,
      1,
    ]);
    expect((await ran(["retrieve", "x", "-o", "out.md", "--force"])).code).toBe(0);
  });
  test("without an index: says so, indexes when told, offers to on a terminal", async () => {
    const none = { indexed: false };
    expect(await ran(["retrieve", "x"], none)).toEqual({
      out: "",
      err: "cra: /r is not indexed; run: cra index\n",
      code: 10,
    });
    expect([(await ran(["retrieve", "x", "--index"], none)).code, indexed]).toEqual([0, 1]);
    const yes = await ran(["retrieve", "x"], none, { isTerminal: true, text: "y\n" });
    expect([yes.code, yes.err.includes("/r is not indexed. Index it now? [y/N] "), indexed]).toEqual([0, true, 2]);
    expect((await ran(["retrieve", "x"], none, { isTerminal: true, text: "\n" })).code).toBe(10);
    const silent = await ran(["retrieve", "x", "--no-input"], none, { isTerminal: true, text: "y\n" });
    expect([silent.code, silent.err.includes("[y/N]")]).toEqual([10, false]);
  });
  test("--json is --format json", async () => {
    await ran(["retrieve", "x", "--json"]);
    expect(requests[0]?.settings.format).toBe("json");
    expect((await ran(["retrieve", "x", "--json", "--format", "prompt"])).code).toBe(2);
  });
  test("templates are read, whatever the format", async () => {
    writeFileSync(join(folder, "t.md"), "{task}!");
    await ran(["retrieve", "x", "--format", "prompt", "--template", "t.md"]);
    expect(requests[0]?.template?.text).toBe("{task}!");
    await ran(["retrieve", "x", "--template", "t.md"]);
    expect(requests[1]?.template?.text).toBe("{task}!");
    expect((await ran(["retrieve", "x", "--format", "prompt", "--template", "none.md"])).code).toBe(2);
  });
  test("--budget-config is a layer", async () => {
    writeFileSync(join(folder, "b.json"), '{"context_window": 100, "reserved_tokens": 40, "safety_margin": 0.1}');
    await ran(["retrieve", "x", "--budget-config", "b.json", "--safety-margin", "0.2"]);
    expect(requests[0]?.settings).toMatchObject({ context_window: 100, reserved_tokens: 40, safety_margin: 0.2 });
  });
  test("--strict guesses nothing, and is code 3 after the package when inputs were skipped", async () => {
    expect((await ran(["retrieve", "x", "--strict"])).err).toStartWith("cra: --strict needs a budget; ");
    expect((await ran(["retrieve", "x", "--strict", "--budget", "9"])).err).toStartWith(
      "cra: --strict needs --stages; ",
    );
    const skipped = await ran(["retrieve", "x", "--strict", "--budget", "9", "--stages", "scope"], {
      inputsSkipped: 2,
    });
    expect([skipped.code, skipped.out]).toEqual([3, "# the package\x1b[2J\n"]);
  });
  test("failures have their code, bugs are 70 with the stack in a file", async () => {
    const floor = new Failed({ code: "budget-below-floor", budget: 5, floor: 77, unit: "tokens" });
    expect(await ran(["retrieve", "x", "--json"], { throws: floor })).toMatchObject({
      code: 2,
      out: expect.stringContaining('"budget-below-floor"'),
    });
    const bug = await ran(["retrieve", "x"], { throws: new TypeError("no such \x1b thing") });
    expect([bug.code, bug.out]).toEqual([70, ""]);
    expect(bug.err).toMatch(
      /^cra: internal error: no such \\x1b thing \(details in .*\/cra\/log\/bug-[0-9a-f]{12}\.txt\); run again/,
    );
  });
});

describe("search", () => {
  test("prints places with the text below", async () =>
    expect(await ran(["search", "parse"])).toEqual({
      out: "a.ts:3  function parseUrl\n    function parseUrl()\n",
      err: "",
      code: 0,
    }));
  test("marks hits by position in JSON", async () =>
    expect(JSON.parse((await ran(["search", "parse", "--json"])).out)).toMatchObject({
      hits: [{ path: "a.ts", text: "function parseUrl()", highlights: [[9, 14]] }],
    }));
  test("is code 1 when there is none", async () => {
    expect(await ran(["search", "zzz"], { hits: [] })).toEqual({
      out: "",
      err: 'cra: nothing matches "zzz"\n',
      code: 1,
    });
    expect(await ran(["search", "zzz", "--json"], { hits: [] })).toMatchObject({
      code: 1,
      out: expect.stringContaining('"hits": []'),
    });
  });
  test("needs words and an index", async () => {
    expect((await ran(["search", " "])).code).toBe(2);
    expect((await ran(["search", "x"], { indexed: false })).code).toBe(10);
  });
});

describe("explain", () => {
  test("lists decisions, or shows one in full", async () => {
    expect((await ran(["explain", "0123456789ab"])).out).toBe(
      "stage  in   tier  score   what  why\nscope  yes  seed  0.5000  a.ts  the task names it\n",
    );
    expect((await ran(["explain", "0123456789ab", "a.ts"])).out).toContain("  score   0.5000 = mention 0.2500×2\n");
  });
  test("knows what it does not know", async () => {
    expect((await ran(["explain", "ffff"])).code).toBe(2);
    expect((await ran(["explain", "0123456789ab", "b.ts"])).code).toBe(1);
  });
});

test("status tells what is there", async () => {
  expect((await ran(["status"])).out).toContain("indexed     2024-01-01T00:00:00.000Z by cra 0.1.0 at 0123456789ab\n");
  expect((await ran(["status"], { indexed: false })).out).toContain("index       none; run: cra index\n");
  expect(JSON.parse((await ran(["status", "--json"])).out)).toMatchObject({
    schema_version: 1,
    indexed: true,
    index: { counts: { files: 3 } },
  });
});

test("config explains every value, also those that are hidden", async () => {
  writeFileSync(join(folder, ".cra.toml"), "scope_size = 9\n");
  const { out } = await ran(["config", "--explain"]);
  expect(out).toMatch(new RegExp(`scope_size +9 +${folder}/.cra.toml +files`));
  const json: unknown = JSON.parse((await ran(["config", "--explain", "--json"])).out);
  expect(json).toMatchObject({
    schema_version: 1,
    settings: expect.arrayContaining([expect.objectContaining({ key: "scope_size", value: 9, source: "repository" })]),
  });
  rmSync(join(folder, ".cra.toml"));
});

test("schemas are JSON Schemas", async () => {
  for (const name of ["package", "bundle", "event", "config", "budget-config", "error"]) {
    expect(JSON.parse((await ran(["schema", name])).out)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
    });
  }
  const config: unknown = JSON.parse((await ran(["schema", "config"])).out);
  expect(config).toMatchObject({
    properties: { budget: { default: 32768 }, index: { properties: { commits_max: { default: 5000 } } } },
  });
  expect(Object.keys(JSON.parse((await ran(["schema"])).out).schemas)).toHaveLength(6);
});
