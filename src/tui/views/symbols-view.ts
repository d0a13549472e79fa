/**
 * The definitions of one file: what the package shows of each, and the marks on them.
 *
 * `[body]` is a mark of this round, `(body)` one of an earlier round.
 */

import { nameOf } from "../../text/repo-path.ts";
import type { SymbolMark } from "../state/decisions.ts";
import { insideOf, rowsAbove, symbolRows, windowTop } from "../state/layout/layout.ts";
import { type Matched, symbolsListed } from "../state/lists/filtered-lists.ts";
import { earlierSymbolMark, symbolKey } from "../state/marks.ts";
import type { ReviewState, SymbolRow, SymbolsState } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { counted, shortened } from "../styling/numbers.ts";
import { cut, justified, keepEnd, type Line, line, lineColumns, span, withRole } from "../styling/styled-text.ts";
import { highlighted } from "./matched-letters.ts";
import { type PaneLook, pane, scrollThumb } from "./pane.ts";
import { typedLine } from "./typed-text.ts";

/** The symbols pane, shown instead of the file list. */
export function symbolsPane(state: State, review: ReviewState, symbols: SymbolsState, box: PaneLook): readonly Line[] {
  const inside = insideOf(box);
  const { path, rows, cursor } = symbols;
  const name = nameOf(path);
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
  const headings = rowsAbove(inside.rows, false) > 0 ? [symbolHeadings(inside.columns, box)] : [];
  const above: readonly Line[] = [
    ...(isFiltering ? [[span("key", "/ "), ...typedLine(symbols.filter, inside.columns - 2, state.look)]] : []),
    ...headings,
  ];
  return pane(box, { title, right, thumb: scrollThumb(top, found.length, listed, above.length) }, [
    ...above,
    ...filled,
    ...about,
  ]);
}

/** The inner width from which a symbol has its kind, its line, and what ships of it in whole words. */
const WIDE_COLUMNS = 60;
const LINE_COLUMNS = 6;
const SHOWS_COLUMNS = { wide: 9, narrow: 5 } as const;
const TOKENS_COLUMNS = 6;

function symbolHeadings(columns: number, { signs }: PaneLook): Line {
  const wide = columns >= WIDE_COLUMNS;
  const left = `${" ".repeat(MARK_COLUMNS)}symbol`;
  const right = [
    ...(wide ? ["line".padStart(LINE_COLUMNS)] : []),
    "shows".padEnd(wide ? SHOWS_COLUMNS.wide : SHOWS_COLUMNS.narrow),
    "tokens".padStart(TOKENS_COLUMNS),
  ].join(" ");
  return withRole(justified([span("plain", left)], [span("plain", ` ${right}`)], columns, signs.ellipsis), "heading");
}

/** The pointer, the mark and the blank behind it. */
const MARK_COLUMNS = 8;

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
  const tokens = row.tokens === null ? "" : shortened(row.tokens);
  const wide = columns >= WIDE_COLUMNS;
  const shows = row.detail ?? (wide ? "left out" : "-");
  const room = wide ? SHOWS_COLUMNS.wide : SHOWS_COLUMNS.narrow;
  const right = [
    span("dim", wide ? ` ${String(row.startLine).padStart(LINE_COLUMNS)}` : ""),
    span("dim", ` ${(wide ? shows : shows.slice(0, 4)).padEnd(room)}`),
    span("plain", ` ${tokens.padStart(TOKENS_COLUMNS)}`),
  ];
  const names = columns - MARK_COLUMNS - lineColumns(right) - 1;
  const label = highlighted(row.qualifiedName, matched, row.detail === null ? "dim" : "plain");
  const kind = span("dim", `  ${row.kind}`);
  const hasKind = wide && lineColumns([...label, kind]) <= names;
  const made = justified(
    [
      span(current ? "accent" : "plain", current ? signs.pointer : " "),
      span(role, sign),
      span("plain", " "),
      ...keepEnd(label, names, signs.ellipsis),
      ...(hasKind ? [kind] : []),
    ],
    right,
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
