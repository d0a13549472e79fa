/**
 * Names changed files, and the symbols around added and deleted lines, for a refinement request.
 *
 * A line is named by the innermost symbol around it, or by the outermost one that is entirely new. The number of names is
 * bounded, because the package shows each of them at any budget: sources come first, then the largest changes.
 */
import type { FileQueries, FileRow, SymbolQueries, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { roleOf } from "../../languages/file-role.ts";
import type { Notice } from "../../notice.ts";
import type { FileChange } from "../../source/revisions/work-tree-diff.ts";
import type { LineDiff } from "../../text/diff/line-diff.ts";
import { inOrder } from "../../text/order.ts";
import { isEntry, repositoryPath } from "../requests/request-names.ts";

/** How many are named. */
const FILES_MAX = 30;
const SYMBOLS_MAX = 60;
const DELETED_MAX = 20;

type Changed = Omit<FileChange, "patches">;

/** `names` are in order of importance; `notices` list changed files that are not among them. */
type ChangedNames = { readonly names: readonly string[]; readonly notices: readonly Notice[] };

/** `indexed` are all files of the index; `isCandidate` is whether a run may select a path. */
export function changedNames(
  changes: readonly Changed[],
  kb: FileQueries & SymbolQueries,
  indexed: readonly FileRow[],
  isCandidate: (path: string) => boolean,
): ChangedNames {
  const files = new Map(indexed.map((file) => [file.path, file]));
  const selectable = changes.filter(({ path }) => isCandidate(path));
  const nameable = selectable.filter(isNameable);
  const unnamed = selectable.filter((change) => !isNameable(change)).map(({ path }) => path);
  const deleted = nameable.filter(({ kind }) => kind === "deleted").map(({ path }) => path);
  const present = nameable.filter(({ kind }) => kind !== "deleted");
  const ranked = present
    .flatMap((change) => {
      const file = files.get(change.path);
      return file === undefined ? [] : [{ change, file, role: roleOf(file), size: sizeOf(change, file) }];
    })
    .sort(
      (a, b) =>
        Number(b.role === "source") - Number(a.role === "source") ||
        b.size - a.size ||
        inOrder(a.change.path, b.change.path),
    );
  const chosen = ranked.slice(0, FILES_MAX);
  const ids = chosen.map(({ file }) => file.id);
  const symbols = Map.groupBy(kb.symbolsIn(ids), ({ fileId }) => fileId);
  const texts = kb.texts(ids);
  const inFiles = chosen.map(({ change, file }) => {
    const own = changedSymbols(symbols.get(file.id) ?? [], change, texts.get(file.id)?.split("\n") ?? []);
    const byName = Map.groupBy(own, ({ symbol }) => `${file.path}:${symbol.qualifiedName}`);
    return [...byName]
      .filter(([name]) => isEntry(name))
      .map(([name, parts]) => ({ name, lines: parts.reduce((sum, { lines }) => sum + lines, 0) }));
  });
  const share = shareOf(inFiles);
  const names = chosen.flatMap(({ file }, at) => {
    const own = inFiles[at] ?? [];
    const most = new Set(own.toSorted((a, b) => b.lines - a.lines).slice(0, share));
    return own.length === 0 ? [file.path] : own.filter((one) => most.has(one)).map(({ name }) => name);
  });
  const others = ranked.slice(FILES_MAX).map(({ change }) => change.path);
  const unread = present.filter(({ path }) => !files.has(path)).map(({ path }) => path);
  return {
    names: [...names, ...deleted.slice(0, DELETED_MAX)],
    notices: [
      ...(others.length === 0 ? [] : [{ code: "changed-left", paths: others, kept: FILES_MAX } as const]),
      ...(unread.length === 0 ? [] : [{ code: "changed-left", paths: unread, kept: null } as const]),
      ...(unnamed.length === 0 ? [] : [{ code: "changed-unnamed", paths: unnamed } as const]),
    ],
  };
}

/** Whether a request can hold the path. */
const isNameable = ({ path }: Changed): boolean => isEntry(path) && repositoryPath(path) === path;

/** The largest number of symbols a file may name so that every file names some within `SYMBOLS_MAX`. */
function shareOf(inFiles: readonly (readonly unknown[])[]): number {
  const taken = (share: number): number => inFiles.reduce((sum, own) => sum + Math.min(own.length, share), 0);
  let share = 1;
  while (share < SYMBOLS_MAX && taken(share + 1) <= SYMBOLS_MAX) share += 1;
  return share;
}

const sizeOf = ({ kind, lines }: Changed, { lineCount }: FileRow): number =>
  lines === null ? (kind === "added" ? lineCount : 0) : linesOf(lines);

const linesOf = ({ added, goneAfter }: LineDiff): number =>
  goneAfter.length + added.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);

/** The changed symbols of a file in source order, each with its number of changed lines. Blank lines do not count. */
function changedSymbols(
  symbols: readonly SymbolRow[],
  { kind, lines }: Changed,
  text: readonly string[],
): readonly { readonly symbol: SymbolRow; readonly lines: number }[] {
  if (kind === "added" && lines === null)
    return symbols.flatMap((symbol) =>
      symbol.parentId === null ? [{ symbol, lines: symbol.endLine - symbol.startLine + 1 }] : [],
    );
  if (lines === null) return [];
  const isNew = ({ startLine, endLine }: SymbolRow): boolean =>
    lines.added.some((range) => range.startLine <= startLine && endLine <= range.endLine);
  const fresh = new Set(symbols.filter(isNew));
  const found = new Map<SymbolRow, number>();
  const name = (holders: readonly SymbolRow[]): void => {
    const parents = new Set(holders.map(({ parentId }) => parentId));
    const symbol = holders.find((holder) => fresh.has(holder)) ?? holders.findLast(({ id }) => !parents.has(id));
    if (symbol !== undefined) found.set(symbol, (found.get(symbol) ?? 0) + 1);
  };
  const addedAround = holdersByLine(symbols);
  for (const { startLine, endLine } of lines.added)
    for (let at = startLine; at <= endLine; at += 1) if (text[at - 1]?.trim() !== "") name(addedAround(at, at));
  const goneAround = holdersByLine(symbols);
  for (const line of lines.goneAfter) name(goneAround(line, line + 1));
  return symbols.flatMap((symbol) => {
    const changed = found.get(symbol);
    return changed === undefined ? [] : [{ symbol, lines: changed }];
  });
}

/** Returns the symbols around two lines, in order. Asked for later and later lines, it looks at each symbol once, and at the open ones. */
function holdersByLine(symbols: readonly SymbolRow[]): (first: number, last: number) => readonly SymbolRow[] {
  const rows = symbols.map((symbol, order) => ({ symbol, order })).sort((a, b) => topOf(a.symbol) - topOf(b.symbol));
  let [next, open] = [0, rows.slice(0, 0)];
  return (first, last) => {
    const begin = next;
    while (next < rows.length && topOf(rows[next]?.symbol ?? NOWHERE) <= first) next += 1;
    if (next > begin) open = [...open, ...rows.slice(begin, next)].sort((a, b) => a.order - b.order);
    open = open.filter(({ symbol }) => symbol.endLine >= first);
    return open.flatMap(({ symbol }) => (symbol.endLine >= last ? [symbol] : []));
  };
}

const NOWHERE = { startLine: Number.POSITIVE_INFINITY, docLine: Number.POSITIVE_INFINITY };

/** The comment above a symbol belongs to it. */
const topOf = ({ startLine, docLine }: Pick<SymbolRow, "startLine" | "docLine">): number =>
  Math.min(startLine, docLine);
