/**
 * Finds what a round shows that was not shown before, by the round that it follows or by packages of other tasks: what an agent still has to read.
 *
 * A thing counts as shown before if as much of it was shown, or all, with the same text. What is not known to have been shown counts as new:
 * rounds of an older cra, and of the log, have no texts.
 */
import type { ShownItem } from "../model/changes.ts";
import type { RoundNews } from "../model/round-news.ts";
import type { Shown } from "../packing/fitting/knapsack.ts";
import type { PackedSelection } from "../packing/pack-selection.ts";
import { shownItem, wholeDigest } from "./changes.ts";

/** What was shown before. */
type ShownBefore = { readonly round: number | null; readonly shown: readonly ShownItem[] };

/** The news of a packed round. */
export function roundNews(
  { pkg, packed, sources, showing }: Pick<PackedSelection, "pkg" | "packed" | "sources" | "showing">,
  { round, shown: before }: ShownBefore,
): RoundNews {
  const known = Map.groupBy(before, keyOf);
  const kept: ShownItem[] = [];
  const hidden = new Set<number>();
  const news = packed.fit.shown.filter((entry) => {
    if (entry.item.reason !== null) return true;
    const now = shownItem(entry, sources);
    const named = known.get(keyOf(now)) ?? [];
    const at = named.findIndex((was) => isSame(was, now) || isLess(was, entry, sources));
    // What is shown in another form is shown still.
    named.splice(Math.max(at, 0), 1);
    if (at < 0) return true;
    kept.push(now);
    if (entry.item.symbol !== null) hidden.add(entry.item.symbol.id);
    return false;
  });
  return {
    since: round,
    part: showing(
      pkg,
      news.filter((entry) => !isOfHidden(entry, hidden)),
    ),
    kept,
    dropped: round === null ? [] : [...known.values()].flat(),
  };
}

/** Things of one name in a file have one key. */
export const keyOf = ({ path, item }: ShownItem): string => `${path}\0${item}`;

const isSame = (was: ShownItem, now: ShownItem): boolean =>
  was.detail === now.detail && was.text !== undefined && was.text === now.text && was.part === now.part;

/** All of it was shown, and now its signature is. */
const isLess = (was: ShownItem, { item, detail }: Shown, sources: PackedSelection["sources"]): boolean =>
  detail === "signature" && was.detail === "body" && was.part === undefined && was.text === wholeDigest(item, sources);

/** Comments that say why belong to what they stand in. */
const isOfHidden = ({ item }: Shown, hidden: ReadonlySet<number>): boolean =>
  item.reason !== null && item.needs.every((id) => hidden.has(id));
