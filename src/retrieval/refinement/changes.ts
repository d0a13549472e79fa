/**
 * Compares what a round shows with the last finished round.
 *
 * Items are matched by path and name, since lines move when a file is edited; items of the same name in a file are matched
 * in order. A file's detail is the fullest detail of its items.
 */
import { createHash } from "node:crypto";
import { inOrder } from "../../text/order.ts";
import { cutText } from "../lexical/snippets.ts";
import { CHANGE_KINDS, type Change, type ChangeKind, type Changes, type ShownItem } from "../model/changes.ts";
import { DETAILS, type Detail, ITEM_TIERS, type ItemTier } from "../model/tiers.ts";
import type { Shown } from "../packing/fitting/knapsack.ts";
import type { Item } from "../packing/items/items.ts";
import type { PackedSelection } from "../packing/pack-selection.ts";

/** Rows of one list. */
const ROWS_MAX = 200;

/** What is shown, without rationale comments. */
export const shownItems = ({ packed, sources }: Pick<PackedSelection, "packed" | "sources">): readonly ShownItem[] =>
  packed.fit.shown.flatMap((entry) => (entry.item.reason === null ? [shownItem(entry, sources)] : []));

type Sources = PackedSelection["sources"];

/** One shown thing that is no rationale comment. */
export function shownItem(entry: Shown, sources: Sources): ShownItem {
  const { item, detail } = entry;
  const text = detail === "signature" ? digestOf(item.symbol?.signature ?? "") : wholeDigest(item, sources);
  const part = digestOf(shownText(entry, sources));
  return { path: item.path, item: item.label, tier: item.tier, detail, text, ...(part === text ? {} : { part }) };
}

/** A digest of all lines of a definition, or of the file: which of them are shown also depends on what else is. */
export function wholeDigest({ symbol, fileId }: Item, sources: Sources): string {
  const lines = sources.get(fileId)?.lines ?? [];
  const own = symbol === null ? lines : lines.slice(Math.min(symbol.startLine, symbol.docLine) - 1, symbol.endLine);
  return digestOf(own.join("\n"));
}

/** The lines that are shown of it, or its signature with the assertions of a test. */
function shownText({ item, detail, ranges, cut }: Shown, sources: Sources): string {
  if (detail === "signature") return [item.symbol?.signature ?? "", ...item.assertions].join("\n");
  const lines = sources.get(item.fileId)?.lines ?? [];
  return ranges
    .flatMap(({ startLine, endLine }) =>
      lines.slice(startLine - 1, endLine).map((text, at) => [startLine + at, text] as const),
    )
    .map(([line, text]) => (line === cut?.line ? cutText(text, cut) : text))
    .join("\n");
}

const DIGEST_CHARS = 12;
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARS);

/** Both lists may be in any order. */
export function changesSince(round: number, before: readonly ShownItem[], now: readonly ShownItem[]): Changes {
  const [was, is] = [levels(before), levels(now)];
  const rows = new Map<ChangeKind, Change[]>(CHANGE_KINDS.map((kind) => [kind, []]));
  for (const key of [...new Set([...was.keys(), ...is.keys()])].toSorted(inOrder)) {
    const [old, current] = [was.get(key), is.get(key)];
    const kind = kindOf(old, current);
    const { path = "", item = null } = current ?? old ?? {};
    if (kind !== null)
      rows.get(kind)?.push({ path, item, detail: current?.detail ?? "none", before: old?.detail ?? "none" });
  }
  const listOf = (kind: ChangeKind): Change[] => (rows.get(kind) ?? []).toSorted(filesFirst).slice(0, ROWS_MAX);
  const found = [...rows.values()].reduce((sum, list) => sum + list.length, 0);
  const lists = {
    added: listOf("added"),
    dropped: listOf("dropped"),
    promoted: listOf("promoted"),
    demoted: listOf("demoted"),
    // A round in the log has no texts.
    ...(before.every(({ text }) => text !== undefined) ? { edited: listOf("edited") } : {}),
  };
  const listed = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  return { since_round: round, ...lists, left_out: found - listed };
}

/** How much is shown of a file or item; a file has no tier and no text. */
type Level = {
  readonly path: string;
  readonly item: string | null;
  readonly detail: Detail;
  readonly tier: ItemTier | null;
  readonly text?: string | undefined;
};

/** Every shown item and every file, by key. */
function levels(items: readonly ShownItem[]): ReadonlyMap<string, Level> {
  const found = new Map<string, Level>();
  for (const { path, item, tier, detail, text } of items) {
    const file = keyOf(path, null, 0);
    const fullest = found.get(file)?.detail ?? "none";
    found.set(file, { path, item: null, tier: null, detail: fuller(fullest, detail) ? detail : fullest });
    let at = 0;
    while (found.has(keyOf(path, item, at))) at += 1;
    found.set(keyOf(path, item, at), { path, item, tier, detail, text });
  }
  return found;
}

function kindOf(was: Level | undefined, is: Level | undefined): ChangeKind | null {
  if (is === undefined) return "dropped";
  if (was === undefined) return "added";
  if (was.detail !== is.detail) return fuller(was.detail, is.detail) ? "promoted" : "demoted";
  if (was.tier === is.tier || was.tier === null || is.tier === null)
    return was.text === undefined || is.text === undefined || was.text === is.text ? null : "edited";
  return ITEM_TIERS.indexOf(is.tier) < ITEM_TIERS.indexOf(was.tier) ? "promoted" : "demoted";
}

const fuller = (was: Detail, is: Detail): boolean => DETAILS.indexOf(is) > DETAILS.indexOf(was);

/** NUL is in no path, and sorts before everything. */
const keyOf = (path: string, item: string | null, at: number): string =>
  item === null ? path : `${path}\0${item}\0${at}`;
const filesFirst = (a: Change, b: Change): number => Number(a.item !== null) - Number(b.item !== null);
