/** The fixed results of the stub app. Some names hold escape sequences, as names in a repository may. */

import type { IndexSummary } from "../../src/app/indexing/index-repository.ts";
import type { RetrieveResult } from "../../src/app/retrieval/retrieve.ts";
import type { Pushed } from "../../src/app/team/push.ts";
import type { StoredSession } from "../../src/app/upkeep/sessions.ts";
import type { DiskUse } from "../../src/app/upkeep/storage.ts";
import type { SearchHit } from "../../src/db/curated/knowledge-base.ts";
import type { IndexMeta } from "../../src/db/curated/meta.ts";
import type { DataFile, DataKind } from "../../src/db/data-folder/data-files.ts";
import type { LoggedDecision } from "../../src/db/raw-log/raw-log.ts";
import type { RetrievalBundle } from "../../src/escalation/escalation-schema.ts";
import type { Explanation } from "../../src/retrieval/explain/explain.ts";
import type { RunRecord } from "../../src/retrieval/explain/run-record.ts";
import { PACKAGE } from "./stub-package.ts";

export const META: IndexMeta = {
  contentHash: "c0ffee",
  sourceHash: "",
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
  seededFrom: null,
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
    purpose: "plan",
    rounds: 2,
    state: "unfinished",
    lastUsed: "2024-01-01T00:00:01.000Z",
    bytes: 4096,
    why: null,
  },
  {
    taskId: "fedcba987654",
    task: null,
    purpose: null,
    rounds: 0,
    state: "damaged",
    lastUsed: null,
    bytes: 5,
    why: "the session is damaged\x1b[2J",
  },
];

export const STORED = [
  { name: "index", bytes: 2048, files: 1 },
  { name: "sessions", bytes: 4096, files: 2 },
];

export const USES: readonly DiskUse[] = [
  { name: "index", freedBy: "index", files: [fileOf("curated.sqlite", "index", 2048)], bytes: 2048 },
  { name: "log", freedBy: "log", files: [fileOf("raw.sqlite", "log", 1024)], bytes: 1024 },
  { name: "not cra's", freedBy: null, files: [fileOf("no\x1b[2Jte", "foreign", 5)], bytes: 5 },
];

function fileOf(name: string, kind: DataKind, bytes: number): DataFile {
  return { path: `/r/.cra/${name}`, kind, bytes, task: null };
}
export const ESCALATED: RetrievalBundle = {
  phase_id: "phase_001",
  timestamp: "2024-01-15T10:30:00Z",
  priority: "high",
  run_artifacts: [
    {
      path: "phase_001_attempt_1\x1b[2J.log",
      content: "ERROR: Test failure\nFAILED to complete",
      size: 38,
      modified: "2024-01-15T10:25:00Z",
      within_24h: true,
    },
  ],
  sot_files: [{ path: "docs/error_handling.md", content: "# Error Handling\n\nThis\n", size: 23, relevance_score: 5 }],
  memory_entries: [
    {
      phase_id: "phase_042",
      error_pattern: "FileNotFoundError: config.yaml",
      resolution: "Created missing config file",
      similarity_score: 0.85,
    },
  ],
  stats: {
    run_artifacts_count: 1,
    run_artifacts_size: 38,
    sot_files_count: 1,
    sot_files_size: 23,
    memory_entries_count: 1,
    memory_entries_size: 137,
  },
  escalate: true,
  forced: false,
  attempt: 2,
  triggers: [
    { name: "minimal_bundle", fired: true, reason: "the bundle is empty" },
    { name: "repeated_failures", fired: false, reason: "no earlier attempt left a log" },
  ],
  warnings: ["the documents: docs/x\x1b[2J: permission denied"],
  schema_version: 1,
};

/** Why the package has what it has. */
export const SCORES: RetrieveResult["scores"] = [
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
];

/** What it shows. */
export const SHOWN: RetrieveResult["shown"] = [
  { path: "a.ts", item: "parseUrl", tier: "primary", detail: "body", tokens: 50 },
  { path: "a.ts", item: "parse", tier: "primary", detail: "signature", tokens: 9 },
  { path: "a.ts", item: "Url", tier: "type_context", detail: "signature", tokens: 7 },
];

/** The explained run. */
export const EXPLAINED_FILE = {
  path: "a.ts",
  rank: 1,
  tier: "seed",
  score: 0.5,
  shown: true,
  tokens: 40,
  reason: "named",
} as const;

export const EXPLAINED_RUN: Explanation["run"] = {
  runId: 1,
  taskId: PACKAGE.task_id,
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

export const NO_CONTEXT = { markdown: "", items: [], token_count: 0, sources_used: {}, budget_exceeded: false };

export const PUSHED: Pushed = {
  to: "postgres://ci@db/cra",
  repository: "example.com/app",
  commit: "c".repeat(40),
  isNew: true,
  hasTexts: false,
  files: 2,
  contents: { sent: 1, all: 2 },
  bytes: 100,
  secrets: 0,
  notices: [],
};

export const WHAT_IF: RetrieveResult["dryRun"] = {
  preview: async () => ({ kind: "index-busy" }),
  tokensOf: () => 0,
  levels: () => [],
};
