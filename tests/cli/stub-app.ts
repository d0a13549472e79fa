/** A stub of the app for tests of commands: it answers with fixed results and records the requests. */
import { afterAll, beforeAll, beforeEach, expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, openConfig } from "../../src/app/app.ts";
import type { IndexSummary } from "../../src/app/indexing/index-repository.ts";
import type { EscalateRequest } from "../../src/app/memory/escalate.ts";
import { appMemory } from "../../src/app/memory/remember.ts";
import type { ValuesSummary } from "../../src/app/memory/values.ts";
import type { AnswerText } from "../../src/app/retrieval/answer-text.ts";
import type { RefineRequest } from "../../src/app/retrieval/refine.ts";
import type { RetrieveResult } from "../../src/app/retrieval/retrieve.ts";
import type { RetrieveRequest } from "../../src/app/retrieval/retrieve-request.ts";
import type { ArchiveReport, ArchiveRequest, StoredSession } from "../../src/app/upkeep/sessions.ts";
import type { FreedBy } from "../../src/app/upkeep/storage.ts";
import type { Sink } from "../../src/cli/output/sink.ts";
import { start } from "../../src/cli/start.ts";
import { loadConfig } from "../../src/config/read-files.ts";
import type { Diagnostic } from "../../src/db/check/diagnostic.ts";
import type { SearchHit } from "../../src/db/curated/knowledge-base.ts";
import { Failed } from "../../src/failure.ts";
import type { FormattedContext } from "../../src/recall/context/context-json.ts";
import type { FileJudgement } from "../../src/retrieval/explain/file-verdicts.ts";
import type { Changes } from "../../src/retrieval/model/changes.ts";
import type { PipelineEvent } from "../../src/retrieval/model/events.ts";
import type { Reproduction } from "../../src/retrieval/refinement/reproduction.ts";
import { NO_CONSTRAINTS } from "../../src/retrieval/requests/refinement.ts";
import { REDACTOR } from "../../src/secrets/redact.ts";
import { NO_REDACTION } from "../../src/secrets/redactor.ts";
import { PACKAGE } from "./stub-package.ts";
import {
  DECISION,
  ESCALATED,
  EXPLAINED_FILE,
  EXPLAINED_RUN,
  HITS,
  META,
  NO_CONTEXT,
  PUSHED,
  RECORD,
  SCORES,
  SESSIONS,
  SHOWN,
  STORED,
  SUMMARY,
  USES,
  WHAT_IF,
} from "./stub-results.ts";

type World = {
  readonly context?: FormattedContext;
  readonly values?: ValuesSummary;
  readonly indexed?: boolean;
  readonly problems?: IndexSummary["problems"];
  readonly inputsSkipped?: number;
  readonly hits?: readonly SearchHit[];
  readonly enrichFails?: boolean;
  readonly findings?: readonly Diagnostic[];
  readonly throws?: Error;
  readonly judged?: FileJudgement;
  readonly sessions?: readonly StoredSession[];
  readonly archived?: ArchiveReport;
  readonly isFirstRun?: boolean;
  readonly changes?: Changes;
  readonly news?: AnswerText;
  readonly reproduction?: Reproduction;
};
type Ran = { readonly out: string; readonly err: string; readonly code: number };
/** The requests of one test. */
export const seen: {
  folder: string;
  refinements: RefineRequest[];
  escalations: EscalateRequest[];
  requests: RetrieveRequest[];
  indexed: number;
  removed: FreedBy[];
  archived: ArchiveRequest[];
  enriched: { readonly promote: boolean; readonly limit: number | null }[];
} = { folder: "", ...nothing() };

function nothing(): Omit<typeof seen, "folder"> {
  return { archived: [], enriched: [], escalations: [], refinements: [], requests: [], indexed: 0, removed: [] };
}

/** Gives the tests of a file a folder, and forgets recorded requests before each test. */
export function watch(): void {
  beforeAll(() => {
    seen.folder = mkdtempSync(join(tmpdir(), "cra-commands-"));
  });
  afterAll(() => rmSync(seen.folder, { recursive: true, force: true }));
  beforeEach(() => void Object.assign(seen, nothing()));
}

const saying = (text: AnswerText) => ({ next: async () => text, beside: () => expect.unreachable() });

