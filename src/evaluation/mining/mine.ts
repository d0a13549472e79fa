/**
 * Mines cases from the history of a repository: the message of a commit is the task, the code it changed is the answer.
 *
 * Selects commits with a subject of at least three words and changes to one to five existing source files, but no merges,
 * reverts and housekeeping. A commit message says more than an issue, so such cases are easier: compare like with like.
 */
import { fileRole } from "../../languages/file-role.ts";
import { isCode, isOutline, languageOf } from "../../languages/languages.ts";
import type { CommitRecord } from "../../source/history/history.ts";
import { byPath, inOrder } from "../../text/order.ts";
import type { AnswerLeak, EvaluationCase, GoldLines, GoldSymbol } from "../model.ts";
import { housekeeping, taskOfMessage } from "./commit-message.ts";
import type { ChangedFile, OldLines } from "./unified-diff.ts";

/** A definition of a file, lines from 1, both inclusive. */
export type SymbolSpan = {
  readonly name: string;
  readonly qualified: string;
  readonly start: number;
  readonly end: number;
};

export type MiningSource = {
  /** Newest first. */
  readonly commits: readonly CommitRecord[];
  /** The parent and the changes since; null if the parent is missing, not unique or unavailable. */
  changes(hash: string): Promise<{ readonly parent: string; readonly files: readonly ChangedFile[] } | null>;
  /** The definitions of a file in a commit; empty if it cannot be parsed. */
  spans(commit: string, path: string): Promise<readonly SymbolSpan[]>;
};

