/**
 * Fits items into a number of tokens: what is shown, and in which detail.
 *
 * Floor items are always shown, at least as signatures. Bodies that a refinement wants are tried first. The best
 * definition of each of the best files is shown within a share, a small best file in full. Then come primary bodies by
 * score for their size, each with the lines that stand around it and within a share what it is read with, and what they
 * leave goes to the signatures of those that did not fit, to excerpts, and to the other tiers. After a misfit smaller items
 * are still tried. Pure and deterministic.
 *
 * Invariant: while anything with lines of its own is not shown whole, next to nothing (or a file's heading)
 * stays unused. Excerpts are as small as need be in the end, and a line too long for what is left is
 * cut, so that the result grows evenly with the target. Costs are estimates; `pack.ts` counts the rendered text and
 * calls again with a corrected target.
 */

import { isContainerKind } from "../../syntax/facts/facts.ts";
import type { LineRange } from "../../text/ranges.ts";
import { charsWithin, type Excerpt, excerpt, type LineCut, type LineScorer } from "../lexical/snippets.ts";
import { OVERVIEW_SHARE } from "../model/budget.ts";
import type { Detail } from "../model/tiers.ts";
import { costOf, type Item, type SourceText } from "./items.ts";
import { type Queues, queuesOf } from "./packing-queues.ts";

/** An item that is shown, in which detail; `ranges` are the lines of a body or excerpt, `cut` is the one not shown whole. */
export type Shown = {
  readonly item: Item;
  readonly detail: Exclude<Detail, "none">;
  readonly ranges: readonly LineRange[];
  readonly cut: LineCut | null;
};

/** `complete`: everything is shown in full. `target` is what it might take, `estimate` what it takes, in tokens like all costs here. */
export type Fit = {
  readonly shown: readonly Shown[];
  readonly target: number;
  readonly estimate: number;
  readonly complete: boolean;
};

/** A file's heading, fences and list of dependencies, besides its path. */
const FILE_TOKENS = 20;
/**
 * The best file is shown with all that matches in it where that takes at most this part of all tokens. In the halves of
 * the development cases it gains 0 and .3 points of gold symbols at 8,000 tokens, 0 and .6 at 16,000; .4 loses.
 */
const BEST_FILE_SHARE_MAX = 0.3;
/** One body may take this part of the budget before all others have been tried. */
const BODY_SHARE_MAX = 0.8;
/** What is shown beside others takes at most this part of all tokens. */
const BESIDE_SHARE_MAX = 0.02;
/** Excerpts smaller than this say too little, as long as there is something else to show. */
const EXCERPT_TOKENS_MIN = 120;
/** What may stay unused: this part of the tokens, or where that is less than a line, up to a line of a tenth of them. */
const UNUSED_SHARE_MAX = 0.03;
const UNUSED_LINE_TOKENS = 24;
const UNUSED_LINE_SHARE_MAX = 0.1;
/** The first line of what the task names, when it is all that is shown. */
const FLOOR_LINE_TOKENS_MAX = 60;

export type FitInput = {
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, SourceText>;
  readonly scorer: LineScorer;
};

/** Answers what of the items fits into so many tokens. With 0 that is the floor alone. */
export function fitter(input: FitInput): (tokens: number) => Fit {
  const queues = queuesOf(input.items, input.sources);
  return (tokens) => fit(input, queues, tokens);
}

