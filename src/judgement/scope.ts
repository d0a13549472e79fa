/**
 * The question of the scope stage: which of the files found does the task need?
 *
 * Kept are relevant files, protected ones (named by the task or requested by the user), and those the model was asked
 * about but gave no verdict on. Files beyond `CANDIDATES_MAX` are dropped: better ones were asked about. If nothing
 * would be kept, everything is.
 */
import type { Question, Verdict } from "./judge.ts";
import { shorten } from "./shorten.ts";

const SCOPE_CLASSES = ["relevant", "irrelevant"] as const;
export type ScopeClass = (typeof SCOPE_CLASSES)[number];

/**
 * What a model sees of a file. `score` is relative to the best, in 0..1. `summary` describes the file, best line first:
 * its purpose, signatures or documentation of its best symbols.
 */
type ScopeCandidate = {
  readonly path: string;
  readonly language: string;
  readonly tier: string;
  readonly relation: string;
  readonly score: number;
  readonly summary: readonly string[];
};

/** Limits of a candidate's whole text, of a line of its summary, and of its path. */
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
    candidates: files.map((file) => ({ key: file.path, text: candidateText(file) })),
  };
}

function candidateText({ path, language, tier, relation, score, summary }: ScopeCandidate): string {
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

/** A partition of the files given, each part in their order. */
type JudgedScope<File> = {
  readonly kept: readonly File[];
  /** Dropped: judged irrelevant. */
  readonly leftOut: readonly File[];
  /** Dropped: the model was not asked about them. */
  readonly unasked: readonly File[];
  /** Nothing would have been kept, so everything is. */
  readonly overruled: boolean;
};

/** Applies verdicts by path. `asked` holds the paths that the model was asked about. */
export function applyScope<File extends Scoped>(
  files: readonly File[],
  verdicts: ReadonlyMap<string, Verdict<ScopeClass>>,
  asked: ReadonlySet<string>,
  protectedPaths: ReadonlySet<string>,
): JudgedScope<File> {
  const open = files.filter(({ file: { path } }) => !protectedPaths.has(path));
  const leftOut = open.filter(({ file: { path } }) => verdicts.get(path)?.class === "irrelevant");
  const unasked = open.filter(({ file: { path } }) => !asked.has(path) && !verdicts.has(path));
  const out = new Set([...leftOut, ...unasked]);
  if (out.size === files.length) return { kept: files, leftOut: [], unasked: [], overruled: files.length > 0 };
  return { kept: files.filter((file) => !out.has(file)), leftOut, unasked, overruled: false };
}
