/**
 * Runs the cases of one repository: creates the work tree and index of each commit, or reuses a stored index, and runs
 * every variant of the weights.
 *
 * The group's folder contains all output: `clone`, `data` (the index of the clone), `indexes` (stored ones, by commit)
 * and `results.jsonl`. A case without a commit runs on the current work tree, with its usual index.
 */

import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Settings } from "../../config/keys.ts";
import { loadConfig, repositoryConfigPath } from "../../config/read-files.ts";
import type { Layer } from "../../config/settings.ts";
import type { FileQueries, KnowledgeBase, OneRepository, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import { openKnowledgeBase } from "../../db/curated/open-knowledge-base.ts";
import { dataPaths } from "../../db/data-folder/paths.ts";
import { takeIndexLock } from "../../db/sqlite/lock.ts";
import { readSmallFile } from "../../db/sqlite/small-file.ts";
import type { ReadCase } from "../../evaluation/cases.ts";
import { resultOf } from "../../evaluation/metrics.ts";
import type { Outcome } from "../../evaluation/report/outcome.ts";
import { scoredSymbols, symbolPlaces } from "../../evaluation/symbol-metrics.ts";
import type { CaseGroup } from "../../evaluation/work-folders.ts";
import { Failed } from "../../failure.ts";
import { checkOut } from "../../source/git/clone.ts";
import { parseJson } from "../../text/parse-json.ts";
import { openApp, openConfig } from "../app.ts";
import { openProvisional } from "../indexing/provisional.ts";
import type { AppRequest } from "../workspace/environment.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { type AmongRequest, askedAmong, openAmong } from "./among.ts";
import { answer, namedSymbols, openCounters } from "./answer-case.ts";

/** A variant of the weights: `without` is the omitted signal, null for the configured weights. */
export type Variant = { readonly name: string; readonly without: string | null };

export type VisitRequest = AmongRequest & {
  readonly group: CaseGroup;
  /** The cases to run, in order, with the missing variants of each. */
  readonly todo: readonly { readonly one: ReadCase; readonly variants: readonly Variant[] }[];
  readonly keepIndexes: boolean;
  /** Whether each case is answered as in a repository that was never indexed. */
  readonly provisional: boolean;
  /** Whether to ignore stored indexes. */
  readonly fresh: boolean;
  /** A key of what an index depends on besides the commit. */
  readonly indexKey: string;
  readonly nowMs: () => number;
};

type Opened = { readonly kb: KnowledgeBase; readonly settings: Settings; readonly indexMs: number };

/** Yields the outcome of every case. Throws if it is aborted, and on failures that are not about one case. */
export async function* visit(request: VisitRequest, signal: AbortSignal): AsyncGenerator<Outcome, void> {
  const { environment, group } = request;
  const { from: own } = group;
  mkdirSync(group.folder, { recursive: true, mode: 0o700 });
  const holder = { pid: environment.pid, host: environment.host, startedAt: new Date().toISOString() };
  let others: readonly OneRepository[] = [];
  const lock = await takeIndexLock(join(group.folder, "lock.sqlite"), holder, 0, signal);
  try {
    if (request.fresh) rmSync(join(group.folder, "indexes"), { recursive: true, force: true });
    others = await openAmong(request, own, signal);
    for (const { one, variants } of request.todo) {
      signal.throwIfAborted();
      yield* outcomesOf(one, variants, { ...request, others }, signal);
    }
  } finally {
    for (const { kb } of others) kb.close();
    lock.release();
  }
}

async function* outcomesOf(
  asked: ReadCase,
  variants: readonly Variant[],
  request: VisitRequest & { readonly others: readonly OneRepository[] },
  signal: AbortSignal,
): AsyncGenerator<Outcome, void> {
  const { id } = asked;
  let opened: Opened | null = null;
  try {
    const notes: string[] = [];
    opened = await openIndex(asked, request, (what) => notes.push(what), signal);
    const { settings, indexMs } = opened;
    const { one, kb } = askedAmong(asked, opened.kb, { own: request.group.from, others: request.others });
    notes.push(...unfindable(one, kb));
    for (const what of notes) yield { event: "noted", id, what };
    const counters = await openCounters(settings);
    for (const { name, without } of variants) {
      const weighted = without === null ? settings : { ...settings, weights: withoutSignal(settings.weights, without) };
      const found = await answer(
        { kb, counters, nowMs: request.nowMs },
        { of: one, settings: weighted, indexMs },
        signal,
      );
      yield { event: "answered", id, variant: name, result: resultOf(one, found) };
    }
  } catch (error) {
    // A failure of one case, or of the code that it is about, does not stop the others.
    if (signal.aborted || !(error instanceof Failed)) throw error;
    yield { event: "failed", id, why: error.message };
  } finally {
    opened?.kb.close();
  }
}

/**
 * Expected files that are not indexed: the case can be of another repository, or cra skips the file. If all are, expected symbols
 * that are not defined where they are expected: their names may be misspelt, or their file is not expected.
 */
function unfindable({ expectedFiles, expectedSymbols }: ReadCase, kb: FileQueries & SymbolQueries): readonly string[] {
  const indexed = new Set(kb.files().map(({ path }) => path));
  const missing = expectedFiles.filter((path) => !indexed.has(path));
  if (missing.length > 0)
    return [`${missing.length} of ${expectedFiles.length} expected files are not in the index: ${missing[0]}`];
  const gold = scoredSymbols({ expectedSymbols });
  const places = symbolPlaces(namedSymbols(gold, kb), gold, expectedFiles);
  const unplaced = gold.filter((_, at) => places[at]?.length === 0);
  if (unplaced.length === 0) return [];
  const which = `${unplaced.length} of ${gold.length} expected symbols are not defined`;
  return [`${which} in the expected files: ${unplaced[0]?.qualified}`];
}

const withoutSignal = (weights: Settings["weights"], signal: string): Settings["weights"] => ({
  ...(typeof weights === "string" ? {} : weights),
  [signal]: 0,
});

async function openIndex(
  one: ReadCase,
  request: VisitRequest,
  note: (what: string) => void,
  signal: AbortSignal,
): Promise<Opened> {
  const { group, environment, flags } = request;
  if (one.baseCommit === null && request.provisional)
    throw new Failed({ code: "usage", message: `the case ${one.id} has no base_commit, which --provisional needs` });
  if (one.baseCommit === null) return await indexed({ environment, repo: group.from, flags }, null, request, signal);
  const kept = join(group.folder, "indexes", `${one.baseCommit}-${request.indexKey}`);
  const found = request.provisional ? null : openKept(kept, request);
  if (found !== null) return found;
  const folder = join(group.folder, "clone");
  const { variables } = environment;
  const checkout = await checkOut({ from: group.from, commit: one.baseCommit, folder, environment: variables, signal });
  signal.throwIfAborted();
  if (checkout.kind === "problem")
    throw new Failed({
      code: "io",
      where: group.from,
      message: `${one.baseCommit} cannot be checked out: ${checkout.why}`,
    });
  if (checkout.missing > 0) note(`the content of ${checkout.missing} of the commit's files is not in ${group.from}`);
  const data = join(group.folder, "data");
  const ownData: Layer = { kind: "flag", entries: new Map([["data_dir", { value: data, where: "--work" }]]) };
  if (request.provisional) {
    rmSync(data, { recursive: true, force: true });
    return await neverIndexed(one, { environment, repo: folder, flags: [ownData, ...flags] }, request, signal);
  }
  const made = await indexed({ environment, repo: folder, flags: [ownData, ...flags] }, data, request, signal);
  if (request.keepIndexes) keep(kept, { data, folder, indexMs: made.indexMs });
  return made;
}

/** Indexes like `cra index`. `data` is the folder of the index; null: the repository's default. */
async function indexed(
  appRequest: AppRequest,
  data: string | null,
  { nowMs }: VisitRequest,
  signal: AbortSignal,
): Promise<Opened> {
  const app = await openApp(appRequest);
  try {
    const began = nowMs();
    await app.index({ failFast: false, rebuild: false, onProgress: () => undefined }, signal);
    const indexMs = nowMs() - began;
    const folder = data ?? (await app.disk()).dataDir;
    return { kb: openKnowledgeBase(dataPaths(folder).curated, app.root), settings: app.config.settings, indexMs };
  } finally {
    app.close();
  }
}

/** An index for one case, as `cra retrieve` makes it without one. */
async function neverIndexed(
  { task }: ReadCase,
  appRequest: AppRequest,
  { nowMs }: VisitRequest,
  signal: AbortSignal,
): Promise<Opened> {
  const { root, config } = await openConfig(appRequest);
  const workspace = await openWorkspace(root ?? "", config, appRequest.environment);
  const { settings } = config;
  const began = nowMs();
  const request = {
    task,
    given: { paths: [], symbols: [], languages: settings.hint_language, purpose: settings.for },
    scope: { include: settings.include, exclude: settings.exclude },
    weights: settings.weights,
  };
  const kb = await openProvisional(workspace, request, () => undefined, signal);
  return { kb, settings, indexMs: nowMs() - began };
}

const KeptFacts = z.object({ indexMs: z.number().nonnegative() });

/** Stores a copy of the index with what is needed to use it without its work tree, atomically. */
function keep(kept: string, { data, folder, indexMs }: { data: string; folder: string; indexMs: number }): void {
  const beside = `${kept}.part`;
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  copyFileSync(dataPaths(data).curated, dataPaths(beside).curated, constants.COPYFILE_FICLONE);
  const config = repositoryConfigPath(folder);
  if (existsSync(config)) copyFileSync(config, repositoryConfigPath(beside));
  writeFileSync(join(beside, "facts.json"), `${JSON.stringify({ indexMs })}\n`);
  rmSync(kept, { recursive: true, force: true });
  renameSync(beside, kept);
}

function openKept(kept: string, { environment, flags }: VisitRequest): Opened | null {
  const facts = join(kept, "facts.json");
  if (!existsSync(dataPaths(kept).curated)) return null;
  const read = keptFacts(readSmallFile(facts, FACTS_BYTES_MAX) ?? "");
  if (read === null) return null;
  const { indexMs } = read;
  const { settings } = loadConfig({ flags, variables: environment.variables, root: kept });
  return { kb: openKnowledgeBase(dataPaths(kept).curated, kept), settings, indexMs };
}

const FACTS_BYTES_MAX = 1024;

/** Null for a truncated text: the repository is indexed again. */
const keptFacts = (text: string): z.output<typeof KeptFacts> | null =>
  KeptFacts.safeParse(parseJson(text)).data ?? null;