function fit({ items, sources, scorer }: FitInput, queues: Queues, tokens: number): Fit {
  const shown = new Map<string, Shown>();
  const spent = new Map<string, number>();
  const lines = new Map<number, Uint8Array>();
  const symbols = new Set<number>();
  const unusedMax = Math.floor(
    Math.max(tokens * UNUSED_SHARE_MAX, Math.min(UNUSED_LINE_TOKENS, tokens * UNUSED_LINE_SHARE_MAX)),
  );
  let left = tokens;
  let leftBeside = tokens * BESIDE_SHARE_MAX;

  const headingCost = (item: Item): number =>
    lines.has(item.fileId) ? 0 : Math.ceil(item.path.length / 3) + FILE_TOKENS;
  const isCovered = (item: Item): boolean => {
    const known = lines.get(item.fileId);
    return item.ranges.length > 0 && known !== undefined && item.ranges.every((range) => covers(known, range));
  };
  const place = (item: Item, detail: Shown["detail"], { ranges, cut }: Excerpt, cost: number): void => {
    left -= cost + headingCost(item) - (spent.get(item.key) ?? 0);
    spent.set(item.key, cost);
    shown.set(item.key, { item, detail, ranges, cut });
    const known = lines.get(item.fileId) ?? new Uint8Array((sources.get(item.fileId)?.lines.length ?? 0) + 1);
    for (const { startLine: start, endLine: end } of ranges)
      for (let line = start; line <= end; line += 1) if (line !== cut?.line) known[line] = 1;
    lines.set(item.fileId, known);
    if (item.symbol) symbols.add(item.symbol.id);
  };
  /** What the item costs on top of what it has already. */
  const price = (item: Item, cost: number): number => cost + headingCost(item) - (spent.get(item.key) ?? 0);
  const placeBody = (item: Item, bodyMax: number): boolean => {
    if (item.ranges.length === 0) return placeSignature(item, bodyMax);
    if (!isCovered(item)) {
      if (item.bodyTokens > bodyMax || price(item, item.bodyTokens) > left) return false;
      place(item, "body", whole(item), item.bodyTokens);
    } else place(item, "body", whole(item), spent.get(item.key) ?? 0);
    const around = item.within === undefined ? undefined : queues.byKey.get(item.within);
    if (around && shown.get(around.key)?.detail !== "body") placeBody(around, left);
    if (item.symbol) placeBeside(item.symbol.id);
    return true;
  };
  const placeBeside = (id: number): void => {
    for (const item of queues.companions.get(id) ?? []) {
      if (shown.get(item.key)?.detail === "body" || item.bodyTokens > leftBeside) continue;
      const before = left;
      if (placeBody(item, left)) leftBeside -= before - left;
    }
  };
  const placeSignature = (item: Item, tokensMax: number): boolean => {
    if (shown.has(item.key)) return true;
    const cost = item.signatureTokens;
    if (cost === null || cost > tokensMax || price(item, cost) > left) return false;
    place(item, "signature", NO_LINES, cost);
    return true;
  };
  /** An excerpt for at most `extraMax` tokens more than the item has already. Only a last one may cut a line. */
  const placeExcerpt = (item: Item, extraMax: number, last: boolean): void => {
    const source = sources.get(item.fileId);
    const extra = Math.floor(Math.min(extraMax, left - headingCost(item)));
    if (!source || item.ranges.length === 0 || extra < (last ? 1 : EXCERPT_TOKENS_MIN)) return;
    const room = extra + (spent.get(item.key) ?? 0);
    const found = excerptOf(item, source, scorer, room, last ? unusedMax : room);
    if (found.ranges.length > 0) place(item, "excerpt", found, Math.min(room, costOf(found.ranges, source, found.cut)));
  };

  for (const item of queues.floor) {
    const source = sources.get(item.fileId);
    const first = item.ranges[0];
    if (item.symbol || !first || !source) place(item, "signature", NO_LINES, item.signatureTokens ?? 0);
    else {
      const line = firstLine(first.startLine, source);
      place(item, "excerpt", line, costOf(line.ranges, source, line.cut));
    }
  }

  const tiers = queues.byTier;
  const primaries = tiers.get("primary") ?? [];
  const fillPrimaries = (bodyMax: number): void => {
    for (const item of primaries) if (shown.get(item.key)?.detail !== "body") placeBody(item, bodyMax);
  };
  const fillBestFile = (tokensMax: number): void => {
    // What was judged to come first does.
    if (primaries.some(({ ahead }) => ahead)) return;
    const own = primaries.filter(({ rank }) => rank === 1);
    // The lines of a short class are those of its methods.
    const bodies = own.filter(({ symbol }) => symbol === null || !isContainerKind(symbol.kind));
    if (bodies.reduce((sum, { bodyTokens }) => sum + bodyTokens, 0) > tokensMax) return;
    for (const item of own) if (shown.get(item.key)?.detail !== "body") placeBody(item, left);
  };
  const fillSide = (tier: (typeof SIDE_TIERS)[number]): void => {
    for (const item of tiers.get(tier) ?? []) {
      if (shown.get(item.key)?.detail === "body" || !isNeeded(item, symbols)) continue;
      if (tier === "rationale" && isCovered(item)) {
        // It stands in lines that are shown anyway.
        place(item, "body", whole(item), 0);
        continue;
      }
      if (!placeBody(item, left)) placeSignature(item, left);
    }
  };

  for (const [index, item] of queues.inFull.entries())
    if (!placeBody(item, left)) placeExcerpt(item, left / (queues.inFull.length - index), false);
  const forOverview = Math.floor(Math.max(0, left) * OVERVIEW_SHARE);
  left -= forOverview;
  // What the task names comes first: whole if it can be, else the best of it.
  const named = primaries.filter((item) => item.floor && shown.get(item.key)?.detail !== "body");
  for (const [index, item] of named.entries())
    if (!placeBody(item, left)) placeExcerpt(item, (left * BODY_SHARE_MAX) / (named.length - index), false);
  fillBestFile(tokens * BEST_FILE_SHARE_MAX);
  fillPrimaries(Math.max(0, left) * BODY_SHARE_MAX);
  left += forOverview;
  for (const item of queues.overview) if (!lines.has(item.fileId)) placeSignature(item, left);
  fillPrimaries(left);
  for (const item of primaries) placeSignature(item, left);
  for (const item of primaries)
    if (shown.get(item.key)?.detail !== "body") placeExcerpt(item, Math.max(EXCERPT_TOKENS_MIN, left / 2), false);
  for (const tier of SIDE_TIERS) fillSide(tier);
  for (const item of [...primaries, ...(tiers.get("tests") ?? []), ...(tiers.get("type_context") ?? [])]) {
    if (left <= unusedMax) break;
    if (!isWhole(item, shown.get(item.key)) && isNeeded(item, symbols)) placeExcerpt(item, left, true);
  }

  const list = items.flatMap((item) => shown.get(item.key) ?? []);
  return {
    shown: list,
    target: tokens,
    estimate: tokens - left,
    complete: items.every(
      (item) => isWhole(item, shown.get(item.key)) || (item.tier === "rationale" && isCovered(item)),
    ),
  };
}

