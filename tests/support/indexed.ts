/**
 * A small indexed repository with the retrieval pipeline ready to run in this process.
 *
 * Files, parsers, git, databases and tokenizers are real; only the command line is left out.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KnowledgeBase } from "../../src/db/curated/knowledge-base.ts";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { type Metadata, promoteInto } from "../../src/db/curated/write/file-metadata.ts";
import { openRawLog } from "../../src/db/raw-log/open-raw-log.ts";
import type { RawLog } from "../../src/db/raw-log/raw-log.ts";
import { openSession } from "../../src/db/session/session.ts";
import { Failed } from "../../src/failure.ts";
import { type DryRun, openDryRun } from "../../src/retrieval/dry-run.ts";
import type { Coverage } from "../../src/retrieval/model/budget.ts";
import type { PipelineEvent } from "../../src/retrieval/model/events.ts";
import type { Judging, OpenJudge } from "../../src/retrieval/model/judging.ts";
import type { Refinement } from "../../src/retrieval/refinement/refine-round.ts";
import { renderMarkdown } from "../../src/retrieval/render/markdown.ts";
import { DEFAULT_TEMPLATE, parseTemplate, renderPrompt } from "../../src/retrieval/render/prompt.ts";
import { type Constraints, NO_CONSTRAINTS } from "../../src/retrieval/requests/refinement.ts";
import { type RetrieveRequest, type RetrieveResult, retrieve } from "../../src/retrieval/retrieve.ts";
import { stagesNamed } from "../../src/retrieval/stages.ts";
import type { Purpose } from "../../src/task/query.ts";
import { openTokenCounter, type TokenCounter, type TokenizerName } from "../../src/text/tokens/tokens.ts";
import { onOneThread, runIndex, sharedPool, world } from "../indexing/update/index-repo-world.ts";
import { type Files, type TempRepo, tempRepo } from "./repo.ts";

/** Options of a run; each defaults to the program's default. */
export type RunOptions = {
  readonly budget?: number;
  readonly coverage?: Coverage;
  readonly maxLines?: number;
  readonly tokenizer?: TokenizerName;
  readonly stages?: readonly string[];
  readonly scopeSize?: number;
  readonly depth?: 1 | 2 | 3;
  readonly only?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly paths?: readonly string[];
  readonly symbols?: readonly string[];
  readonly languages?: readonly string[];
  readonly purpose?: Purpose;
  readonly weights?: RetrieveRequest["weights"];
  readonly template?: string;
  readonly constraints?: Constraints;
  readonly refines?: Refinement;
  readonly standing?: RetrieveRequest["standing"];
  readonly keeps?: RetrieveRequest["keeps"];
  readonly signal?: AbortSignal;
  readonly openJudge?: OpenJudge;
  readonly judging?: Judging;
  readonly learned?: RetrieveRequest["learned"];
  readonly review?: RetrieveRequest["review"];
  readonly reasons?: boolean;
};

export type Run = RetrieveResult & {
  readonly events: readonly PipelineEvent[];
  readonly markdown: string;
  readonly prompt: string;
  /** The request, with its token counter. */
  readonly request: RetrieveRequest;
  readonly counter: TokenCounter;
  readonly dryRun: DryRun;
};

export type Indexed = Disposable & {
  readonly repo: TempRepo;
  readonly kb: KnowledgeBase;
  readonly log: RawLog;
  /** The folder that stores sessions. */
  readonly sessions: string;
  run(task: string, options?: RunOptions): Promise<Run>;
};

export const CRA_VERSION = "0.0.0-test";

/** `promoted` is the metadata of files. */
type IndexedOptions = {
  readonly git?: boolean;
  readonly grow?: (repo: TempRepo) => void;
  readonly promoted?: Readonly<Record<string, Metadata>>;
};

/** The index of files that have no history: the same for every folder, and the test files of a process share some. */
const indexes = new WeakMap<Files, Uint8Array>();

