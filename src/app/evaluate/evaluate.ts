/**
 * Runs cases through the real pipeline, repository by repository, and reuses the results of earlier runs.
 *
 * Results are stored under a key of everything that determines them: the program, the settings, the case. Several
 * repositories run in parallel as processes of this program, one repository each.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import type { Settings } from "../../config/keys.ts";
import { loadConfig, readBounded } from "../../config/read-files.ts";
import { CURATED_SCHEMA } from "../../db/curated/schema.ts";
import { caseLine, type ReadCase } from "../../evaluation/cases.ts";
import { AS_SET, type Outcome, outcomeRow, readOutcome } from "../../evaluation/report/outcome.ts";
import { type CaseGroup, groupsOf } from "../../evaluation/work-folders.ts";
import { Failed } from "../../failure.ts";
import { weightsFrom } from "../../retrieval/ranking/weights.ts";
import { makeFolder } from "../../source/files/make-folder.ts";
import { findRepository } from "../../source/git/folders.ts";
import { parseJson } from "../../text/parse-json.ts";
import { EXTRACTOR } from "../indexing/indexing-deps.ts";
import type { Environment } from "../workspace/environment.ts";
import type { AmongRequest } from "./among.ts";
import { follow } from "./child-process.ts";
import { type Variant, type VisitRequest, visit } from "./run-repository.ts";

/** The answers of earlier runs are not reused with `among`. */
export type EvaluateRequest = AmongRequest &
  Pick<VisitRequest, "keepIndexes" | "provisional" | "fresh"> & {
    readonly cases: readonly ReadCase[];
    /** The folder of the case file. `repo_path` is relative to it, and it can contain `repos.json`. */
    readonly casesFolder: string;
    /** A folder of repositories, or one repository; absolute. */
    readonly repos: string | null;
    readonly repo: string | null;
    readonly ablate: boolean;
    readonly jobs: number;
    /** The arguments with which this program runs the cases of a file on one repository and prints outcomes. */
    readonly argumentsFor: (casesPath: string, repo: string) => readonly string[];
  };

/** The default work folder: the user's cache. */
export function defaultWork({ variables }: Environment): string {
  const given = variables.XDG_CACHE_HOME?.startsWith("/") ? variables.XDG_CACHE_HOME : variables.LOCALAPPDATA;
  if (given) return join(resolve(given), "cra", "evaluate");
  const home = variables.HOME ?? variables.USERPROFILE;
  if (home) return join(resolve(home), ".cache", "cra", "evaluate");
  throw new Failed({ code: "usage", message: "no place for the work: HOME is not set", next: "name one with --work" });
}

/** The variants to run: the configured weights, and with `--ablate` one without each signal that counts. */
export function variantsOf(request: Pick<EvaluateRequest, "ablate" | "flags" | "environment">): readonly Variant[] {
  const asSet: Variant = { name: AS_SET, without: null };
  if (!request.ablate) return [asSet];
  const { weights } = baseSettings(request);
  if (weights === "classic")
    throw new Failed({
      code: "usage",
      message: "--ablate leaves out signals of the default weights, not of classic ones",
      next: "leave out --weights classic",
    });
  const signals = [...weightsFrom(weights, "bug_fix").bySignal.keys()];
  return [asSet, ...signals.map((signal) => ({ name: signal, without: signal }))];
}

/** Milliseconds of a monotonic clock. */
export const nowMs = (): number => performance.now();

/** `isStored`: the outcome is from an earlier run. Those come first. */
type OnOutcome = (outcome: Outcome, isStored: boolean) => Promise<void>;

