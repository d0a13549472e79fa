/** Lists under a filter: the best match first. Lists are immutable, so each is prepared for searching once. */
import { taskTitle } from "../../../present/layout.ts";
import type { SymbolRow, SymbolsState } from "../review-state.ts";
import type { EntryState, SessionRow } from "../state.ts";
import { type Fuzzy, fuzzyOf } from "./fuzzy.ts";

/** A row with the offsets in its name that the filter matched. */
export type Matched<Row> = { readonly row: Row; readonly matched: readonly number[] };

const searches = new WeakMap<readonly unknown[], Fuzzy>();

/** The rows whose names match, all in their order without a query. */
export function matchingRows<Row>(
  rows: readonly Row[],
  query: string,
  nameOf: (row: Row) => string,
): readonly Matched<Row>[] {
  if (query === "") return rows.map((row) => ({ row, matched: [] }));
  const search = searches.get(rows) ?? fuzzyOf(rows.map(nameOf));
  searches.set(rows, search);
  const { indexes, best } = search.ordered(query);
  const places = new Map(best.map(({ index, at }) => [index, at]));
  return indexes.flatMap((index) => {
    const row = rows[index];
    return row === undefined ? [] : [{ row, matched: places.get(index) ?? [] }];
  });
}

/** The symbols that match the filter. */
export const symbolsListed = ({ rows, filter }: SymbolsState): readonly Matched<SymbolRow>[] =>
  matchingRows(rows ?? [], filter.text, ({ qualifiedName }) => qualifiedName);

/** The name that a list shows of a session: the one it was given, or the title of its task. */
export const sessionName = ({ title, task }: SessionRow): string =>
  title ?? (task === null ? "(task text lost)" : taskTitle(task));

/** The sessions that match the filter. */
export const sessionsListed = ({ sessions, filter }: EntryState): readonly Matched<SessionRow>[] =>
  matchingRows(sessions ?? [], filter.text, sessionName);