/** Writes the files, lets `grow` add commits, and indexes the folder. */
export async function indexed(files: Files, { git = false, grow, promoted }: IndexedOptions = {}): Promise<Indexed> {
  const repo = tempRepo(files, { git });
  grow?.(repo);
  const dataDir = mkdtempSync(join(tmpdir(), "cra-data-"));
  const place = onOneThread(world(repo.path, dataDir, sharedPool()));
  const isPlain = !git && grow === undefined;
  const known = isPlain ? indexes.get(files) : undefined;
  if (known === undefined) await runIndex(place);
  else writeFileSync(place.paths.curated, known);
  if (isPlain) indexes.set(files, known ?? readFileSync(place.paths.curated));
  if (promoted !== undefined) promoteInto(place.paths.curated, ({ path }) => promoted[path] ?? null);
  const kb = openKnowledgeBase(place.paths.curated, repo.path);
  const log = openRawLog(place.paths.raw);
  const { sessions } = place.paths;
  return {
    repo,
    kb,
    log,
    sessions,
    async run(task, options = {}) {
      const template = parseTemplate(options.template ?? DEFAULT_TEMPLATE, "the template");
      const counter = await openTokenCounter(options.tokenizer ?? "o200k_base", { margin: MARGIN });
      const request = requestOf(task, options, template);
      const pipeline = retrieve(
        {
          kb,
          log,
          openSession: (taskId) => openSession(sessions, taskId),
          counter,
          now: () => 0,
          craVersion: CRA_VERSION,
          openJudge: options.openJudge ?? null,
        },
        request,
        options.signal ?? new AbortController().signal,
      );
      const events: PipelineEvent[] = [];
      let step = await pipeline.next();
      while (!step.done) {
        events.push(step.value);
        step = await pipeline.next();
      }
      const { pkg } = step.value;
      const dryRun = openDryRun({ kb: () => kb, counter, craVersion: CRA_VERSION }, request, step.value);
      const texts = { markdown: renderMarkdown(pkg), prompt: renderPrompt(pkg, { template }) };
      return { ...step.value, ...texts, events, request, counter, dryRun };
    },
    [Symbol.dispose]() {
      kb.close();
      log.close();
      repo[Symbol.dispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const MARGIN = 0.15;

const requestOf = (task: string, options: RunOptions, template: RetrieveRequest["template"]): RetrieveRequest => ({
  command: options.refines === undefined ? "retrieve" : "refine",
  task,
  given: {
    paths: options.paths ?? [],
    symbols: options.symbols ?? [],
    languages: options.languages ?? [],
    ...(options.purpose === undefined ? {} : { purpose: options.purpose }),
  },
  budget: {
    tokens: options.budget ?? 32_768,
    maxLines: options.maxLines ?? null,
    contextWindow: null,
    reservedTokens: null,
    coverage: options.coverage ?? 1,
  },
  stages: stagesNamed(options.stages ?? ["scope", "precision"]),
  scope: {
    scopeSize: options.scopeSize ?? 75,
    depth: options.depth ?? 1,
    only: options.only ?? [],
    include: options.include ?? [],
    exclude: options.exclude ?? [],
  },
  weights: options.weights ?? "default",
  safetyMargin: options.tokenizer === "approximate" ? MARGIN : null,
  template,
  constraints: options.constraints ?? NO_CONSTRAINTS,
  refines: options.refines ?? null,
  ...(options.standing === undefined ? {} : { standing: options.standing }),
  ...(options.keeps === undefined ? {} : { keeps: options.keeps }),
  judging: options.judging ?? null,
  notices: [],
  ...(options.reasons === undefined ? {} : { reasons: options.reasons }),
  ...(options.learned === undefined ? {} : { learned: options.learned }),
  ...(options.review === undefined ? {} : { review: options.review }),
});

/** The minimum budget that a refusal reports; throws if the run is not refused for its budget. */
export async function floorOf(refused: Promise<unknown>): Promise<number> {
  try {
    await refused;
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "budget-below-floor") return error.failure.floor;
    throw error;
  }
  throw new Error("the run was not refused");
}
