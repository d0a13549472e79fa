/** Linear mode: a list as sentences. */
import { windowTop } from "../state/layout/layout.ts";
import { grouped } from "../styling/numbers.ts";
import { CURRENT } from "./announcements.ts";

/** Rows of a list that are read out around the current one. */
const LISTED = 9;
/** Lines of code that are read out. */
export const CODE_LINES = 20;

/** A heading, then the rows around the current one with their numbers; a `count` of null is a list that is being read. */
export function listText(
  title: string,
  count: number | null,
  cursor: number | null,
  textAt: (at: number) => string,
): readonly string[] {
  if (count === null || count === 0) return [`${title}: ${count === null ? "loading" : "none"}.`];
  const top = windowTop(cursor ?? 0, count, LISTED);
  const shown = Math.min(LISTED, count - top);
  return [
    shown === count ? `${title}, ${count}:` : `${title}, ${top + 1} to ${top + shown} of ${grouped(count)}:`,
    ...Array.from(
      { length: shown },
      (_, row) => `${top + row + 1}. ${textAt(top + row)}${top + row === cursor ? CURRENT : ""}`,
    ),
  ];
}
