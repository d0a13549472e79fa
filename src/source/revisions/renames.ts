/**
 * Detects renames from file contents. Equal contents match first; then, as in git, the most similar pairs with at least half in common.
 */
import { inOrder } from "../../text/order.ts";

/** `text` is null when the file is not text or too large. */
type Side = { readonly path: string; readonly hash: string; readonly mode: string; readonly text: string | null };

/** With more files on one side, only equal contents match. */
export const COMPARED_SIDES_MAX = 200;

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
  const [olds, news] = [linesOf([...left]), linesOf(fresh.filter(({ path }) => !renamed.has(path)))];
  const pairs = news.flatMap((now) =>
    olds.map((old) => ({ old: old.side, now: now.side, alike: alike(old.lines, now.lines) })),
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

function alike(one: Lines, other: Lines): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  if (few.size < many.size * ALIKE_MIN) return 0;
  return [...few].filter((line) => many.has(line)).length / many.size;
}
