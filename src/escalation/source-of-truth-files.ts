/**
 * Which documents and sources go into a bundle: those that have the keywords most often, the newer of equal ones.
 *
 * Every file is read once to be counted and forgotten at once, newest first, up to a bound on all of it together; what is
 * chosen is read again. A ranker by meaning, where there is one, reorders the best.
 */
import type { ListedFile } from "../source/walk/sandboxed-reader.ts";
import { inOrder } from "../text/order.ts";
import type { Caps } from "./caps.ts";
import type { SotFile } from "./escalation-schema.ts";
import { excerpt } from "./excerpt.ts";
import { fillUp } from "./fill.ts";

/** A candidate as a ranker sees it. */
export type RankedText = { readonly path: string; readonly text: string };
/** How near each text is to what is asked, one number a text, larger is nearer. */
export type RankByMeaning = (
  query: string,
  texts: readonly RankedText[],
  signal: AbortSignal,
) => Promise<readonly number[]>;

type Counted = { readonly file: ListedFile; readonly relevance: number };

/** Counting a megabyte takes some 2 ms, of text beyond ASCII some 10. */
const BYTES_MAX = 48 * 1024 * 1024;
/** After this many files the event loop gets a turn, so that a signal is heard. */
const FILES_PER_TURN = 100;
const RANKED_BY_MEANING_MAX = 30;
const RANKED_TEXT_BYTES = 2 * 1024;

/** How the documents are looked at. Both give null for one that has no text. */
export type SotReader = {
  /** How often the keywords are in it. */
  relevanceOf(file: ListedFile): number | null;
  /** Its text as it may be shown; null also for one that is not worth it. */
  shown(file: ListedFile): string | null;
};

type SotWish = {
  readonly caps: Caps;
  readonly keywords: readonly string[];
  /** Null where there is no such ranker; it gives null when it has failed. */
  readonly rankByMeaning: ((texts: readonly RankedText[]) => Promise<readonly number[] | null>) | null;
};

/** The documents of a bundle. `uncounted`: files beyond the bound. */
export async function sotFiles(
  files: readonly ListedFile[],
  { caps, keywords, rankByMeaning }: SotWish,
  { relevanceOf, shown }: SotReader,
  signal: AbortSignal,
): Promise<{ readonly chosen: readonly SotFile[]; readonly uncounted: number }> {
  const { counted, uncounted } = await count(files, keywords.length === 0 ? null : relevanceOf, signal);
  const ranked = counted.toSorted(byRelevance);
  const excerptOf = ({ file }: Counted): string | null => {
    const text = shown(file);
    return text === null ? null : excerpt(text, keywords, RANKED_TEXT_BYTES);
  };
  const order = rankByMeaning === null ? ranked : await reordered(ranked, rankByMeaning, excerptOf);
  // A document without any keyword is shown for want of better ones, and no other goes short for it.
  const sharing = counted.filter(({ relevance }) => relevance > 0).length;
  const filled = fillUp(order, { caps, signs: keywords, sharing, textOf: ({ file }) => shown(file) });
  const chosen = filled.map(({ candidate: { file, relevance }, content, size }) => ({
    path: file.path,
    content,
    size,
    relevance_score: relevance,
  }));
  return { chosen, uncounted };
}

/** `relevanceOf` is null without keywords: then nothing has to be read to know that all are equal. */
async function count(
  files: readonly ListedFile[],
  relevanceOf: SotReader["relevanceOf"] | null,
  signal: AbortSignal,
): Promise<{ readonly counted: readonly Counted[]; readonly uncounted: number }> {
  const newest = files.toSorted((a, b) => b.modifiedMs - a.modifiedMs || inOrder(a.path, b.path));
  if (relevanceOf === null) return { counted: newest.map((file) => ({ file, relevance: 0 })), uncounted: 0 };
  const counted: Counted[] = [];
  let [bytes, uncounted] = [0, 0];
  for (const [at, file] of newest.entries()) {
    if (at % FILES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
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

/** The best by keywords, the nearest in meaning first, and then all others as they were. */
async function reordered(
  ranked: readonly Counted[],
  rankByMeaning: NonNullable<SotWish["rankByMeaning"]>,
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