/** Runs all cases; calls `on` with each outcome, in no fixed order. */
export async function evaluate(request: EvaluateRequest, on: OnOutcome, signal: AbortSignal): Promise<void> {
  const variants = variantsOf(request);
  makeFolder(request.work, "name another folder with --work");
  const groups = groupsOf(request.cases, { work: request.work, folderOf: folderFinder(request) });
  const keys = keysOf(request);
  const isAlone = request.jobs === 1 || groups.length === 1;
  const pending: (() => Promise<void>)[] = [];
  for (const group of groups) {
    const stored = request.fresh || request.among.length > 0 ? new Map<string, string>() : readStored(group);
    const todo: Todo[] = [];
    for (const one of group.cases) {
      const lacking: Variant[] = [];
      for (const variant of variants) {
        const line = stored.get(keys.answer(one, group, variant.name));
        const known = line === undefined ? null : readOutcome(line);
        if (known === null) lacking.push(variant);
        else await on(known, true);
      }
      if (lacking.length > 0) todo.push({ one, variants: lacking });
    }
    if (todo.length > 0)
      pending.push(() =>
        isAlone ? runHere(request, group, todo, keys, on, signal) : runBeside(request, group, todo, on, signal),
      );
  }
  await inParallel(pending, isAlone ? 1 : request.jobs);
}

/** A case with its missing variants. */
type Todo = { readonly one: ReadCase; readonly variants: readonly Variant[] };

/** Runs a group in this process and stores the answers. */
async function runHere(
  request: EvaluateRequest,
  group: CaseGroup,
  todo: readonly Todo[],
  keys: Keys,
  on: OnOutcome,
  signal: AbortSignal,
): Promise<void> {
  const byId = new Map(todo.map(({ one }) => [one.id, one]));
  for await (const outcome of visit({ ...request, group, todo, indexKey: keys.index, nowMs }, signal)) {
    const one = byId.get(outcome.id);
    // A case without a commit runs on the current work tree, which can change.
    if (outcome.event === "answered" && one !== undefined && one.baseCommit !== null && request.among.length === 0)
      store(group, keys.answer(one, group, outcome.variant), outcome);
    await on(outcome, false);
  }
}

/** Runs a group in a separate process, which stores the answers. */
async function runBeside(
  { environment, argumentsFor }: EvaluateRequest,
  group: CaseGroup,
  todo: readonly Todo[],
  on: OnOutcome,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(group.folder, { recursive: true, mode: 0o700 });
  const path = join(group.folder, `cases-${environment.pid}.jsonl`);
  const remove = (): void => rmSync(path, { force: true });
  signal.throwIfAborted();
  // A signal ends this process before the other one has ended.
  signal.addEventListener("abort", remove, { once: true });
  writeFileSync(path, todo.map(({ one }) => `${caseLine(one)}\n`).join(""));
  const lacking = new Set(todo.flatMap(({ one, variants }) => variants.map(({ name }) => `${one.id} ${name}`)));
  try {
    await follow(
      { environment, words: argumentsFor(path, group.from), ids: todo.map(({ one }) => one.id) },
      async (outcome) => {
        if (outcome.event !== "answered" || lacking.has(`${outcome.id} ${outcome.variant}`)) await on(outcome, false);
      },
      signal,
    );
  } finally {
    signal.removeEventListener("abort", remove);
    remove();
  }
}

/** The settings outside of any repository. */
const baseSettings = ({ flags, environment }: Pick<EvaluateRequest, "flags" | "environment">): Settings =>
  loadConfig({ flags, variables: environment.variables, root: null }).settings;

const Repos = z.record(z.string(), z.object({ mirror: z.string().min(1) }));
const REPOS_BYTES_MAX = 16 * 1024 * 1024;

/** Finds the repository of a case. Throws a usage failure if the options name none. */
function folderFinder({ repo, repos, casesFolder, environment }: EvaluateRequest): (one: ReadCase) => string {
  if (repo !== null) {
    const { root } = findRepository(repo);
    return () => root;
  }
  const mirrors = repos === null ? new Map<string, string>() : readMirrors(join(casesFolder, "repos.json"));
  return ({ id, repo: name, repoPath }) => {
    if (repos !== null && name !== null) {
      const mirror = mirrors.get(name);
      const plain = name.replaceAll("/", "+");
      const found = [mirror, plain, name]
        .flatMap((folder) => (folder === undefined ? [] : [join(repos, folder, "repo"), join(repos, folder)]))
        .find((folder) => existsSync(folder));
      // A missing repository fails its cases, with this path in the message.
      return rootOf(found ?? join(repos, mirror ?? plain, "repo"));
    }
    if (repoPath !== null) return rootOf(resolve(casesFolder, repoPath));
    if (name === null) return findRepository(environment.cwd).root;
    throw new Failed({
      code: "usage",
      message: `nothing says where the repository of the case ${JSON.stringify(id.slice(0, 60))} is`,
      next: "name it with --repo, or the folder of all repositories with --repos",
    });
  };
}

