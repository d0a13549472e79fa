/**
 * Cases out of a repository's own history: commits whose message states a task, with the code that they changed as the
 * answer, on their parent.
 *
 * Pure choice: git and the parser are handed in. Chosen is a commit that is no merge, no revert and no housekeeping, has
 * a subject of three words or more, and changes one to five source files that its parent has, tests and prose besides.
 * A commit message tells more than people's issues do, so such cases are easier than those; compare like with like.
 */
import { fileRole } from "../languages/file-role.ts";
import { isOutline, languageOf } from "../languages/languages.ts";
import { byPath } from "../text/order.ts";
import { givesAway } from "./answer-leak.ts";
import { housekeeping, taskOfMessage } from "./commit-message.ts";
import type { EvaluationCase, GoldLines, GoldSymbol } from "./model.ts";
import type { ChangedFile, OldLines } from "./unified-diff.ts";

/** A commit of the history; the rows of the history reader fit. Merges have no files there, and are never chosen. */
export type MinedCommit = {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** Every path that it changes. */
  readonly files: readonly string[];
};

/** A definition of a file, lines from 1, both inclusive. */
export type SymbolSpan = {
  readonly name: string;
  readonly qualified: string;
  readonly start: number;
  readonly end: number;
};

/** What mining asks of the repository. */
export type MiningSource = {
  /** In the order in which they are to be taken: newest first. */
  readonly commits: readonly MinedCommit[];
  /** The only parent and what changed since then (`changedFiles` reads a diff); null: none, several, or not there. */
  changes(hash: string): Promise<{ readonly parent: string; readonly files: readonly ChangedFile[] } | null>;
  /** The definitions of a file as it was in a commit; none when it cannot be parsed. */
  spans(commit: string, path: string): Promise<readonly SymbolSpan[]>;
};

export type MiningOptions = {
  readonly casesMax: number;
  readonly signal?: AbortSignal | undefined;
  /** Told how many of `total` commits have been looked at. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** Source files that a chosen commit changes at most. */
const FILES_MAX = 5;
/** Paths that it changes at most, tests and prose included: more is a sweep. */
const PATHS_MAX = 30;

/** The `source` of mined cases. */
const MINED = "history";

/** The cases of the first commits that make one, at most `casesMax`, in the order of the commits. */
export async function mineCases(
  source: MiningSource,
  { casesMax, signal, onProgress }: MiningOptions,
): Promise<readonly EvaluationCase[]> {
  const cases: EvaluationCase[] = [];
  // A change that was picked to another branch is one task.
  const tasks = new Set<string>();
  for (const [at, commit] of source.commits.entries()) {
    if (cases.length >= casesMax) break;
    signal?.throwIfAborted();
    onProgress?.(at, source.commits.length);
    if (whyNot(commit) !== null) continue;
    const mined = await mineCase(commit, source);
    if (mined === null || tasks.has(mined.task)) continue;
    tasks.add(mined.task);
    cases.push(mined);
  }
  return cases;
}

/** Why a commit is not chosen, as far as its row tells; null when it may be. */
export function whyNot(commit: Pick<MinedCommit, "message" | "author" | "files">): string | null {
  if (commit.files.length === 0) return "a merge, or empty";
  if (commit.files.length > PATHS_MAX) return "changes too many files";
  if (!commit.files.some(isSought)) return "changes no source file";
  if (taskOfMessage(commit.message) === null) return "says too little";
  return housekeeping(commit);
}

/** Whether a file can be an answer: source text that people write, and no test. */
export function isSought(path: string): boolean {
  const role = fileRole(path);
  return (role === "source" || role === "example") && !isOutline(languageOf(path)) && !MADE.test(path);
}

/** What tools write: other people's code, bundles, generated code, and manifests. */
const MADE =
  /(^|\/)(node_modules|vendor|third[-_]party|dist|\.yarn)\/|\.min\.[cm]?js$|\.bundle\.js$|[._](pb|generated|gen)\.\w+$|_pb2(_grpc)?\.py$|(^|\/)go\.(mod|work)$/;

/** The case of a commit that `whyNot` has nothing against; null when its change makes none. */
async function mineCase(commit: MinedCommit, source: MiningSource): Promise<EvaluationCase | null> {
  const task = taskOfMessage(commit.message);
  const changes = await source.changes(commit.hash);
  if (task === null || changes === null) return null;
  const files = changes.files.filter(({ path, isOld }) => isOld && isSought(path)).toSorted(byPath);
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
    expectedSymbols,
    expectedLines: files.flatMap(({ path, lines }) => lines.map((range) => goldLines(path, range))),
    givesAway: givesAway(task, expectedFiles, innermost),
  };
}

/** Digits of a hash that are its case's id: unique in any repository one has. */
const ID_LENGTH = 16;

/** Text put in before the first line is told as that line. */
const goldLines = (path: string, { start, end }: OldLines): GoldLines => ({
  path,
  start: Math.max(1, start),
  end: Math.max(1, end),
});

/**
 * The definitions around changed lines: the deepest around each is innermost, those around it are enclosing unless they
 * are innermost elsewhere. A change that spans several definitions touches each of them. Text put in between two
 * definitions is in neither.
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

/** An insertion after line n is within a definition that holds both n and the line after it. */
const isTouched = (span: SymbolSpan, { start, end, isInsertion }: OldLines): boolean =>
  isInsertion ? span.start <= start && start < span.end : span.start <= end && start <= span.end;

/** Whether some changed line of the definition is in no smaller one. */
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

/** Of two with the same lines, the one with the longer name is the inner one. */
const isWithin = (inner: SymbolSpan, outer: SymbolSpan): boolean =>
  inner.start >= outer.start &&
  inner.end <= outer.end &&
  (inner.end - inner.start < outer.end - outer.start || inner.qualified.length > outer.qualified.length);

/** The language of most of the files; the first of those that are as many. */
function mainLanguage(paths: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(languageOf(path), (counts.get(languageOf(path)) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
