/**
 * What a preview marks and jumps to: the text that is searched for, or without one the words of the task. Where a stack trace
 * names a line of the file, or a stopped run had chosen definitions of it, the preview opens there.
 *
 * A query in lower case matches both cases.
 */
import type { ContextPackage } from "../../../retrieval/model/package-schema.ts";
import { currentFile, type PreviewLine, type ReviewState } from "../review-state.ts";
import { previewOf } from "./preview.ts";

/** A part of a text, in UTF-16 units. */
export type Range = { readonly from: number; readonly to: number };

/** Finds the matches of a text, in order and apart from each other. */
export type Matcher = (text: string) => readonly Range[];

/** Shorter words of a task match everywhere. */
const WORD_CHARS_MIN = 3;

export function matcherOf({ preview, round }: Pick<ReviewState, "preview" | "round">): Matcher {
  const query = preview.query.text;
  if (query === "") return round === null ? NOTHING : wordsMatcher(round.package);
  if (newest?.query !== query) newest = { query, matcher: queryMatcher(query) };
  return newest.matcher;
}

const NOTHING: Matcher = () => [];

/** The matcher of the newest query, so that each query has one. */
let newest: { readonly query: string; readonly matcher: Matcher } | null = null;

const queryMatcher = (query: string): Matcher =>
  query === query.toLowerCase() ? (text) => occurrences(lowered(text), [query]) : (text) => occurrences(text, [query]);

const matchers = new WeakMap<ContextPackage, Matcher>();

function wordsMatcher(pkg: ContextPackage): Matcher {
  const known = matchers.get(pkg);
  if (known !== undefined) return known;
  const { keywords, symbol_hints } = pkg.task_query;
  const words = [...new Set([...keywords, ...symbol_hints.map((name) => name.slice(name.lastIndexOf(".") + 1))])]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= WORD_CHARS_MIN);
  const matcher: Matcher = (text) => occurrences(lowered(text), words);
  matchers.set(pkg, matcher);
  return matcher;
}

/** In lower case with the same offsets: letters whose lower case is longer stay. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The places of the words, the longest first where they overlap. */
function occurrences(text: string, words: readonly string[]): readonly Range[] {
  const found: Range[] = [];
  for (const word of words)
    for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length))
      found.push({ from, to: from + word.length });
  found.sort((a, b) => a.from - b.from || b.to - a.to);
  let end = 0;
  return found.filter(({ from, to }) => {
    if (from < end) return false;
    end = to;
    return true;
  });
}

/** Lines above the match that a preview opens at. */
const CONTEXT_LINES = 3;

/**
 * The first line to show: the one that was scrolled to, or else so that the line that it opens at is visible, or without one the first
 * match in the code.
 */
export function previewTop(review: ReviewState, rows: number): number {
  const { top } = review.preview;
  if (top !== null) return top;
  const first = openedAt(review) ?? firstMatch(previewOf(review)?.lines ?? [], matcherOf(review));
  return first === null || first < rows - CONTEXT_LINES ? 0 : first - CONTEXT_LINES;
}

/**
 * Where the preview has the line that a stack trace names, or the first that a stopped run had chosen; null if it lacks it, or something
 * else is searched for.
 */
function openedAt(review: ReviewState): number | null {
  const { round } = review;
  const file = currentFile(review);
  const line = round === null ? file?.chosen?.line : round.scores.find(({ path }) => path === file?.path)?.tracedLine;
  if (line === undefined || review.preview.query.text !== "") return null;
  const at = previewOf(review)?.lines.findIndex(({ number }) => number === line) ?? -1;
  return at < 0 ? null : at;
}

const firsts = new WeakMap<readonly PreviewLine[], { readonly matcher: Matcher; readonly at: number | null }>();

/** The first line of the file that matches. Lines never change, so each list is searched once for the words of a task. */
function firstMatch(lines: readonly PreviewLine[], matcher: Matcher): number | null {
  const known = firsts.get(lines);
  if (known?.matcher === matcher) return known.at;
  const found = lines.findIndex(({ number, text }) => number !== null && matcher(text).length > 0);
  const at = found < 0 ? null : found;
  firsts.set(lines, { matcher, at });
  return at;
}

/** The next line that matches after one, or before it, going on from the other end; null when none does. */
export function nextMatch(review: ReviewState, from: number, by: 1 | -1): number | null {
  const lines = previewOf(review)?.lines ?? [];
  const matcher = matcherOf(review);
  for (let step = 1; step <= lines.length; step += 1) {
    const at = (((from + by * step) % lines.length) + lines.length) % lines.length;
    if (matcher(lines[at]?.text ?? "").length > 0) return at;
  }
  return null;
}

/** The line of the file that is looked at: where a search went, or where it opened, else the first in sight; null without one. */
export function lookedAtLine(review: ReviewState, rows: number): number | null {
  const lines = previewOf(review)?.lines ?? [];
  const { hit, top } = review.preview;
  const at = hit ?? (top === null ? openedAt(review) : null) ?? previewTop(review, rows);
  return lines.slice(at).find(({ number }) => number !== null)?.number ?? null;
}
