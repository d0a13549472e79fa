/**
 * Packs the diff under review into a section of its own.
 *
 * The section takes at most `DIFF_SHARE` of the budget and nothing that the floor needs: the smallest budget that works is the same
 * with and without it. A diff that is larger loses the ends of long lines and lines of its longest hunks; if little of each hunk remained,
 * whole files, sources and small changes last. A line that starts with `⋮` says what is left out.
 */

import { fileRole } from "../../languages/file-role.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { counted } from "../../text/counted.ts";
import { type FilePatch, hunkHeader, patchHeader, patchText, quotedPath } from "../../text/diff/file-patch.ts";
import type { Hunk } from "../../text/diff/unified-hunks.ts";
import { CHARS_PER_TOKEN } from "../../text/tokens/tokens.ts";
import { comparedOf, type Review, type ReviewJson } from "../model/review.ts";
import { fencedDiff } from "../render/review.ts";
import { type Packed, type PackInput, smallest } from "./fitting/fit-rendering.ts";
import { redactions } from "./redaction-notice.ts";

/**
 * The diff says what changed, but not what that does to the rest: the definitions in full, callers and tests need the larger part. With
 * this share 92 % of 1,190 commits of eight repositories are whole at 8,000 tokens and 98 % at the default; half of the budget
 * gains 1.5 and .4 points.
 */
export const DIFF_SHARE = 0.4;
/** Shorter parts of hunks say too little: then only the most important files have any. */
const HUNK_LINES_MIN = 8;
/** Lines of a diff that is cut; most longer ones are generated. */
const LINE_CHARS_MAX = 300;

/** Undefined adds no section. Throws as `pack` does. */
export function packWithReview(
  input: PackInput,
  review: Review | undefined,
  pack: (input: PackInput) => Packed,
): Packed {
  if (review === undefined) return pack(input);
  const shown = reviewWithin(input, review);
  const packed = pack(including(input, shown));
  return shown.diff === "" ? packed : { ...packed, floor: smallest(input).tokens };
}

function including(input: PackInput, review: ReviewJson): PackInput {
  const warnings = redactions("", [], review.diff).map(noticeSentence);
  return {
    ...input,
    assemble: (fit, reasonTokens) => {
      const { schema_version, task_id, task_query, ...pkg } = input.assemble(fit, reasonTokens);
      return { schema_version, task_id, task_query, review, ...pkg, warnings: [...pkg.warnings, ...warnings] };
    },
  };
}

/** As much of the diff as fits. */
function reviewWithin(input: PackInput, review: Review): ReviewJson {
  const { counter, budget } = input;
  const floor = smallest(input);
  const tokens = Math.min(budget.tokens * DIFF_SHARE, budget.tokens - floor.tokens);
  const lines = budget.maxLines ?? Number.POSITIVE_INFINITY;
  const linesMax = Math.min(lines * DIFF_SHARE, lines - floor.lines);
  const { patches } = review;
  const files = patches.map(reviewedFile);
  const json = (diff: string): ReviewJson => {
    const all = files.reduce((sum, { added, deleted }) => sum + added + deleted, 0);
    return { ...comparedOf(review), files, diff, lines_left_out: all - changedLinesIn(diff) };
  };
  const isFitting = (diff: string): boolean => {
    if (diff.length > tokens * CHARS_PER_TOKEN * 8) return false;
    const text = fencedDiff({ review: json(diff) });
    if (counter.count(text) > tokens || text.split("\n").length > linesMax) return false;
    // Where it meets other text, tokens may differ from their sum.
    const least = smallest(including(input, json(diff)));
    return least.tokens <= budget.tokens && least.lines <= lines;
  };
  return json(largestFitting(patches, Math.max(0, tokens), isFitting));
}

function reviewedFile({ before, after, hunks }: FilePatch): ReviewJson["files"][number] {
  const isRenamed = before !== null && after !== null && before.path !== after.path;
  const signed = (sign: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return {
    path: (after ?? before)?.path ?? "",
    old_path: isRenamed ? before.path : null,
    change: before === null ? "added" : after === null ? "deleted" : isRenamed ? "renamed" : "modified",
    added: signed("+"),
    deleted: signed("-"),
  };
}

/** The lines of hunks that add or delete something. */
function changedLinesIn(diff: string): number {
  let count = 0;
  let isHeader = true;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) isHeader = true;
    else if (line.startsWith("@@ ")) isHeader = false;
    else if (!isHeader && /^[+-]/.test(line)) count += 1;
  }
  return count;
}

/**
 * The whole diff; else one with hunks of the same length; else one with hunks of its most important files; else a line for each of
 * these; empty when none fits.
 */
