/**
 * Chooses documents and sources for a bundle: those with the most keywords, newer ones first among equals.
 *
 * Files are read one at a time and counted, newest first, up to a total size; chosen ones are read again. If there is a
 * semantic ranker, it reorders the best.
 */
import { nextTurn } from "../concurrency/next-turn.ts";
import type { ListedFile } from "../source/walk/sandboxed-reader.ts";
import { inOrder } from "../text/order.ts";
import { type Caps, packTexts } from "./caps.ts";
import type { SourceOfTruthFile } from "./escalation-schema.ts";
import { excerpt } from "./excerpt.ts";

/** A candidate for the ranker. */
type RankedText = { readonly path: string; readonly text: string };
/** Similarity of each text to the query, one number a text; larger is nearer. */
export type RankByMeaning = (
  query: string,
  texts: readonly RankedText[],
  signal: AbortSignal,
) => Promise<readonly number[]>;

type Counted = { readonly file: ListedFile; readonly relevance: number };

/** Counting a megabyte takes some 2 ms, or 10 ms if it is not ASCII. */
const BYTES_MAX = 48 * 1024 * 1024;
/** After this many files the event loop runs, so that a signal can arrive. */
const FILES_PER_TURN = 100;
const RANKED_BY_MEANING_MAX = 30;
const RANKED_TEXT_BYTES = 2 * 1024;

/** Both functions return null for a file without text. */
export type DocumentReader = {
  /** The number of keyword occurrences. */
  relevanceOf(file: ListedFile): number | null;
  /** The text without secrets; null also if it is not worth showing. */
  shown(file: ListedFile): string | null;
};

type DocumentOptions = {
  readonly caps: Caps;
  readonly keywords: readonly string[];
  /** Null without a ranker; returns null if ranking failed. */
  readonly rankByMeaning: ((texts: readonly RankedText[]) => Promise<readonly number[] | null>) | null;
};

/** The documents of a bundle. `uncounted`: the number of files beyond the size limit. */
export async function sourceOfTruthFiles(
  files: readonly ListedFile[],
  { caps, keywords, rankByMeaning }: DocumentOptions,
  { relevanceOf, shown }: DocumentReader,
  signal: AbortSignal,
): Promise<{ readonly chosen: readonly SourceOfTruthFile[]; readonly uncounted: number }> {
  const { counted, uncounted } = await count(files, keywords.length === 0 ? null : relevanceOf, signal);
  const ranked = counted.toSorted(byRelevance);
  const excerptOf = ({ file }: Counted): string | null => {
    const text = shown(file);
    return text === null ? null : excerpt(text, keywords, RANKED_TEXT_BYTES);
  };
  const order = rankByMeaning === null ? ranked : await reordered(ranked, rankByMeaning, excerptOf);
  // Documents without keywords only fill what is left; others do not share with them.
  const sharing = counted.filter(({ relevance }) => relevance > 0).length;
  const packed = packTexts(order, { caps, terms: keywords, sharing, textOf: ({ file }) => shown(file) });
  const chosen = packed.map(({ candidate: { file, relevance }, content, size }) => ({
    path: file.path,
    content,
    size,
    relevance_score: relevance,
  }));
  return { chosen, uncounted };
}

/** Without keywords `relevanceOf` is null: all files are equal, and none is read. */
async function count(
  files: readonly ListedFile[],
  relevanceOf: DocumentReader["relevanceOf"] | null,
  signal: AbortSignal,
): Promise<{ readonly counted: readonly Counted[]; readonly uncounted: number }> {
  const newest = files.toSorted((a, b) => b.modifiedMs - a.modifiedMs || inOrder(a.path, b.path));
  if (relevanceOf === null) return { counted: newest.map((file) => ({ file, relevance: 0 })), uncounted: 0 };
  const counted: Counted[] = [];
  let [bytes, uncounted] = [0, 0];
  for (const [at, file] of newest.entries()) {
    if (at % FILES_PER_TURN === 0) await nextTurn();
    signal.throwIfAborted();
    if (bytes + file.sizeBytes > BYTES_MAX) {
      uncounted++;
      continue;
    }
    bytes += file.sizeBytes;
    const relevance = relevanceOf(file);
    if (relevance !== null) counted.push({ file, relevance });
  }
  return { counted, uncounted };
}

const byRelevance = (a: Counted, b: Counted): number =>
  b.relevance - a.relevance || b.file.modifiedMs - a.file.modifiedMs || inOrder(a.file.path, b.file.path);

/** The best by keywords reordered by similarity, then all others. */
async function reordered(
  ranked: readonly Counted[],
  rankByMeaning: NonNullable<DocumentOptions["rankByMeaning"]>,
  excerptOf: (one: Counted) => string | null,
): Promise<readonly Counted[]> {
  const best = ranked.slice(0, RANKED_BY_MEANING_MAX).flatMap((one) => {
    const text = excerptOf(one);
    return text === null ? [] : [{ one, text }];
  });
  const scores = await rankByMeaning(best.map(({ one, text }) => ({ path: one.file.path, text })));
  if (scores === null) return ranked;
  const nearest = best
    .map(({ one }, at) => ({ one, score: scores[at] ?? 0 }))
    .sort((a, b) => b.score - a.score || byRelevance(a.one, b.one))
    .map(({ one }) => one);
  return [...nearest, ...ranked.filter((one) => !nearest.includes(one))];
}