const SIDE_TIERS = ["tests", "supporting", "type_context", "rationale"] as const;
const NO_LINES: Excerpt = { ranges: [], cut: null };
const whole = (item: Item): Excerpt => ({ ranges: item.ranges, cut: null });

function firstLine(line: number, source: SourceText): Excerpt {
  const ranges = [{ startLine: line, endLine: line }];
  if (source.lineTokens(line) <= FLOOR_LINE_TOKENS_MAX) return { ranges, cut: null };
  return {
    ranges,
    cut: { line, chars: charsWithin(source.lines[line - 1] ?? "", FLOOR_LINE_TOKENS_MAX, source.tokensOf) },
  };
}

const isNeeded = (item: Item, symbols: ReadonlySet<number>): boolean =>
  item.needs.length === 0 || item.needs.some((id) => symbols.has(id));
const isWhole = (item: Item, shown: Shown | undefined): boolean =>
  shown !== undefined && (shown.detail === "body" || item.ranges.length === 0);

function covers(known: Uint8Array, range: LineRange): boolean {
  for (let line = range.startLine; line <= range.endLine; line += 1) if (known[line] !== 1) return false;
  return true;
}

/** The best of an item's lines within `room` tokens; a symbol's beginning is always part of it. */
function excerptOf(item: Item, source: SourceText, scorer: LineScorer, room: number, unusedMax: number): Excerpt {
  const out: LineRange[] = [];
  let left = room;
  for (const range of item.ranges) {
    const { ranges, cut } = excerpt(source, range, scorer, { tokensMax: left, unusedMax });
    if (ranges.length === 0) break;
    out.push(...ranges);
    if (cut) return { ranges: out, cut };
    left -= costOf(ranges, source, null);
  }
  return { ranges: out, cut: null };
}
