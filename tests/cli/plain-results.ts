/** What the world of plain values answers with. Some names hold escape sequences, as those of a repository may. */
import type { StoredSession } from "../../src/app-sessions.ts";
import type { DiskUse } from "../../src/app-storage.ts";
import type { IndexSummary } from "../../src/app-types.ts";
import type { IndexMeta, SearchHit } from "../../src/db/curated.ts";
import type { DataFile, DataKind } from "../../src/db/data-files.ts";
import type { LoggedDecision } from "../../src/db/raw-log.ts";
import type { ContextPackage } from "../../src/retrieval/package-schema.ts";
import type { RunRecord } from "../../src/retrieval/run-record.ts";

export const META: IndexMeta = {
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
export const SUMMARY: IndexSummary = {
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
export const HITS: readonly SearchHit[] = [
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
export const DECISION: LoggedDecision = {
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
export const PACKAGE: ContextPackage = {
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

export const RECORD: RunRecord = {
  schema_version: 1,
  task_id: PACKAGE.task_id,
  task: "fix it\x1b[2J\nand more",
  rounds: [1, 2].map((round) => ({
    round,
    attempts: round,
    status: round === 1 ? "finished" : null,
    command: round === 1 ? "retrieve" : "refine",
    started_at: "2024-01-01T00:00:00.000Z",
    finished_at: round === 1 ? "2024-01-01T00:00:01.000Z" : null,
    ms: round === 1 ? 1000 : null,
    options: { stages: ["scope"], include: [], depth: 1, template: [{ text: "t" }] },
    budget: { tokens: 100, max_lines: null },
    content_hash: "c0ffee",
    cra_version: "0.1.0",
    token_count: round === 1 ? 90 : null,
    files: round === 1 ? 1 : null,
    notices: [{ code: "hint-unknown", message: "a hint\x1b]0;x\x07 matches nothing" }],
    stages: [{ stage: "scope", ms: 12, counts: { seed: 1, ranked: 2 } }],
    model_calls:
      round === 1
        ? [
            {
              stage: "scope",
              model: "m:1b",
              base_url: "http://127.0.0.1:11434",
              status: "ok",
              started_at: "2024-01-01T00:00:00.500Z",
              ms: 300,
              prompt_tokens: 321,
              response_tokens: null,
              prompt: "sort\x1b[31m these\nplease",
              response: "{}\u202e",
            },
          ]
        : [],
    decision_counts: [{ stage: "scope", tier: "seed", included: 1, left_out: 0 }],
    decisions: [],
  })),
};

export const SESSIONS: readonly StoredSession[] = [
  {
    taskId: PACKAGE.task_id,
    task: "fix it\x1b[2J\nand more",
    rounds: 2,
    state: "unfinished",
    lastUsed: "2024-01-01T00:00:01.000Z",
    bytes: 4096,
    why: null,
  },
  {
    taskId: "fedcba987654",
    task: null,
    rounds: 0,
    state: "damaged",
    lastUsed: null,
    bytes: 5,
    why: "the session is damaged\x1b[2J",
  },
];

export const USES: readonly DiskUse[] = [
  { name: "index", freedBy: "index", files: [fileOf("curated.sqlite", "index", 2048)], bytes: 2048 },
  { name: "log", freedBy: "log", files: [fileOf("raw.sqlite", "log", 1024)], bytes: 1024 },
  { name: "not cra's", freedBy: null, files: [fileOf("no\x1b[2Jte", "foreign", 5)], bytes: 5 },
];

function fileOf(name: string, kind: DataKind, bytes: number): DataFile {
  return { path: `/r/.cra/${name}`, kind, bytes, task: null };
}
