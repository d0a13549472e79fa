/**
 * A package while it is filled: what it shows so far, and the tokens that are left.
 *
 * Costs are estimates: lines that are already shown are free, and the first item of a file pays for the file's heading.
 * `packing-order.ts` decides what is tried and when.
 */
import type { LineRange } from "../../../text/ranges.ts";
import { termsIn } from "../../../text/terms/identifiers.ts";
import { stem } from "../../../text/terms/stem.ts";
import type { LineScorer } from "../../lexical/line-scorer.ts";
import { charsWithin, type Excerpt, excerpt, type LineCut, type PricedText } from "../../lexical/snippets.ts";
import type { Detail } from "../../model/tiers.ts";
import { costOf, type Item } from "../items/items.ts";

/** A shown item. `ranges` are the lines of its body or excerpt; `cut` is a line shown in part. */
export type Shown = {
  readonly item: Item;
  readonly detail: Exclude<Detail, "none">;
  readonly ranges: readonly LineRange[];
  readonly cut: LineCut | null;
};

export type Texts = { readonly sources: ReadonlyMap<number, PricedText>; readonly scorer: LineScorer };

/** Items that are shown because others are. */
export type Attached = {
  readonly byKey: ReadonlyMap<string, Item>;
  /** Items to show beside a symbol, by its id, in order of position. */
  readonly companions: ReadonlyMap<number, readonly Item[]>;
};

/** `besideMax` bounds what all companions take together. */
type Room = { readonly tokens: number; readonly besideMax: number };

/** Limits of an excerpt. Without `unusedMax` no line is cut. `failed`: only the lines that a stack trace names, with what is around them. */
type ExcerptLimits = {
  readonly max: number;
  readonly min: number;
  readonly unusedMax?: number;
  readonly failed?: boolean;
};

export type Knapsack = {
  /** The tokens there were at the beginning. */
  readonly tokens: number;
  /** Tokens left; negative when the floor takes more than there are. */
  readonly left: number;
  readonly shown: ReadonlyMap<string, Shown>;
  showsFile(fileId: number): boolean;
  showsBody(item: Item): boolean;
  /** Shown whole, or as far as it can be. */
  showsWhole(item: Item): boolean;
  /** Every line of the item is shown already. */
  covers(item: Item): boolean;
  /** The item needs no other symbol, or one that it needs is shown. */
  showsNeeded(item: Item): boolean;
  /** Shows the minimum of an item at any cost: its signature, or its first line within `lineMax` tokens. */
  showLeast(item: Item, lineMax: number): void;
  /** Shows a body of at most `bodyMax` tokens if it fits, with the lines around it and its companions. */
  showBody(item: Item, bodyMax: number): boolean;
  showSignature(item: Item): boolean;
  /** Shows the best lines, for at most `max` and at least `min` tokens on top of what the item costs already. */
  showExcerpt(item: Item, limits: ExcerptLimits): void;
  /** Counts an item as shown whole, at no cost, if all of its lines are shown. */
  showCovered(item: Item): boolean;
  setAside(tokens: number): void;
  returnSetAside(): void;
};

/** A file's heading, fences and list of dependencies, besides its path. */
const FILE_TOKENS = 20;

export function openKnapsack({ sources, scorer }: Texts, attached: Attached, room: Room): Knapsack {
  const ledger = openLedger(sources, room.tokens);
  const { shown, show, price, spentOn, headingCost, covers, showsBody } = ledger;
  let leftBeside = room.besideMax;

  function showLeast(item: Item, lineMax: number): void {
    const source = sources.get(item.fileId);
    const first = item.ranges[0];
    if (item.symbol || !first || !source) showShort(item, item.signatureTokens ?? 0);
    else {
      const line = firstLine(first.startLine, source, lineMax);
      show(item, "excerpt", line, costOf(line.ranges, source, line.cut));
    }
  }

  function showBody(item: Item, bodyMax: number): boolean {
    if (item.ranges.length === 0) return showSignature(item, bodyMax);
    if (covers(item)) show(item, "body", whole(item), spentOn(item));
    else if (item.bodyTokens > bodyMax || price(item, item.bodyTokens) > ledger.left) return false;
    else show(item, "body", whole(item), item.bodyTokens);
    const around = item.enclosedBy === undefined ? undefined : attached.byKey.get(item.enclosedBy);
    if (around && !showsBody(around)) showBody(around, ledger.left);
    if (item.symbol) showCompanions(item.symbol.id);
    return true;
  }

  function showCompanions(symbolId: number): void {
    for (const item of attached.companions.get(symbolId) ?? []) {
      if (showsBody(item) || item.bodyTokens > leftBeside) continue;
      const before = ledger.left;
      if (showBody(item, ledger.left)) leftBeside -= before - ledger.left;
    }
  }

  function showSignature(item: Item, tokensMax = ledger.left): boolean {
    if (shown.has(item.key)) return true;
    const cost = item.signatureTokens;
    if (cost === null || cost > tokensMax || price(item, cost) > ledger.left) return false;
    showShort(item, cost);
    return true;
  }

  function showShort(item: Item, cost: number): void {
    const { onlyLine } = item;
    if (onlyLine === undefined) show(item, "signature", NO_LINES, cost);
    // An excerpt, so that later phases still show its documentation and what is around it.
    else show(item, "excerpt", { ranges: [onlyLine], cut: null }, cost);
  }

  function showExcerpt(item: Item, { max, min, unusedMax, failed = false }: ExcerptLimits): void {
    const source = sources.get(item.fileId);
    const extra = Math.floor(Math.min(max, ledger.left - headingCost(item)));
    if (!source || item.ranges.length === 0 || extra < min) return;
    const tokensMax = extra + spentOn(item);
    const best = bestLines(item, source, scorer, { tokensMax, unusedMax: unusedMax ?? tokensMax }, failed);
    if (best.ranges.length > 0) show(item, "excerpt", best, Math.min(tokensMax, costOf(best.ranges, source, best.cut)));
  }

  function showCovered(item: Item): boolean {
    if (!covers(item)) return false;
    show(item, "body", whole(item), 0);
    return true;
  }

  return Object.assign(ledger, { showLeast, showBody, showSignature, showExcerpt, showCovered });
}

