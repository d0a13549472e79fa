/**
 * Adds the lines that enclose a definition: the own lines of a short class, or a Rust `impl` block.
 *
 * A change to a method often changes them too. In the two halves of the development cases they gain .6 and .5, .8 and 1.2,
 * .9 and 1.2 points of gold symbols at 4,000, 8,000 and 16,000 tokens; on 554 tasks from the repositories' histories they
 * change nothing (-.2, -.2 and 0).
 */

import type { SymbolRow } from "../../../db/curated/knowledge-base.ts";
import { LANGUAGES } from "../../../languages/languages.ts";
import { isContainerKind, isFunctionKind } from "../../../syntax/facts/facts.ts";
import type { LineRange } from "../../../text/ranges.ts";
import type { PricedText } from "../../lexical/snippets.ts";
import { hiddenLines, linesFor, withoutHidden } from "../../precision/symbol-lines.ts";
import { costOf, type Item, PLAIN_ITEM } from "./items.ts";

/** The own lines of a class that take more tokens are not added. */
const OWN_TOKENS_MAX = 120;
/** An `impl` block whose own lines take more tokens shows only its header. */
const IMPL_TOKENS_MAX = 500;
const CLASS_KINDS: ReadonlySet<string> = new Set(["class", "interface", "enum"]);

type EnclosingInput = {
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly symbolsOf: ReadonlyMap<number, readonly SymbolRow[]>;
  /** The language of each file. */
  readonly languages: ReadonlyMap<number, string | null>;
  /** Symbols whose lines are hidden. */
  readonly unshown: readonly SymbolRow[];
};

type Member = { readonly item: Item; readonly symbol: SymbolRow; readonly source: PricedText };

/** The items, linked to the items that enclose them, and after them the new enclosing items. */
export function withEnclosing(input: EnclosingInput): readonly Item[] {
  const { items, sources, symbolsOf, languages } = input;
  const hiddenOf = Map.groupBy(input.unshown, ({ fileId }) => fileId);
  const byId = new Map([...symbolsOf.values()].flat().map((symbol) => [symbol.id, symbol]));
  const own = new Map(items.flatMap((item) => (isBody(item) && item.symbol ? [[item.symbol.id, item] as const] : [])));
  const added = new Map<string, Item | null>();

  /** The key of the item of these lines, which is built once; undefined when they cost too much. */
  function enclosing(
    member: Member,
    key: string,
    tokensMax: number,
    lines: () => readonly LineRange[],
  ): string | undefined {
    let known = added.get(key);
    if (known === undefined) {
      const hidden = hiddenLines(hiddenOf.get(member.item.fileId) ?? [], null);
      known = enclosingItem(member, key, tokensMax, withoutHidden(lines(), hidden, member.source.lines));
      added.set(key, known);
    }
    return known?.key;
  }

  function enclosedBy(member: Member): string | undefined {
    const { item, symbol, source } = member;
    const siblings = symbolsOf.get(item.fileId) ?? [];
    const block = enclosingBlock(languages.get(item.fileId) ?? null, symbol, source.lines);
    if (block !== null)
      return enclosing(member, `${item.path}#block${block.header.startLine}`, IMPL_TOKENS_MAX, () => {
        const lines = ownLines(block, siblings, source.lines);
        return costOf(lines, source) <= IMPL_TOKENS_MAX ? lines : [block.header];
      });
    const parent = symbol.parentId === null ? undefined : byId.get(symbol.parentId);
    if (parent === undefined || !CLASS_KINDS.has(parent.kind)) return undefined;
    const placed = own.get(parent.id);
    if (placed !== undefined) return placed.bodyTokens <= OWN_TOKENS_MAX ? placed.key : undefined;
    const lines = () => linesFor(parent, "primary", source.lines, siblings);
    return enclosing(member, `${item.path}#own${parent.startLine}`, OWN_TOKENS_MAX, lines);
  }

  const members = items.map((item) => {
    const source = sources.get(item.fileId);
    const key = isBody(item) && item.symbol && source ? enclosedBy({ item, symbol: item.symbol, source }) : undefined;
    return key === undefined ? item : { ...item, enclosedBy: key };
  });
  return [...members, ...[...added.values()].filter((item) => item !== null)];
}

