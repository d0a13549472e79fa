/**
 * What holds for a file or a symbol: the user's decision, or else what earlier rounds were asked for.
 *
 * Pure. A request can only add to what is held and turn it around, never take it back, so a thing that is held has no
 * way to "auto". Not here: undoing (`decisions.ts`).
 */
import type { Constraints, RefinementList } from "../../retrieval/model/refinement.ts";
import type { FileMark, SymbolMark } from "./decisions.ts";
import type { ReviewState } from "./state.ts";

/** The key of a symbol in decisions. NUL is in no path. */
export const symbolKey = (path: string, qualifiedName: string): string => `${path}\0${qualifiedName}`;

export const pathOfKey = (key: string): string => key.slice(0, key.indexOf("\0"));

/** As requests name it. */
export const requestName = (key: string): string => key.replace("\0", ":");

type Asked = Pick<ReviewState, "decisions" | "held">;

/** The list of a request that says each wish. */
export const REQUEST_LIST = {
  body: "as_body",
  signature: "as_signature",
  out: "left_out",
  missing: "missing_symbols",
} as const satisfies Record<SymbolMark, RefinementList>;

const WISHES = ["body", "signature", "out", "missing"] as const satisfies readonly SymbolMark[];

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Constraints never change, so each list becomes a set once. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  const known = sets.get(list);
  if (known !== undefined) return known;
  const made = new Set(list);
  sets.set(list, made);
  return made;
}

/** What earlier rounds hold about a file; null when nothing. */
export function earlierFileMark(held: Constraints, path: string): FileMark | null {
  if (setOf(held.rejected_files).has(path)) return "rejected";
  return setOf(held.accepted_files).has(path) || setOf(held.missing_files).has(path) ? "accepted" : null;
}

/** What holds about a file; null is "auto". */
export const fileMarkOf = ({ decisions, held }: Asked, path: string): FileMark | null =>
  decisions.files.get(path) ?? earlierFileMark(held, path);

/** What earlier rounds hold about a symbol; null when nothing. */
export const earlierSymbolMark = (held: Constraints, key: string): SymbolMark | null =>
  WISHES.find((wish) => setOf(held[REQUEST_LIST[wish]]).has(requestName(key))) ?? null;

export const symbolMarkOf = ({ decisions, held }: Asked, key: string): SymbolMark | null =>
  decisions.symbols.get(key) ?? earlierSymbolMark(held, key);

/** Whether something is wished for a symbol of a file: now, in an earlier round, or null. */
export function symbolsMarked({ decisions, held }: Asked, path: string): "now" | "earlier" | null {
  for (const key of decisions.symbols.keys()) if (pathOfKey(key) === path) return "now";
  const isHeld = WISHES.some((wish) => held[REQUEST_LIST[wish]].some((name) => name.startsWith(`${path}:`)));
  return isHeld ? "earlier" : null;
}

const NEXT_MARK = { auto: "accepted", accepted: "rejected", rejected: null } as const;

/** What comes after what holds about a file; null is "auto". */
export const nextFileMark = (asked: Asked, path: string): FileMark | null =>
  NEXT_MARK[fileMarkOf(asked, path) ?? "auto"] ?? (earlierFileMark(asked.held, path) === null ? null : NEXT_MARK.auto);

/** A decision for this mark; null when it holds already without one. */
export const decisionFor = (asked: Asked, path: string, mark: FileMark | null): FileMark | null =>
  mark === earlierFileMark(asked.held, path) ? null : mark;

const NEXT_WISH = { auto: "body", missing: "body", body: "signature", signature: "out", out: null } as const;

/** The decision after this one; what is held needs none. */
export function nextSymbolMark(asked: Asked, key: string): SymbolMark | null {
  const held = earlierSymbolMark(asked.held, key);
  const next = NEXT_WISH[symbolMarkOf(asked, key) ?? "auto"] ?? (held === null ? null : NEXT_WISH.auto);
  return next === held ? null : next;
}
