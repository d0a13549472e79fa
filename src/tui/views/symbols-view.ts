/**
 * The definitions of one file: what the package shows of each, and the marks on them.
 *
 * `[body]` is a mark of this round, `(body)` one of an earlier round.
 */

import type { SymbolMark } from "../state/decisions.ts";
import { type Matched, symbolsListed } from "../state/filtered-lists.ts";
import { insideOf, symbolRows, windowTop } from "../state/layout.ts";
import { earlierSymbolMark, symbolKey } from "../state/marks.ts";
import type { ReviewState, SymbolRow, SymbolsState } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { counted, shortened } from "../styling/numbers.ts";
import { cut, justified, type Line, line, span, withRole } from "../styling/styled-text.ts";
import { highlighted } from "./matched-letters.ts";
import { type PaneLook, pane, scrollThumb } from "./pane.ts";
import { typedLine } from "./typed-text.ts";

/** The symbols pane, shown instead of the file list. */
export function symbolsPane(state: State, review: ReviewState, symbols: SymbolsState, box: PaneLook): readonly Line[] {
  const inside = insideOf(box);
  const { path, rows, cursor } = symbols;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const title = `Symbols of ${name}`;
  if (rows === null || rows.length === 0)
    return pane(box, { title }, [
      line("dim", rows === null ? "loading" : "This file defines nothing that cra reads. Esc goes back."),
    ]);
  const isFiltering = state.overlay?.is === "filter" && state.overlay.of === "symbols";
  const found = symbolsListed(symbols);
  const listed = symbolRows(inside.rows) - (isFiltering ? 1 : 0);
  const top = windowTop(cursor, found.length, listed);
  const shown = found
    .slice(top, top + listed)
    .map((row, at) => symbolLine(review, path, row, top + at === cursor, inside.columns, box));
  const query = symbols.filter.text;
  const nothing = found.length > 0 ? [] : [line("dim", `No symbol matches "${query}". Esc clears the filter.`)];
  const filled = Array.from({ length: listed }, (_, at) => [...nothing, ...shown][at] ?? []);
  const current = found[cursor]?.row;
  const about: readonly Line[] =
    listed === inside.rows || current === undefined ? [] : aboutSymbol(current, inside.columns, box);
  const count = query === "" ? counted(rows.length, "symbol") : `${found.length} of ${rows.length}`;
  const right = `${query === "" || isFiltering ? "" : `/${query}  `}${count}`;
  return pane(box, { title, right, thumb: scrollThumb(top, found.length, listed) }, [
    ...(isFiltering
      ? [[span("key", "/ "), ...typedLine(symbols.filter, inside.columns - 2, state.look)] satisfies Line]
      : []),
    ...filled,
    ...about,
  ]);
}

function symbolLine(
  review: ReviewState,
  path: string,
  { row, matched }: Matched<SymbolRow>,
  current: boolean,
  columns: number,
  { signs }: PaneLook,
): Line {
  const key = symbolKey(path, row.qualifiedName);
  const mark = review.decisions.symbols.get(key) ?? null;
  const earlier = earlierSymbolMark(review.constraints, key);
  const sign = mark === null ? (earlier === null ? "[    ]" : `(${MARK_LABELS[earlier]})`) : `[${MARK_LABELS[mark]}]`;
  const role = mark === null ? "dim" : mark === "out" ? "bad" : "good";
  const detail = row.detail ?? "-";
  const tokens = row.tokens === null ? "" : shortened(row.tokens);
  const wide = columns >= 60;
  const made = justified(
    [
      span(current ? "accent" : "plain", current ? signs.pointer : " "),
      span(role, sign),
      span("plain", " "),
      ...highlighted(row.qualifiedName, matched, row.detail === null ? "dim" : "plain"),
      span("dim", wide ? `  ${row.kind}` : ""),
    ],
    [
      span("dim", wide ? ` ${String(row.startLine).padStart(6)}` : ""),
      span("dim", ` ${detail.slice(0, wide ? 9 : 4).padEnd(wide ? 9 : 4)}`),
      span("plain", tokens.padStart(6)),
    ],
    columns,
    signs.ellipsis,
  );
  return current ? withRole(made, "cursor") : made;
}

const MARK_LABELS: Readonly<Record<SymbolMark, string>> = {
  body: "body",
  signature: "sign",
  out: "out ",
  missing: "want",
};

function aboutSymbol(row: SymbolRow, columns: number, { signs }: PaneLook): readonly Line[] {
  const lines = row.startLine === row.endLine ? `line ${row.startLine}` : `lines ${row.startLine}-${row.endLine}`;
  const facts = [row.kind, lines, row.detail === null ? "not in the package" : `shown as ${row.detail}`].join(
    signs.dot,
  );
  return [
    [span("border", signs.horizontal.repeat(columns))],
    [span("dim", cut(facts, columns, signs.ellipsis))],
    [span("plain", cut(row.why, columns, signs.ellipsis))],
  ];
}