const isBody = ({ tier, ranges }: Item): boolean => tier === "primary" && ranges.length > 0;

function enclosingItem(
  { item, source }: Member,
  key: string,
  tokensMax: number,
  ranges: readonly LineRange[],
): Item | null {
  const bodyTokens = costOf(ranges, source);
  if (ranges.length === 0 || bodyTokens > tokensMax) return null;
  const { fileId, path, rank, tier, score } = item;
  return {
    ...PLAIN_ITEM,
    key,
    fileId,
    path,
    rank,
    tier,
    score,
    ranges,
    bodyTokens,
    floor: false,
    label: "lines",
    why: `what stands around ${item.label}`,
    isEnclosing: true,
  };
}

/** The parameters and bounds of an `impl` can take several lines. */
const HEADER_LINES_MAX = 12;
/** How many lines to search for the beginning and the end: generated blocks have thousands of members. */
const DISTANCE_MAX = 1_000;

type Lines = Pick<SymbolRow, "kind" | "docLine" | "startLine" | "endLine">;

type EnclosingBlock = { readonly header: LineRange; readonly whole: LineRange };

/** The nameless block around a definition, found by its indentation as rustfmt writes it. `lines` are those of the file. */
export function enclosingBlock(
  language: string | null,
  { startLine, docLine, endLine }: Lines,
  lines: readonly string[],
): EnclosingBlock | null {
  const opening = language === null ? undefined : LANGUAGES.get(language)?.namelessBlock;
  if (opening === undefined) return null;
  const lineAt = (line: number): string => lines[line - 1] ?? "";
  const isBlank = (line: number): boolean => isBlankLine(lines, line);
  const indentOf = (line: number): number => lineAt(line).search(/\S|$/);
  const indent = indentOf(startLine);
  if (indent === 0) return null;
  const first = Math.max(1, docLine - DISTANCE_MAX);
  let open = docLine - 1;
  while (open > first && (isBlank(open) || indentOf(open) >= indent)) open -= 1;
  if (open < 1 || indentOf(open) >= indent) return null;
  let header = open;
  while (header > 0 && !opening.test(lineAt(header))) {
    if (isBlank(header) || open - header >= HEADER_LINES_MAX) return null;
    header -= 1;
  }
  if (header === 0) return null;
  const outer = indentOf(header);
  const last = Math.min(lines.length, endLine + DISTANCE_MAX);
  let close = endLine + 1;
  while (close <= last && (isBlank(close) || indentOf(close) > outer)) close += 1;
  if (indentOf(close) !== outer || !lineAt(close).trimStart().startsWith("}")) return null;
  return { header: { startLine: header, endLine: open }, whole: { startLine: header, endLine: close } };
}

const isBlankLine = (lines: readonly string[], line: number): boolean => (lines[line - 1] ?? "").trim() === "";
const isMember = ({ kind }: Lines): boolean => isFunctionKind(kind) || isContainerKind(kind);

/** The lines of a block outside its members. `members` may include symbols outside the block. */
export function ownLines(
  { whole: block }: EnclosingBlock,
  members: readonly Lines[],
  lines: readonly string[],
): readonly LineRange[] {
  const taken = new Uint8Array(block.endLine + 2);
  for (const member of members)
    if (isMember(member) && member.docLine > block.startLine && member.endLine < block.endLine)
      taken.fill(1, member.docLine, member.endLine + 1);
  const own: { startLine: number; endLine: number }[] = [];
  for (let line = block.startLine; line <= block.endLine; line += 1) {
    if (taken[line] === 1 || isBlankLine(lines, line)) continue;
    const last = own.at(-1);
    if (last?.endLine === line - 1) last.endLine = line;
    else own.push({ startLine: line, endLine: line });
  }
  return own;
}
