/**
 * Compares what a round shows with the last finished round.
 *
 * Items are matched by path and name, since lines move when a file is edited; items of the same name in a file are matched
 * in order. A file's detail is the fullest detail of its items.
 */
import { inOrder } from "../../text/order.ts";
import { CHANGE_KINDS, type Change, type ChangeKind, type Changes, type ShownItem } from "../model/changes.ts";
import { DETAILS, type Detail, ITEM_TIERS, type ItemTier } from "../model/tiers.ts";
import type { Shown } from "../packing/knapsack.ts";

/** Rows of one list. */
const ROWS_MAX = 200;

/** What is shown, without rationale comments. */
export const shownItems = (shown: readonly Shown[]): readonly ShownItem[] =>
  shown.flatMap(({ item, detail }) =>
    item.reason === null ? [{ path: item.path, item: item.label, tier: item.tier, detail }] : [],
  );

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
  };
  const listed = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  return { since_round: round, ...lists, left_out: found - listed };
}

/** How much is shown of a file or item; a file has no tier. */
type Level = {
  readonly path: string;
  readonly item: string | null;
  readonly detail: Detail;
  readonly tier: ItemTier | null;
};

/** Every shown item and every file, by key. */
function levels(items: readonly ShownItem[]): ReadonlyMap<string, Level> {
  const found = new Map<string, Level>();
  for (const { path, item, tier, detail } of items) {
    const file = keyOf(path, null, 0);
    const fullest = found.get(file)?.detail ?? "none";
    found.set(file, { path, item: null, tier: null, detail: fuller(fullest, detail) ? detail : fullest });
    let at = 0;
    while (found.has(keyOf(path, item, at))) at += 1;
    found.set(keyOf(path, item, at), { path, item, tier, detail });
  }
  return found;
}

function kindOf(was: Level | undefined, is: Level | undefined): ChangeKind | null {
  if (is === undefined) return "dropped";
  if (was === undefined) return "added";
  if (was.detail !== is.detail) return fuller(was.detail, is.detail) ? "promoted" : "demoted";
  if (was.tier === is.tier || was.tier === null || is.tier === null) return null;
  return ITEM_TIERS.indexOf(is.tier) < ITEM_TIERS.indexOf(was.tier) ? "promoted" : "demoted";
}

const fuller = (was: Detail, is: Detail): boolean => DETAILS.indexOf(is) > DETAILS.indexOf(was);

/** NUL is in no path, and sorts before everything. */
const keyOf = (path: string, item: string | null, at: number): string =>
  item === null ? path : `${path}\0${item}\0${at}`;
const filesFirst = (a: Change, b: Change): number => Number(a.item !== null) - Number(b.item !== null);
