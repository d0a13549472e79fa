/**
 * Detects renames from file contents. Equal contents match first; then, as in git, the most similar pairs with at least half in common.
 */
import { inOrder } from "../../text/order.ts";

/** `text` is null when the file is not text or too large. */
type Side = { readonly path: string; readonly hash: string; readonly mode: string; readonly text: string | null };

/** With more files on one side, only equal contents match. */
export const COMPARED_SIDES_MAX = 200;

/** With more distinct lines together, only equal contents match; so too once this many lines were looked up. Less than a second. */
const LINES_MAX = 1_000_000;
const LOOKUPS_MAX = 10_000_000;

/** The share of common lines from which two files are the same. */
const ALIKE_MIN = 0.5;

/** The old file of each renamed one, by its new path. */
export function renamedFrom(
  gone: readonly Side[],
  fresh: readonly Side[],
): ReadonlyMap<string, Pick<Side, "path" | "hash" | "mode">> {
  const renamed = new Map<string, Side>();
  const left = new Set(gone);
  const take = (old: Side, now: Side): void => {
    renamed.set(now.path, old);
    left.delete(old);
  };
  const byHash = Map.groupBy(gone, ({ hash }) => hash);
  for (const now of fresh) {
    const same = byHash.get(now.hash)?.shift();
    if (same !== undefined) take(same, now);
  }
  if (Math.max(gone.length, fresh.length) > COMPARED_SIDES_MAX) return renamed;
  const [olds, news] = [[...left], fresh.filter(({ path }) => !renamed.has(path))];
  if ([...olds, ...news].reduce((sum, { text }) => sum + lineCount(text), 0) > LINES_MAX) return renamed;
  const steps = { left: LOOKUPS_MAX };
  const oldLines = linesOf(olds);
  const pairs = linesOf(news).flatMap((now) =>
    oldLines.map((old) => ({ old: old.side, now: now.side, alike: alike(old.lines, now.lines, steps) })),
  );
  const likely = pairs.filter(({ alike: share }) => share >= ALIKE_MIN);
  likely.sort((a, b) => b.alike - a.alike || inOrder(a.now.path, b.now.path) || inOrder(a.old.path, b.old.path));
  for (const { old, now } of likely) if (left.has(old) && !renamed.has(now.path)) take(old, now);
  return renamed;
}

type Lines = ReadonlySet<string>;

/** The distinct non-empty lines of each file. */
const linesOf = (sides: readonly Side[]): readonly { readonly side: Side; readonly lines: Lines }[] =>
  sides.flatMap((side) => {
    const lines = side.text?.split("\n").map((line) => line.trim());
    return lines === undefined ? [] : [{ side, lines: new Set(lines.filter((line) => line !== "")) }];
  });

function lineCount(text: string | null): number {
  let lines = 0;
  for (let at = 0; text !== null && at >= 0; at = text.indexOf("\n", at) + 1 || -1) lines += 1;
  return lines;
}

/** The common share of the larger file; 0 if it is too small to count, or the steps have run out. */
function alike(one: Lines, other: Lines, steps: { left: number }): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  const needed = many.size * ALIKE_MIN;
  let [common, rest] = [0, few.size];
  for (const line of few) {
    if (common + rest < needed || steps.left <= 0) return 0;
    steps.left -= 1;
    rest -= 1;
    if (many.has(line)) common += 1;
  }
  return common < needed ? 0 : common / many.size;
}
