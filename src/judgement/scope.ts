/**
 * The question of the scope stage: which of the files found does the task need?
 *
 * Invariants: what is kept and what is left out is a partition of the files given, each in their order; protected files
 * (the task names them, or the user asked for them) are kept, and so are files that were asked about and have no
 * verdict; others that were not asked about are out, as those that were are better; nothing is left out when nothing
 * would be kept. Pure.
 */
import type { Question, Verdict } from "./judge.ts";
import { shorten } from "./one-line.ts";

export const SCOPE_CLASSES = ["relevant", "irrelevant"] as const;
export type ScopeClass = (typeof SCOPE_CLASSES)[number];

/**
 * What a model sees of a file. `score` is relative to the best, in 0..1; `summary` are lines that say what the file is
 * for, the best first: its purpose, signatures or documentation of its best symbols.
 */
export type ScopeCandidate = {
  readonly path: string;
  readonly language: string;
  readonly tier: string;
  readonly relation: string;
  readonly score: number;
  readonly summary: readonly string[];
};

/** A candidate's text in all, and a line of its summary; a path is shown whole up to this length. */
const TEXT_CHARS_MAX = 400;
const LINE_CHARS_MAX = 120;
const PATH_CHARS_MAX = 200;

const INSTRUCTION =
  "A tool looks for the source code that a task needs. Each item is a file: its path, its language, how it was found, and what it is for. Judge it relevant if someone who does the task would read or change it, irrelevant if not. If in doubt, it is relevant.";

/** The question; `files` are the best first. Its keys are the paths. */
export function scopeQuestion(task: string, files: readonly ScopeCandidate[]): Question<ScopeClass> {
  return {
    stage: "scope",
    task,
    instruction: INSTRUCTION,
    classes: SCOPE_CLASSES,
    candidates: files.map((file) => ({ key: file.path, text: textOf(file) })),
  };
}

function textOf({ path, language, tier, relation, score, summary }: ScopeCandidate): string {
  const found = shorten(`${tier}, ${relation}, score ${score.toFixed(2)}`, LINE_CHARS_MAX);
  let text = `${shorten(path, PATH_CHARS_MAX)} (${shorten(language, LINE_CHARS_MAX)})\n${found}`;
  for (const raw of summary) {
    const line = shorten(raw, LINE_CHARS_MAX);
    if (text.length + 1 + line.length > TEXT_CHARS_MAX) break;
    if (line !== "") text += `\n${line}`;
  }
  return text;
}

/** The part of a scoped file that this needs. */
type Scoped = { readonly file: { readonly path: string } };

/** A file and what the model said of it. */
export type JudgedFile<File> = { readonly file: File; readonly reason: string };

export type JudgedScope<File> = {
  readonly kept: readonly File[];
  /** Judged irrelevant, and out. */
  readonly leftOut: readonly JudgedFile<File>[];
  /** Not asked about, and out. */
  readonly unasked: readonly File[];
  /** Judged irrelevant, and kept all the same: they are protected, or nothing would have been left. */
  readonly held: readonly JudgedFile<File>[];
  /** Nothing would have been left, so everything is kept. */
  readonly overruled: boolean;
};

/** What is left of the files after their verdicts, by path; `asked` are the paths of those that were asked about. */
export function applyScope<File extends Scoped>(
  files: readonly File[],
  verdicts: ReadonlyMap<string, Verdict<ScopeClass>>,
  asked: ReadonlySet<string>,
  protectedPaths: ReadonlySet<string>,
): JudgedScope<File> {
  const irrelevant = files.flatMap((file) => {
    const verdict = verdicts.get(file.file.path);
    return verdict?.class === "irrelevant" ? [{ file, reason: verdict.reason }] : [];
  });
  const leftOut = irrelevant.filter(({ file }) => !protectedPaths.has(file.file.path));
  const isUnasked = ({ file: { path } }: File): boolean =>
    !asked.has(path) && !verdicts.has(path) && !protectedPaths.has(path);
  const unasked = files.filter(isUnasked);
  if (leftOut.length + unasked.length === files.length) {
    return { kept: files, leftOut: [], unasked: [], held: irrelevant, overruled: files.length > 0 };
  }
  const out = new Set([...leftOut.map(({ file }) => file), ...unasked]);
  return {
    kept: files.filter((file) => !out.has(file)),
    leftOut,
    unasked,
    held: irrelevant.filter(({ file }) => !out.has(file)),
    overruled: false,
  };
}
