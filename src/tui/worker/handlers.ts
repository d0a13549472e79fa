/**
 * Handles the jobs of `protocol.ts` with an app.
 *
 * Keeps the newest finished round for later jobs about it. Lists are bounded, so that no answer exceeds what a screen can
 * use.
 */
import type { App } from "../../app/app.ts";
import type { AppRequest } from "../../app/environment.ts";
import type { RetrieveResult } from "../../app/retrieve.ts";
import type { RetrieveRequest } from "../../app/retrieve-request.ts";
import type { DryRunChange } from "../../retrieval/dry-run.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { readRefinement } from "../../retrieval/model/read-refinement.ts";
import { joinRequests, mergeConstraints, NO_CONSTRAINTS } from "../../retrieval/model/refinement.ts";
import { shellCommand } from "../../retrieval/refinement/reproduction.ts";
import { readDraft } from "../state/draft.ts";
import { type Fuzzy, fuzzyOf } from "../state/fuzzy.ts";
import type { DryRun, PackageMove, PreviewLine, Round } from "../state/review-state.ts";
import { type IndexedName, labelOf, type SessionRow } from "../state/state.ts";
import { grouped } from "../styling/numbers.ts";
import type { Crew, JobHandlers, KnownIndex, RunProgress, WorkerSetup } from "./protocol.ts";

const HISTORY_MAX = 500;
const SESSIONS_MAX = 500;
/** A preview is to look into a file, not to read it. */
const PREVIEW_LINES_MAX = 5_000;
const PREVIEW_LINE_CHARS_MAX = 2_000;
const OUTLINE_MAX = 5_000;
/** Events are passed on in lots, one a frame. */
const LOT_MS = 16;

const REQUEST_SOURCE = { typed: false, file: "the request" } as const;

/**
 * `open` opens an app; it is asked again after it failed. `standing` is the task whose last round is asked about before
 * any has finished here; null when none is.
 */