function appOf(world: World, config: App["config"]): App {
  let hasIndex = world.indexed ?? true;
  const ran = {
    tokens: 93,
    inputsSkipped: world.inputsSkipped ?? 0,
    isFirstRun: world.isFirstRun ?? false,
    unrecorded: null,
    constraints: NO_CONSTRAINTS,
    notApplied: null,
    dryRun: WHAT_IF,
  };
  return {
    root: "/r",
    config,
    notices: [],
    nowMs: () => 0,
    isIndexed: () => hasIndex,
    members: () => [],
    index: async () => {
      seen.indexed += 1;
      hasIndex = true;
      return { ...SUMMARY, problems: world.problems ?? [] };
    },
    push: async () => PUSHED,
    exportIndex: async () => ({ bytes: new Uint8Array(8), entries: 2, leftOut: { secret: 1, unparsed: 0 } }),
    async *watch(): AsyncGenerator<typeof SUMMARY, never> {
      yield SUMMARY;
      yield { ...SUMMARY, files: { added: 1, changed: 2, removed: 0, unchanged: 3 } };
      throw new Failed({ code: "cancelled", signal: "SIGINT" });
    },
    readSource: async () => ({ kind: "several", places: [], count: 0, notices: [] }),
    recall: async () => world.context ?? NO_CONTEXT,
    premortem: async () => world.context ?? NO_CONTEXT,
    embedAll: async (model) => ({ model, memory: 0, index: null }),
    values: async () => world.values ?? { values: [], experiences: 0, vectorsBy: null, worded: 0 },
    rounds: async () => [],
    returnTo: () => expect.unreachable(),
    deleteSession: async () => {},
    givenCode: () => expect.unreachable(),
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
        ...ran,
        rendered: "# the package\x1b[2J\n",
        scores: SCORES,
        shown: SHOWN,
        round: 1,
        reproduction: { words: ["x"], unsupported: [] },
        render: async () => "# the package\n",
        answers: saying({ markdown: "# the package\n", tokens: PACKAGE.token_count, since: null }),
      };
    },
    async *enrich(request) {
      seen.enriched.push({ promote: request.promote, limit: request.limit });
      const failed = world.enrichFails === true ? [{ path: "b\x1b[2J.ts", why: "the reply broke off" }] : [];
      yield { path: "a.ts", done: 1, total: 2, why: null };
      yield { path: "b\x1b[2J.ts", done: 2, total: 2, why: failed[0]?.why ?? null };
      const promoted = request.promote ? { files: 3, changed: 2 } : null;
      const counts = { files: 3, answeredBefore: 1, answered: 2 - failed.length, gone: 0, left: failed.length };
      return { model: config.settings.model, ...counts, failed, promoted };
    },
    async *refine(request): AsyncGenerator<PipelineEvent, RetrieveResult> {
      if (world.throws) throw world.throws;
      seen.refinements.push(request);
      yield { event: "stage_started", stage: "scope" };
      const changes = world.changes ?? null;
      const pkg = { ...PACKAGE, provenance: { ...PACKAGE.provenance, changes } };
      yield { event: "package", package: pkg };
      return {
        package: pkg,
        ...ran,
        rendered: "# the package again\n",
        scores: [],
        shown: [],
        round: 2,
        render: async () => "# the package again\n",
        answers: saying(world.news ?? { markdown: "# the package again\n", tokens: PACKAGE.token_count, since: null }),
        reproduction: world.reproduction ?? { words: ["--reject", "b c.ts", "x"], unsupported: [] },
      };
    },
    search: async () => ({ hits: world.hits ?? HITS, notices: [] }),
    escalate: async (request) => {
      seen.escalations.push(request);
      return ESCALATED;
    },
    reopen: async (taskId) => ({ taskId, task: "t", round: null }),
    earlierTasks: () => ["a task"],
    names: () => [],
    indexedFiles: () => [],
    isUntracked: () => false,
    sourcePath: () => null,
    indexedFile: () => null,
    changedFiles: () => [],
    memory: appMemory({
      paths: { memory: join(seen.folder, "memory.sqlite") },
      redactor: config.settings.allow_secrets ? NO_REDACTION : REDACTOR,
      createDataFolder: () => {},
      log: { read: () => null },
    }),
    drafts: { read: () => undefined, write: () => {}, remove: () => {}, has: () => false },
    explain: async (taskId, what) => {
      if (taskId !== PACKAGE.task_id) throw new Failed({ code: "unknown-task", taskId });
      if (what !== null && what !== "a.ts") throw new Failed({ code: "no-match", message: `nothing knows ${what}` });
      if (what !== null)
        return { about: "thing", target: what, run: EXPLAINED_RUN, files: [], decisions: [DECISION], unrecorded: null };
      const file = { ...EXPLAINED_FILE, judged: world.judged ?? null };
      const out = { ...file, judged: null, path: "z.ts", rank: null, shown: false, tokens: 0, reason: "too low" };
      const files = [file, out];
      return { about: "run", target: null, run: EXPLAINED_RUN, files, decisions: [DECISION], unrecorded: null };
    },
    taskMembers: async () => [],
    runRecord: async (taskId, round) => {
      if (taskId !== RECORD.task_id) throw new Failed({ code: "unknown-task", taskId });
      return { ...RECORD, rounds: RECORD.rounds.filter((row) => round === null || row.round === round) };
    },
    sessions: async () => world.sessions ?? SESSIONS,
    archive: async (wish) => {
      seen.archived.push(wish);
      return world.archived ?? { archived: [{ taskId: "0123456789ab", bytes: 4096 }], stayed: [], younger: 0 };
    },
    status: async () => ({
      root: "/r",
      dataDir: "/r/.cra",
      index: hasIndex ? META : null,
      stale: null,
      writer: null,
      members: [],
      inStore: [],
      enrichment: hasIndex ? { files: 3, answered: 2, promoted: 1 } : null,
      stored: STORED,
      runs: 2,
      shared: null,
      versions: [["cra", "0.1.0"]],
    }),
    modelStatus: async () => null,
    examine: async () => ({
      dataDir: "/r/.cra",
      indexed: hasIndex,
      files: 3,
      bytes: 2048,
      members: [],
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

/** Runs the arguments; the exit code and the output. */
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
    loadApp: async () => ({
      openConfig,
      openApp: async ({ flags }) => appOf(world, loadConfig({ flags, variables: {}, root: null })),
    }),
  });
  return { ...text, code };
}