/** What is shown so far, and what it cost. */
function openLedger(sources: Texts["sources"], tokens: number) {
  const shown = new Map<string, Shown>();
  const spent = new Map<string, number>();
  const lines = new Map<number, Uint8Array>();
  const symbols = new Set<number>();
  let left = tokens;
  let aside = 0;

  const spentOn = (item: Item): number => spent.get(item.key) ?? 0;
  const headingCost = (item: Item): number =>
    lines.has(item.fileId) ? 0 : Math.ceil(item.path.length / 3) + FILE_TOKENS;
  /** The additional cost of an item, which may already have been charged in part. */
  const price = (item: Item, cost: number): number => cost + headingCost(item) - spentOn(item);
  const showsBody = (item: Item): boolean => shown.get(item.key)?.detail === "body";

  function show(item: Item, detail: Shown["detail"], { ranges, cut }: Excerpt, cost: number): void {
    left -= price(item, cost);
    spent.set(item.key, cost);
    shown.set(item.key, { item, detail, ranges, cut });
    const known = lines.get(item.fileId) ?? new Uint8Array((sources.get(item.fileId)?.lines.length ?? 0) + 1);
    for (const { startLine: start, endLine: end } of ranges)
      for (let line = start; line <= end; line += 1) if (line !== cut?.line) known[line] = 1;
    lines.set(item.fileId, known);
    if (item.symbol) symbols.add(item.symbol.id);
  }

  function covers(item: Item): boolean {
    const known = lines.get(item.fileId);
    return item.ranges.length > 0 && known !== undefined && item.ranges.every((range) => areSet(known, range));
  }

  return {
    tokens,
    get left() {
      return left;
    },
    shown,
    show,
    spentOn,
    headingCost,
    price,
    covers,
    showsBody,
    showsFile: (fileId: number) => lines.has(fileId),
    showsWhole: (item: Item) => showsBody(item) || (item.ranges.length === 0 && shown.has(item.key)),
    showsNeeded: ({ needs }: Item) => needs.length === 0 || needs.some((id) => symbols.has(id)),
    setAside(reserve: number): void {
      left -= reserve;
      aside += reserve;
    },
    returnSetAside(): void {
      left += aside;
      aside = 0;
    },
  };
}

const NO_LINES: Excerpt = { ranges: [], cut: null };
const whole = (item: Item): Excerpt => ({ ranges: item.ranges, cut: null });

function firstLine(line: number, source: PricedText, tokensMax: number): Excerpt {
  const ranges = [{ startLine: line, endLine: line }];
  if (source.lineTokens(line) <= tokensMax) return { ranges, cut: null };
  return { ranges, cut: { line, chars: charsWithin(source.lines[line - 1] ?? "", tokensMax, source.tokensOf) } };
}

function areSet(known: Uint8Array, range: LineRange): boolean {
  for (let line = range.startLine; line <= range.endLine; line += 1) if (known[line] !== 1) return false;
  return true;
}

/**
 * The best of an item's lines, always including the beginning of a symbol, and of one in a stack trace the lines that failed. Its own name
 * says which definition is meant, and nothing about the lines in it that have it, such as those of a recursion.
 */
function bestLines(
  item: Item,
  source: PricedText,
  scorer: LineScorer,
  room: { readonly tokensMax: number; readonly unusedMax: number },
  failed: boolean,
): Excerpt {
  const best: LineRange[] = [];
  const own = new Set(termsIn(item.symbol?.name ?? "").map(stem));
  const scoreOf: LineScorer = (line) => scorer(line, own);
  let left = room.tokensMax;
  let cut: LineCut | null = null;
  const ranges = item.ranges.map((range) => ({ range, wanted: wantedOf(item, range, failed) }));
  const [wantedFirst, others] = [ranges.filter(({ wanted }) => wanted), ranges.filter(({ wanted }) => !wanted)];
  for (const { range, wanted } of failed ? wantedFirst : [...wantedFirst, ...others]) {
    const found = excerpt(source, range, scoreOf, { tokensMax: left, unusedMax: room.unusedMax }, wanted);
    if (found.ranges.length === 0) break;
    best.push(...found.ranges);
    cut = found.cut;
    if (cut) break;
    left -= costOf(found.ranges, source, null);
  }
  return { ranges: best.toSorted((a, b) => a.startLine - b.startLine), cut };
}

/** The lines of a range that a stack trace names, and the line that says which definition they are in. */
function wantedOf({ traced, symbol }: Item, { startLine, endLine }: LineRange, alone: boolean) {
  const lines = (traced?.lines ?? []).filter((line) => startLine <= line && line <= endLine);
  return lines.length === 0 ? undefined : { from: Math.max(startLine, symbol?.startLine ?? startLine), lines, alone };
}