/** The root of the repository around a folder, so that each has one name. A missing folder fails its cases. */
const rootOf = (folder: string): string => (existsSync(folder) ? findRepository(folder).root : folder);

function readMirrors(path: string): ReadonlyMap<string, string> {
  const text = readBounded(path, true, REPOS_BYTES_MAX);
  if (text === null) return new Map();
  const checked = z.preprocess((value) => parseJson(String(value)), Repos).safeParse(text);
  const wrong = checked.error?.issues[0];
  if (!checked.success)
    throw new Failed({ code: "usage", message: `${path}: ${wrong?.path.join(".") || "it"}: ${wrong?.message ?? ""}` });
  const rows = Object.entries(checked.data).map(([name, { mirror }]) => [name, mirror] as const);
  const outside = rows.find(
    ([, mirror]) => !/^[\w.+-]+(?:\/[\w.+-]+)*$/.test(mirror) || mirror.split("/").includes(".."),
  );
  if (outside !== undefined)
    throw new Failed({ code: "usage", message: `${path}: ${outside[0]}.mirror is not the name of a folder` });
  return new Map(rows);
}

type Keys = {
  /** A key of what an index depends on besides its commit. */
  readonly index: string;
  /** A key of what a result depends on. */
  answer(one: ReadCase, group: CaseGroup, variant: string): string;
};

/** Settings that do not change an answer. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["data_dir", "template", "format", "index.workers"]);

function keysOf(request: EvaluateRequest): Keys {
  const settings = Object.entries(baseSettings(request)).filter(([key]) => !WITHOUT_EFFECT.has(key));
  const parts = [EXTRACTOR, CURATED_SCHEMA.migrations.length];
  const index = shortHash([...parts, ...settings.filter(([key]) => key.startsWith("index."))]);
  const program = programHash(request.environment);
  return {
    index,
    answer: (one, { from }, variant) =>
      shortHash([program, settings, caseLine(one), from, variant, request.provisional]),
  };
}

/** A hash of the program, because any change of it can change answers. Run from source, every process has a new one. */
function programHash({ program, pid }: Environment): string {
  const [binary] = program;
  if (binary === undefined || program.length > 1) return `${pid} ${Date.now()}`;
  return Bun.hash(readFileSync(binary)).toString(16);
}

const KEY_CHARS = 16;

const shortHash = (parts: readonly unknown[]): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, KEY_CHARS);

const storePath = ({ folder }: CaseGroup): string => join(folder, "results.jsonl");

function store(group: CaseGroup, key: string, outcome: Outcome): void {
  const path = storePath(group);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The leading line feed ends a line that a crash truncated.
  appendFileSync(path, `\n${key} ${JSON.stringify(outcomeRow(outcome))}\n`);
}

/** The stored lines by key; the newest wins. They are parsed only on use, because most are of earlier programs. */
function readStored(group: CaseGroup): ReadonlyMap<string, string> {
  const path = storePath(group);
  if (!existsSync(path)) return new Map();
  const rows = readFileSync(path, "utf8").split("\n");
  return new Map(rows.map((row) => [row.slice(0, KEY_CHARS), row.slice(KEY_CHARS + 1)]));
}

/** Runs the tasks, at most `width` at a time. After a failure no new task starts. */
async function inParallel(tasks: readonly (() => Promise<void>)[], width: number): Promise<void> {
  const waiting = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      try {
        await task();
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  const done = await Promise.allSettled(Array.from({ length: Math.min(width, tasks.length) }, work));
  for (const { status, ...rest } of done) if (status === "rejected" && "reason" in rest) throw rest.reason;
}
