/** A world of plain values for the command line: every command works, and what it was asked for is seen. */
import { afterAll, beforeAll, beforeEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConfig } from "../../src/app.ts";
import type { DiskUse, FreedBy } from "../../src/app-storage.ts";
import type { App, IndexSummary, RetrieveRequest, RetrieveResult } from "../../src/app-types.ts";
import type { Sink } from "../../src/cli/output.ts";
import { start } from "../../src/cli/start.ts";
import { loadConfig } from "../../src/config-load.ts";
import type { IndexMeta, SearchHit } from "../../src/db/curated.ts";
import type { DataFile, DataKind } from "../../src/db/data-files.ts";
import type { Finding } from "../../src/db/finding.ts";
import type { LoggedDecision } from "../../src/db/raw-log.ts";
import { Failed } from "../../src/failure.ts";
import type { PipelineEvent } from "../../src/retrieval/events.ts";
import type { ContextPackage } from "../../src/retrieval/package-schema.ts";

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
  terms: [{ signal: "mention", value: 0.25, weight: 2 }],
  tokens: null,
  reason: "the task names it",
};
const PACKAGE: ContextPackage = {
  schema_version: 1,
  task_id: "0123456789ab",
  task_query: {
    raw_description: "x",
    task_type: "bug_fix",
    keywords: ["parse", "url"],
    file_hints: ["a.ts"],
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

const USES: readonly DiskUse[] = [
  { name: "index", freedBy: "index", files: [fileOf("curated.sqlite", "index", 2048)], bytes: 2048 },
  { name: "log", freedBy: "log", files: [fileOf("raw.sqlite", "log", 1024)], bytes: 1024 },
  { name: "not cra's", freedBy: null, files: [fileOf("no\x1b[2Jte", "foreign", 5)], bytes: 5 },
];

function fileOf(name: string, kind: DataKind, bytes: number): DataFile {
  return { path: `/r/.cra/${name}`, kind, bytes, task: null };
}

type World = {
  readonly indexed?: boolean;
  readonly problems?: IndexSummary["problems"];
  readonly inputsSkipped?: number;
  readonly hits?: readonly SearchHit[];
  readonly findings?: readonly Finding[];
  readonly throws?: Error;
};
type Ran = { readonly out: string; readonly err: string; readonly code: number };
/** What the runs of one test asked for; made anew before each. */
export const seen: { folder: string; requests: RetrieveRequest[]; indexed: number; removed: FreedBy[] } = {
  folder: "",
  requests: [],
  indexed: 0,
  removed: [],
};

/** Gives the tests of one file a folder, and forgets before each what was seen. */
export function watch(): void {
  beforeAll(() => {
    seen.folder = mkdtempSync(join(tmpdir(), "cra-commands-"));
  });
  afterAll(() => rmSync(seen.folder, { recursive: true, force: true }));
  beforeEach(() => {
    seen.requests = [];
    seen.indexed = 0;
    seen.removed = [];
  });
}

function appOf(world: World, config: App["config"]): App {
  let hasIndex = world.indexed ?? true;
  return {
    root: "/r",
    config,
    notices: [],
    nowMs: () => 0,
    isIndexed: () => hasIndex,
    index: async () => {
      seen.indexed += 1;
      hasIndex = true;
      return { ...SUMMARY, problems: world.problems ?? [] };
    },
    async *watch(): AsyncGenerator<typeof SUMMARY, never> {
      yield SUMMARY;
      yield { ...SUMMARY, files: { added: 1, changed: 2, removed: 0, unchanged: 3 } };
      throw new Failed({ code: "cancelled", signal: "SIGINT" });
    },
    async *retrieve(request): AsyncGenerator<PipelineEvent, RetrieveResult> {
      if (world.throws) throw world.throws;
      seen.requests.push(request);
      yield { event: "stage_started", stage: "scope" };
      yield { event: "notice", code: "hint-unknown", message: 'the hint "x" matches nothing' };
      yield { event: "notice", code: "enrichment-missing", message: "enrichment not found" };
      yield { event: "stage_finished", stage: "scope", counts: { seed: 1, ranked: 2 } };
      yield { event: "package", package: PACKAGE };
      return {
        package: PACKAGE,
        rendered: "# the package\x1b[2J\n",
        scores: [
          {
            rank: 1,
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
        shown: [
          { path: "a.ts", item: "parseUrl", tier: "primary", detail: "body", tokens: 50 },
          { path: "a.ts", item: "parse", tier: "primary", detail: "signature", tokens: 9 },
          { path: "a.ts", item: "Url", tier: "type_context", detail: "signature", tokens: 7 },
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
        task: "t\nand more",
        options: {},
        budget: { tokens: 100, max_lines: null },
        contentHash: "c",
        craVersion: "0",
        startedAt: "2024",
        result: null,
      };
      if (what !== null) return { about: "thing", run, files: [], decisions: [DECISION], asked: null };
      const file = { path: "a.ts", rank: 1, tier: "seed", score: 0.5, shown: true, tokens: 40, reason: "named" };
      const out = { ...file, path: "z.ts", rank: null, shown: false, tokens: 0, reason: "too low" };
      return { about: "run", run, files: [file, out], decisions: [DECISION], asked: null };
    },
    status: async () => ({
      root: "/r",
      dataDir: "/r/.cra",
      index: hasIndex ? META : null,
      stale: null,
      stored: [
        { name: "index", bytes: 2048, files: 1 },
        { name: "sessions", bytes: 4096, files: 2 },
      ],
      runs: 2,
      versions: [["cra", "0.1.0"]],
    }),
    examine: async () => ({
      dataDir: "/r/.cra",
      indexed: hasIndex,
      files: 3,
      bytes: 2048,
      findings: world.findings ?? [],
    }),
    disk: async () => ({ dataDir: "/r/.cra", uses: USES }),
    clean: async (named, { dryRun }) => {
      if (!dryRun) seen.removed.push(...named);
      const removed = USES.filter(({ freedBy }) => freedBy !== null && named.has(freedBy));
      return { removed, bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0), inUse: [] };
    },
    close: () => {},
  };
}

/** Runs the words; the code, and what was printed. */
export async function ran(
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
    environment: {
      cwd: seen.folder,
      variables: { XDG_STATE_HOME: seen.folder },
      uid: null,
      processors: 1,
      program: [],
      pid: 1,
      host: "here",
    },
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