function largestFitting(patches: readonly FilePatch[], tokens: number, isFitting: (diff: string) => boolean): string {
  const size = patches.reduce((sum, { hunks }) => sum + hunks.reduce((all, hunk) => all + hunk.lines.length, 0), 0);
  const whole = size > tokens * CHARS_PER_TOKEN * 8 ? null : patches.map(patchText).join("\n");
  if (whole !== null && isFitting(whole)) return whole;
  const longest = patches.reduce((max, { hunks }) => Math.max(max, ...hunks.map(({ lines }) => lines.length)), 0);
  const even = (more: number): string => patches.map((patch) => cutPatch(patch, HUNK_LINES_MIN + more)).join("\n");
  const more = highest(Math.min(longest, Math.floor(tokens)), (lines) => isFitting(even(lines)));
  if (more !== null) return even(more);
  const order = inOrder(patches);
  const headers = patches.map(patchLine);
  const short = patches.map((patch) => cutPatch(patch, HUNK_LINES_MIN));
  const withHunks = (count: number): string => {
    const chosen = new Set(order.slice(0, count));
    return headers.map((header, at) => (chosen.has(at) ? (short[at] ?? "") : header)).join("\n");
  };
  const best = highest(patches.length, (count) => isFitting(withHunks(count)));
  if (best !== null) return withHunks(best);
  const some = (count: number): string => {
    const kept = new Set(order.slice(0, count));
    const left = patches.length - count;
    const note = `⋮ ${counted(left, "more changed file")}`;
    return [...headers.filter((_, at) => kept.has(at)), note].join("\n");
  };
  const count = highest(patches.length - 1, (most) => isFitting(some(most)));
  return count === null ? "" : some(count);
}

/** The highest number from 0 to `max` that passes; null when 0 does not. */
function highest(max: number, passes: (value: number) => boolean): number | null {
  if (!passes(0)) return null;
  let low = 0;
  let high = max + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Positions of the patches: sources before other files, and small changes before large ones. */
function inOrder(patches: readonly FilePatch[]): readonly number[] {
  const ranked = patches.map((patch, at) => {
    const { path, added, deleted } = reviewedFile(patch);
    return { at, isSource: fileRole(path) === "source", size: added + deleted };
  });
  ranked.sort((a, b) => Number(b.isSource) - Number(a.isSource) || a.size - b.size || a.at - b.at);
  return ranked.map(({ at }) => at);
}

/** A patch without its hunks, on one line. */
function patchLine(patch: FilePatch): string {
  const { path, old_path, change, added, deleted } = reviewedFile(patch);
  const name = old_path === null ? quotedPath(path) : `${quotedPath(old_path)} → ${quotedPath(path)}`;
  return `⋮ ${change} ${name}${patch.hunks.length === 0 ? "" : `: +${added} -${deleted} lines left out`}`;
}

/** A patch with at most about `linesMax` lines of each hunk. */
const cutPatch = (patch: FilePatch, linesMax: number): string =>
  [...patchHeader(patch), ...patch.hunks.flatMap((hunk) => cutHunk(hunk, linesMax))].join("\n");

function cutHunk(hunk: Hunk, linesMax: number): readonly string[] {
  const runs = runsIn(hunk.lines);
  const within = (most: number): boolean =>
    runs.reduce((sum, { length }) => sum + Math.min(length, most), 0) <= linesMax;
  const longest = Math.max(...runs.map(({ length }) => length));
  const most = hunk.lines.length <= linesMax ? longest : (highest(longest, within) ?? 0);
  const shown =
    most === 0
      ? [`⋮ ${linesLeftOut(hunk.lines, 0)} lines left out`]
      : runs.flatMap((run) => (linesLeftOut(run, most) <= 1 ? run : [...run.slice(0, most), leftOut(run, most)]));
  return [hunkHeader(hunk), ...shown.map(cutLine)];
}

/** Without a note on a missing line end. */
const linesLeftOut = (run: readonly string[], most: number): number =>
  run.slice(most).filter((line) => !line.startsWith("\\")).length;

const leftOut = (run: readonly string[], most: number): string =>
  `⋮ ${linesLeftOut(run, most)} more ${run[0]?.startsWith("+") ? "added" : run[0]?.startsWith("-") ? "deleted" : "unchanged"} lines`;

/** Consecutive lines of the same kind. A note on a missing line end belongs to its line. */
function runsIn(lines: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run !== undefined && (line.startsWith("\\") || run[0]?.[0] === line[0])) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

const cutLine = (line: string): string =>
  line.length <= LINE_CHARS_MAX
    ? line
    : `${line.slice(0, LINE_CHARS_MAX).toWellFormed()} ⋮ ${line.length - LINE_CHARS_MAX} more characters`;