type MiningOptions = {
  readonly casesMax: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of commits examined. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** The most source files that a chosen commit changes. */
const FILES_MAX = 5;
/** The most paths it changes, with tests and prose; more is a sweeping change. */
const PATHS_MAX = 30;

/** The `source` of mined cases. */
const MINED = "history";

/** Up to `casesMax` cases, in the order of the commits. */
export async function mineCases(
  source: MiningSource,
  { casesMax, signal, onProgress }: MiningOptions,
): Promise<readonly EvaluationCase[]> {
  const cases: EvaluationCase[] = [];
  // A cherry-picked change is one task.
  const tasks = new Set<string>();
  for (const [at, commit] of source.commits.entries()) {
    if (cases.length >= casesMax) break;
    signal?.throwIfAborted();
    onProgress?.(at, source.commits.length);
    if (reasonToSkip(commit) !== null) continue;
    const mined = await mineCase(commit, source);
    if (mined === null || tasks.has(mined.task)) continue;
    tasks.add(mined.task);
    cases.push(mined);
  }
  return cases;
}

/** Why a commit is not chosen, by its row alone; null if it may be. */
export function reasonToSkip(commit: Pick<CommitRecord, "message" | "author" | "files">): string | null {
  if (commit.files.length === 0) return "a merge, or empty";
  if (commit.files.length > PATHS_MAX) return "changes too many files";
  if (!commit.files.some(isAnswerFile)) return "changes no source file";
  if (taskOfMessage(commit.message) === null) return "says too little";
  return housekeeping(commit);
}

/** Whether a file can be an answer: hand-written source, but not a test. */
export function isAnswerFile(path: string): boolean {
  const role = fileRole(path);
  return (role === "source" || role === "example") && !isOutline(languageOf(path)) && !GENERATED.test(path);
}

/** Whether a file can be a test that belongs to an answer. */
const isTestAnswer = (path: string): boolean =>
  fileRole(path) === "test" && isCode(languageOf(path)) && !GENERATED.test(path);

/** Vendored code, bundles, generated code, and manifests. */
const GENERATED =
  /(^|\/)(node_modules|vendor|third[-_]party|dist|single_include|single[-_]?headers?|\.yarn)\/|\.min\.[cm]?js$|\.bundle\.js$|[._](pb|generated|gen)\.\w+$|_pb2(_grpc)?\.py$|(^|\/)go\.(mod|work)$/;

/** The case of a commit that is not skipped; null if its change makes none. */
async function mineCase(commit: CommitRecord, source: MiningSource): Promise<EvaluationCase | null> {
  const task = taskOfMessage(commit.message);
  const changes = await source.changes(commit.hash);
  if (task === null || changes === null) return null;
  const files = changes.files.filter(({ path, isOld }) => isOld && isAnswerFile(path)).toSorted(byPath);
  if (files.length === 0 || files.length > FILES_MAX) return null;

  const expectedSymbols: GoldSymbol[] = [];
  for (const { path, lines } of files) {
    expectedSymbols.push(...goldSymbols(path, lines, await source.spans(changes.parent, path)));
  }
  const expectedFiles = files.map(({ path }) => path);
  const innermost = expectedSymbols.filter(({ role }) => role === "innermost");
  return {
    id: commit.hash.slice(0, ID_LENGTH),
    repo: null,
    baseCommit: changes.parent,
    baseDate: new Date(commit.timestamp * 1000).toISOString(),
    language: mainLanguage(expectedFiles),
    source: MINED,
    task,
    expectedFiles,
    expectedTestFiles: changes.files
      .flatMap(({ path, isOld }) => (isOld && isTestAnswer(path) ? [path] : []))
      .toSorted(inOrder),
    expectedSymbols,
    expectedLines: files.flatMap(({ path, lines }) => lines.map((range) => goldLines(path, range))),
    answerLeak: answerLeak(task, expectedFiles, innermost),
    exactness: null,
  };
}

/** Digits of the hash in the id of a case; unique in practice. */
const ID_LENGTH = 16;

/** An insertion before the first line counts as line 1. */
const goldLines = (path: string, { start, end }: OldLines): GoldLines => ({
  path,
  start: Math.max(1, start),
  end: Math.max(1, end),
});

/**
 * The definitions around changed lines: the deepest around a line is innermost, the others are enclosing unless they are
 * innermost elsewhere. A change across several definitions touches each; an insertion between two is in neither.
 */
export function goldSymbols(
  path: string,
  lines: readonly OldLines[],
  spans: readonly SymbolSpan[],
): readonly GoldSymbol[] {
  const innermost = new Set<SymbolSpan>();
  const touched = new Set<SymbolSpan>();
  for (const range of lines) {
    const around = spans.filter((span) => isTouched(span, range));
    for (const span of around) {
      touched.add(span);
      if (hasOwnChange(span, range, around)) innermost.add(span);
    }
  }
  return [...touched]
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map((span) => ({
      path,
      qualified: span.qualified,
      name: span.name,
      lines: { start: span.start, end: span.end },
      role: innermost.has(span) ? "innermost" : "enclosing",
    }));
}

/** An insertion after line n is within a definition that contains both n and n + 1. */
const isTouched = (span: SymbolSpan, { start, end, isInsertion }: OldLines): boolean =>
  isInsertion ? span.start <= start && start < span.end : span.start <= end && start <= span.end;

/** Whether some changed line of the definition is in no nested one. */
function hasOwnChange(span: SymbolSpan, range: OldLines, around: readonly SymbolSpan[]): boolean {
  const inside = around.filter((other) => other !== span && isWithin(other, span));
  if (range.isInsertion) return inside.length === 0;
  const last = Math.min(range.end, span.end);
  for (let line = Math.max(range.start, span.start); line <= last; line++) {
    const covering = inside.find(({ start, end }) => start <= line && line <= end);
    if (covering === undefined) return true;
    line = Math.min(last, covering.end);
  }
  return false;
}

/** Of two definitions with the same lines, the one with the longer name is the inner one. */
const isWithin = (inner: SymbolSpan, outer: SymbolSpan): boolean =>
  inner.start >= outer.start &&
  inner.end <= outer.end &&
  (inner.end - inner.start < outer.end - outer.start || inner.qualified.length > outer.qualified.length);

/** The most frequent language of the files; the first of equally frequent ones. */
function mainLanguage(paths: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(languageOf(path), (counts.get(languageOf(path)) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Shorter names occur in any text. */
const NAME_MIN = 3;

/**
 * Whether a task already names the answer, which makes it easier. Names match as whole words. A path matches as written, or
 * as code refers to it: its last folder and its name without extension, joined by a slash or a dot (`views/debug`,
 * `django.views.debug`).
 */
function answerLeak(
  task: string,
  expectedFiles: readonly string[],
  expectedSymbols: readonly Pick<GoldSymbol, "name">[],
): AnswerLeak {
  const words = new Set(task.match(/[\p{L}\p{N}_$]+/gu));
  const basenames = expectedFiles.map((path) => path.slice(path.lastIndexOf("/") + 1));
  return {
    path: expectedFiles.some((path) => pathForms(path).some((form) => hasWhole(task, form))),
    basename: basenames.some((name) => hasWhole(task, name)),
    symbol: expectedSymbols.some(({ name }) => name.length >= NAME_MIN && words.has(name)),
  };
}

function pathForms(path: string): readonly string[] {
  const last = path.split("/").slice(-2);
  if (last.length < 2) return [path];
  const [folder = "", name = ""] = last;
  const stem = name.replace(/(?<=.)\.[^.]*$/, "");
  return [path, `${folder}/${stem}`, `${folder}.${stem}`];
}

/** Whether the text contains the name, not as a part of a longer one. */
function hasWhole(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + name.length] ?? " "}`;
    if (!/[\p{L}\p{N}_$]/u.test(around)) return true;
  }
  return false;
}
