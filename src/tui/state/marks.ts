/**
 * The marks in effect for a file or symbol: the user's decision, or else what earlier rounds asked for.
 *
 * A request can add to or reverse what earlier rounds asked for, but not withdraw it, so such a file or symbol cannot
 * return to "auto".
 */
import type { Constraints, RefinementList } from "../../retrieval/requests/refinement.ts";
import { type FileMark, SYMBOL_MARKS, type SymbolMark } from "./decisions.ts";
import type { ReviewState } from "./review-state.ts";

/** The key of a symbol in decisions. No path contains NUL. */
export const symbolKey = (path: string, qualifiedName: string): string => `${path}\0${qualifiedName}`;

export const pathOfKey = (key: string): string => key.slice(0, key.indexOf("\0"));

/** The symbol's name in a request. */
export const requestName = (key: string): string => key.replace("\0", ":");

type Marked = Pick<ReviewState, "decisions" | "constraints">;

const REQUEST_LIST = {
  body: "as_body",
  signature: "as_signature",
  out: "left_out",
  missing: "missing_symbols",
} as const satisfies Record<SymbolMark, RefinementList>;

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Constraints are immutable, so each list becomes a set once. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  const set = sets.get(list) ?? new Set(list);
  sets.set(list, set);
  return set;
}

/** What earlier rounds asked for about a file. */
export function earlierFileMark(constraints: Constraints, path: string): FileMark | null {
  if (setOf(constraints.rejected_files).has(path)) return "rejected";
  const isAccepted = setOf(constraints.accepted_files).has(path) || setOf(constraints.missing_files).has(path);
  return isAccepted ? "accepted" : null;
}

/** The mark of a file; null is "auto". */
export const fileMarkOf = ({ decisions, constraints }: Marked, path: string): FileMark | null =>
  decisions.files.get(path) ?? earlierFileMark(constraints, path);

/** What earlier rounds asked for about a symbol. */
export const earlierSymbolMark = (constraints: Constraints, key: string): SymbolMark | null =>
  SYMBOL_MARKS.find((mark) => setOf(constraints[REQUEST_LIST[mark]]).has(requestName(key))) ?? null;

export const symbolMarkOf = ({ decisions, constraints }: Marked, key: string): SymbolMark | null =>
  decisions.symbols.get(key) ?? earlierSymbolMark(constraints, key);

/** How a list shows the mark of a file. */
export type ShownMark = FileMark | "earlier-accepted" | "earlier-rejected" | "symbols" | "earlier-symbols" | "auto";

/** The user's mark on the file, else marks on its symbols, else what earlier rounds asked for. */
export function shownMark({ decisions, constraints }: Marked, path: string): ShownMark {
  const mark = decisions.files.get(path);
  if (mark !== undefined) return mark;
  for (const key of decisions.symbols.keys()) if (pathOfKey(key) === path) return "symbols";
  const earlier = earlierFileMark(constraints, path);
  if (earlier !== null) return `earlier-${earlier}`;
  const hasSymbols = Object.values(REQUEST_LIST).some((list) =>
    constraints[list].some((name) => name.startsWith(`${path}:`)),
  );
  return hasSymbols ? "earlier-symbols" : "auto";
}

const NEXT_FILE_MARK = { auto: "accepted", accepted: "rejected", rejected: null } as const;

/** The mark after the one in effect; null is "auto". */
export const nextFileMark = (marked: Marked, path: string): FileMark | null =>
  NEXT_FILE_MARK[fileMarkOf(marked, path) ?? "auto"] ??
  (earlierFileMark(marked.constraints, path) === null ? null : NEXT_FILE_MARK.auto);

/** The decision that gives this mark; null when earlier rounds already give it. */
export const decisionFor = ({ constraints }: Marked, path: string, mark: FileMark | null): FileMark | null =>
  mark === earlierFileMark(constraints, path) ? null : mark;

const NEXT_SYMBOL_MARK = { auto: "body", missing: "body", body: "signature", signature: "out", out: null } as const;

/** The decision after the mark in effect; null when earlier rounds already give it. */
export function nextSymbolMark(marked: Marked, key: string): SymbolMark | null {
  const earlier = earlierSymbolMark(marked.constraints, key);
  const next =
    NEXT_SYMBOL_MARK[symbolMarkOf(marked, key) ?? "auto"] ?? (earlier === null ? null : NEXT_SYMBOL_MARK.auto);
  return next === earlier ? null : next;
}
