/** The symbols of one file: what the package shows of each, and the marks body, signature and omit. */
import { firstKey } from "../keys/bindings.ts";
import { markSymbol } from "../state/decisions.ts";
import { clampIndex } from "../state/lists/file-list.ts";
import { symbolsListed } from "../state/lists/filtered-lists.ts";
import { fileMarkOf, nextSymbolMark, symbolKey, symbolMarkOf } from "../state/marks.ts";
import { decisionsProblem } from "../state/refinement-request.ts";
import {
  currentFile,
  type OutlineSymbol,
  type ReviewState,
  type Round,
  type SymbolRow,
} from "../state/review-state.ts";
import { isFullyShown, shownLines } from "../state/shipped.ts";
import type { State } from "../state/state.ts";
import { EMPTY_FIELD } from "../state/text-field.ts";
import { become, inReview, type Outcome, type Reducers, say, withMessage, withReview } from "./reducer.ts";
import { withDecisions } from "./review.ts";

export const SYMBOLS_REDUCERS = {
  "symbols.open": inReview((review, state) => {
    const file = currentFile(review);
    if (file === null) return say(state, "info", "No file is selected.");
    if (file.kind === "diff") return withReview(state, { ...review, pane: "preview" });
    const symbols = { path: file.path, rows: null, filter: EMPTY_FIELD, cursor: 0 };
    return become({ ...state, review: { ...review, symbols } }, { do: "load-outline", path: file.path });
  }),

  "symbol.cycle": inReview((review, state) => {
    const { symbols } = review;
    const row = symbols === null ? undefined : symbolsListed(symbols)[symbols.cursor]?.row;
    if (symbols === null || row === undefined) return become(state);
    const key = symbolKey(symbols.path, row.qualifiedName);
    const decisions = markSymbol(review.decisions, key, nextSymbolMark(review, key));
    const problem = decisionsProblem(decisions);
    if (problem !== null) return say(state, "error", `${row.qualifiedName} cannot be marked. ${problem}`);
    const next = withDecisions(review, decisions);
    const mark = symbolMarkOf(next, key);
    const rejected = mark === null || mark === "out" ? null : rejectedFileText(next, symbols.path);
    return withReview(rejected === null ? state : withMessage(state, "info", rejected), next);
  }),
} as const satisfies Reducers;

/** Why a definition that is asked for stays out all the same: its file is rejected. Null if it is not. */
export const rejectedFileText = (review: ReviewState, path: string): string | null =>
  fileMarkOf(review, path) === "rejected"
    ? `Its file is rejected, so nothing of it ships: ${firstKey("mark.accept", "review")} in the list accepts the file.`
    : null;

/** Shows the outline of a file if that file is still open. */
export function outlineLoaded(state: State, path: string, outline: readonly OutlineSymbol[]): Outcome {
  const { review } = state;
  if (review?.symbols?.path !== path) return become(state);
  const rows = symbolRows(review.round, path, outline);
  const cursor = clampIndex(review.symbols.cursor, rows.length);
  return withReview(state, { ...review, symbols: { ...review.symbols, rows, cursor } });
}

/**
 * The outline with what the package shows of each symbol: what it names, and what is inside of that. Symbols of the same name are
 * matched in order.
 */
function symbolRows(round: Round | null, path: string, outline: readonly OutlineSymbol[]): readonly SymbolRow[] {
  const shown = Map.groupBy(
    (round?.package.provenance.symbols ?? []).filter((symbol) => symbol.path === path),
    (symbol) => symbol.qualified_name,
  );
  const file = round?.package.files.find((packed) => packed.path === path);
  const tokens = new Map(
    (file?.symbols ?? []).map((symbol) => [`${symbol.qualified_name}\0${symbol.start_line}`, symbol.tokens]),
  );
  const lines = round === null || file === undefined ? new Set<number>() : shownLines(round.package, file);
  const seen = new Map<string, number>();
  return outline.map((symbol) => {
    const at = seen.get(symbol.qualifiedName) ?? 0;
    seen.set(symbol.qualifiedName, at + 1);
    const found = shown.get(symbol.qualifiedName)?.[at];
    const isInside = found === undefined && isFullyShown(symbol, lines);
    return {
      ...symbol,
      tokens: tokens.get(`${symbol.qualifiedName}\0${symbol.startLine}`) ?? symbol.tokens,
      tier: found?.tier ?? null,
      detail: found?.detail ?? (isInside ? "body" : null),
      why: found?.why ?? (isInside ? "a part of what is shown around it" : ""),
    };
  });
}
