/**
 * The symbols of one file: what the package does about each, and the switch between body, signature and out.
 *
 * Pure. Not here: how a wish becomes part of a request (`refinement-request.ts`).
 */
import { markSymbol } from "../state/decisions.ts";
import { clampIndex } from "../state/file-list.ts";
import { nextSymbolMark, symbolKey } from "../state/marks.ts";
import { decisionsProblem } from "../state/refinement-request.ts";
import { currentFile, type OutlineSymbol, type Round, type State, type SymbolRow } from "../state/state.ts";
import { become, type Outcome, type Reducers, withMessage } from "./reducer.ts";
import { inReview, withDecisions, withReview } from "./review.ts";

export const SYMBOLS_REDUCERS = {
  "symbols.open": inReview((review, state) => {
    const file = currentFile(review);
    if (file === null) return become(withMessage(state, "info", "No file is chosen."));
    return become(
      { ...state, review: { ...review, symbols: { path: file.path, rows: null, cursor: 0 } } },
      { do: "load-outline", path: file.path },
    );
  }),

  "symbol.cycle": inReview((review, state) => {
    const { symbols } = review;
    const row = symbols?.rows?.[symbols.cursor];
    if (symbols === null || row === undefined) return become(state);
    const key = symbolKey(symbols.path, row.qualifiedName);
    const decisions = markSymbol(review.decisions, key, nextSymbolMark(review, key));
    const problem = decisionsProblem(decisions);
    return problem === null
      ? withReview(state, withDecisions(review, decisions))
      : become(withMessage(state, "error", `${row.qualifiedName} cannot be marked. ${problem}`));
  }),
} as const satisfies Reducers;

/** The outline of a file has come; a file that is no longer open keeps none. */
export function outlineLoaded(state: State, path: string, outline: readonly OutlineSymbol[]): Outcome {
  const { review } = state;
  if (review?.symbols?.path !== path) return become(state);
  const rows = symbolRows(review.round, path, outline);
  const cursor = clampIndex(review.symbols.cursor, rows.length);
  return withReview(state, { ...review, symbols: { path, rows, cursor } });
}

/** The outline with what the package does about each symbol. Of two with one name the first is taken for the first. */
function symbolRows(round: Round | null, path: string, outline: readonly OutlineSymbol[]): readonly SymbolRow[] {
  const shown = Map.groupBy(
    (round?.package.provenance.symbols ?? []).filter((symbol) => symbol.path === path),
    (symbol) => symbol.qualified_name,
  );
  const tokens = new Map(
    (round?.package.files.find((file) => file.path === path)?.symbols ?? []).map((symbol) => [
      `${symbol.qualified_name}\0${symbol.start_line}`,
      symbol.tokens,
    ]),
  );
  const taken = new Map<string, number>();
  return outline.map((symbol) => {
    const at = taken.get(symbol.qualifiedName) ?? 0;
    taken.set(symbol.qualifiedName, at + 1);
    const found = shown.get(symbol.qualifiedName)?.[at];
    return {
      ...symbol,
      tokens: tokens.get(`${symbol.qualifiedName}\0${symbol.startLine}`) ?? symbol.tokens,
      tier: found?.tier ?? null,
      detail: found?.detail ?? null,
      why: found?.why ?? "",
    };
  });
}