export function openHandlers(
  world: WorkerSetup,
  open: (request: AppRequest) => Promise<App>,
  standing: string | null,
): Crew {
  let opening: Promise<App> | null = null;
  let newest: RetrieveResult | null = null;
  let names: { readonly all: readonly IndexedName[]; readonly fuzzy: Fuzzy } | null = null;

  const opened = (): Promise<App> => {
    opening ??= open(world.request).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const kept = (result: RetrieveResult): Round => {
    newest = result;
    return roundOf(result, world.place);
  };
  const atHand = async (signal: AbortSignal): Promise<RetrieveResult | null> => {
    if (newest === null && standing !== null) newest = (await (await opened()).reopen(standing, signal)).round;
    return newest;
  };

  const jobs: JobHandlers = {
    async home() {
      const app = await opened();
      return { sessions: await sessionsOf(app), history: app.earlierTasks(HISTORY_MAX) };
    },
    async knownIndex(_ask, _tell, signal) {
      return await indexOf(await opened(), signal);
    },
    async index(_ask, tell, signal) {
      const app = await opened();
      await app.index({ failFast: false, rebuild: false, onProgress: tell }, signal);
      names = null;
      return await indexOf(app, signal);
    },
    async retrieve({ task, request, budget }, tell, signal) {
      const app = await opened();
      const onRefresh: RetrieveRequest["onRefresh"] = (step) => tell({ step });
      if (!app.isIndexed()) await app.index({ failFast: false, rebuild: false, onProgress: onRefresh }, signal);
      names = null;
      const settings = {
        ...app.config.settings,
        ...(budget === null ? {} : { budget, context_window: null, reserved_tokens: null }),
      };
      const constraints = mergeConstraints(NO_CONSTRAINTS, readRefinement(request, REQUEST_SOURCE));
      const wish = { ...world.wish, task, settings, hintPaths: [], hintSymbols: [], constraints, strict: false };
      return kept(await followed(app.retrieve({ ...wish, onRefresh }, signal), app, tell));
    },
    async refine({ taskId, request, budget }, tell, signal) {
      const app = await opened();
      names = null;
      const wish = { taskId, request: readRefinement(request, REQUEST_SOURCE), budget, refresh: world.wish.refresh };
      const onRefresh: RetrieveRequest["onRefresh"] = (step) => tell({ step });
      return kept(await followed(app.refine({ ...wish, onRefresh }, signal), app, tell));
    },
    async resume(typed, _tell, signal) {
      const app = await opened();
      const { taskId, task, round } = await app.reopen(typed, signal);
      return { taskId, task, round: round === null ? null : kept(round) };
    },
    async preview(path) {
      const file = (await opened()).indexedFile(path);
      if (file === null) return { path, language: "", lines: null };
      return { path, language: file.language, lines: linesOf(file.text) };
    },
    async outline(path) {
      return ((await opened()).indexedFile(path)?.symbols ?? []).slice(0, OUTLINE_MAX);
    },
    async find({ query, limit }) {
      const app = await opened();
      names ??= named(app.isIndexed() ? app.names() : []);
      const { all, fuzzy } = names;
      const { count, best } = fuzzy.search(query, limit);
      const rows = best.flatMap(({ index, at }) => {
        const found = all[index];
        return found === undefined ? [] : [{ found, at }];
      });
      return { rows, matches: count, of: fuzzy.size };
    },
    async whatIf({ request, budget, rejecting }, _tell, signal) {
      const round = await atHand(signal);
      return round === null ? null : await supposed(round, { request, budget }, rejecting, signal);
    },
    async rememberTask(taskId) {
      const { entry, status } = await (await opened()).memory.rememberTask(taskId, { type: "experience" });
      return { id: entry.id, status };
    },
    render: async (format, _tell, signal) => (await (await atHand(signal))?.render(format)) ?? null,
  };
  return {
    jobs,
    async close() {
      if (opening !== null) (await opening).close();
    },
  };
}

const named = (all: readonly IndexedName[]) => ({ all, fuzzy: fuzzyOf(all.map(labelOf)) });

const roundOf = (result: RetrieveResult, place: readonly string[]): Round => ({
  taskId: result.package.task_id,
  number: result.round,
  package: result.package,
  scores: result.scores,
  shown: result.shown,
  constraints: result.constraints,
  command: shellCommand(place, result.reproduction),
});

/** Runs a pipeline to its end and passes its events on, those of a frame together. */
async function followed(
  pipeline: AsyncGenerator<PipelineEvent, RetrieveResult>,
  app: App,
  tell: (news: RunProgress) => void,
): Promise<RetrieveResult> {
  let lot: PipelineEvent[] = [];
  let since = app.nowMs();
  const pass = (): void => {
    if (lot.length > 0) tell({ events: lot });
    lot = [];
    since = app.nowMs();
  };
  let step = await pipeline.next();
  while (!step.done) {
    // The whole package comes with the answer.
    if (step.value.event !== "package") lot.push(step.value);
    // A stage works on for some time after it has said that it begins.
    if (step.value.event.startsWith("stage_") || app.nowMs() - since >= LOT_MS) pass();
    step = await pipeline.next();
  }
  pass();
  return step.value;
}

/** Null when nothing can be said, as the index is being written. */
async function supposed(
  { dryRun, package: { budget: before } }: RetrieveResult,
  { request, budget }: DryRunChange,
  rejecting: string | null,
  signal: AbortSignal,
): Promise<DryRun | null> {
  const outlook = await dryRun.preview({ request, budget }, signal);
  if (outlook.kind === "index-busy") return null;
  if (outlook.kind === "budget-too-small") {
    const { floor, budget: wanted } = outlook.failure;
    const nothing = { enters: [], leaves: [], nextOut: null, nextIn: null, rejecting: null };
    return { tokens: floor, budget: budget ?? wanted, exact: true, ...nothing };
  }
  const { package: found, exact, enters, leaves, next } = outlook;
  return {
    tokens: found.token_count,
    budget: budget ?? before,
    exact,
    enters,
    leaves,
    nextOut: next.out,
    nextIn: next.in,
    rejecting: rejecting === null ? null : await rejected(dryRun, { request, budget }, rejecting, enters, signal),
  };
}

/** What leaving one more file out frees, and what would come in then that does not come anyway. */
async function rejected(
  dryRun: RetrieveResult["dryRun"],
  { request, budget }: DryRunChange,
  path: string,
  anyway: readonly PackageMove[],
  signal: AbortSignal,
): Promise<DryRun["rejecting"]> {
  const frees = dryRun.tokensOf(path);
  const without = joinRequests(request, { rejected_files: [path] });
  const outlook = await dryRun.preview({ request: without, budget }, signal);
  const known = new Set(anyway.map(keyOf));
  const enters = outlook.kind === "package" ? outlook.enters.filter((move) => !known.has(keyOf(move))) : [];
  return { path, frees, enters };
}

const keyOf = ({ path, item }: PackageMove): string => `${path}\0${item ?? ""}`;

async function indexOf(app: App, signal: AbortSignal): Promise<KnownIndex> {
  if (!app.isIndexed()) return { status: "missing", files: null, headline: "not indexed yet" };
  const { index, stale } = await app.status(signal);
  if (index === null) return { status: "missing", files: null, headline: "not indexed yet" };
  const { files, symbols } = index.counts;
  const age = stale === null ? "up to date" : `older than the work tree: ${stale}`;
  return { status: "ready", files, headline: `${grouped(symbols)} symbols, ${age}` };
}

async function sessionsOf(app: App): Promise<readonly SessionRow[]> {
  return (await app.sessions())
    .filter(({ state }) => state !== "empty" && state !== "damaged")
    .slice(0, SESSIONS_MAX)
    .map(({ taskId, task, rounds, lastUsed }) => ({ taskId, task, rounds, lastUsed, unsaved: waits(app, taskId) }));
}

/** Whether something was decided that no round has seen. */
function waits({ drafts }: App, taskId: string): boolean {
  const draft = drafts.has(taskId) ? readDraft(drafts.read(taskId)) : null;
  return draft !== null && draft.files.length + draft.symbols.length > 0;
}

function linesOf(text: string): readonly PreviewLine[] {
  const lines = text.split("\n", PREVIEW_LINES_MAX + 1);
  if (lines.at(-1) === "") lines.pop();
  const shown = lines
    .slice(0, PREVIEW_LINES_MAX)
    .map((line, at): PreviewLine => ({ kind: "code", number: at + 1, text: line.slice(0, PREVIEW_LINE_CHARS_MAX) }));
  return lines.length > PREVIEW_LINES_MAX ? [...shown, { kind: "mark", number: null, text: "…" }] : shown;
}
