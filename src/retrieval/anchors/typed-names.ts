/**
 * Finds what a user or an agent names on purpose, as an argument: files, places in them, and definitions.
 *
 * Arguments are copied from compilers, diffs, web pages, documentation and other tools. All of them are read here, so that every command
 * and tool takes the same names. Words of a task are read with more doubt, in `task`.
 */
import type { FileRow, SymbolQueries, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { percentDecoded } from "../../text/percent.ts";
import { asDefined, symbolParts } from "../requests/request-names.ts";
import { linkedPlace } from "./forge-links.ts";
import { modulePartsOf, mostAgreeing } from "./module-names.ts";
import { indexPaths, isNamed } from "./path-index.ts";

/** A file as typed, without the lines behind it. `from` is null where no line is named, `to` where no range is. */
export type TypedPlace = { readonly path: string; readonly from: number | null; readonly to: number | null };

/** Lines behind a path: `a.go:10`, `a.go:10:3`, `a.go:10-20`, `a.go#L10-L20`. */
const LINES = /(?::L?|#L)(\d{1,8})(?:-L?(\d{1,8})|(?:[-:,]\d{1,8}){0,4})$/;
const WEB = /^https?:\/\//;
const FILE_ADDRESS = /^file:\/\/(?:localhost(?=\/))?(?:\/(?=[A-Za-z]:))?/i;

/** The path in a link to a code host or an address of a file, else the text itself, without the lines behind it. */
export function placeTyped(typed: string): TypedPlace {
  const [end = "", first, last] = LINES.exec(typed) ?? [];
  const written = typed.slice(0, typed.length - end.length);
  const path = WEB.test(typed) ? (linkedPlace(typed)?.path ?? typed) : withoutAddress(written);
  return { path, from: first === undefined ? null : Number(first), to: last === undefined ? null : Number(last) };
}

/** The path in an address of a file; anything else as it is. */
export const withoutAddress = (typed: string): string =>
  FILE_ADDRESS.test(typed) ? percentDecoded(typed.replace(FILE_ADDRESS, "")) : typed;

/** Of a path with the name of a repository before it, at least this many components have to agree. */
const BEHIND_REPOSITORY_MIN = 2;

/**
 * The files of a path, in order of path: of the whole of it, else of its end, as it is written in a diff, a link, with the name of the
 * repository before it, or from the root of a machine.
 */
export function filesTyped(typed: string, files: readonly FileRow[]): readonly number[] {
  const isWhole = (text: string): FileRow | undefined => files.find(({ path }) => path === text);
  const { path } = placeTyped(typed);
  const plain = path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  const whole = isWhole(typed) ?? isWhole(path) ?? isWhole(plain);
  if (whole !== undefined) return [whole.id];
  const match = indexPaths(files).endingLike(path);
  const isBehind = match.whole && match.components >= BEHIND_REPOSITORY_MIN;
  return isBehind || isNamed(path, match) ? match.files : [];
}

/**
 * The definitions of a name, or of `path:name`, in order of path and line: those that are called so, else headings and keys, else those
 * of a module, package or crate whose name stands before theirs.
 */
export function definitionsTyped(
  typed: string,
  kb: Pick<SymbolQueries, "symbolsNamed" | "outlineNamed">,
  files: readonly FileRow[],
): readonly SymbolRow[] {
  const known = new Map(files.map(({ id, path }) => [id, path]));
  const rowsOf = (rows: readonly SymbolRow[]): readonly SymbolRow[] => rows.filter(({ fileId }) => known.has(fileId));
  for (const spelling of new Set([typed, asDefined(typed)])) {
    const { path, name } = symbolParts(spelling, (text) => filesTyped(text, files).length > 0);
    const owners = path === "" ? [] : filesTyped(path, files);
    const whole = (owners.length > 0 ? name : spelling).replaceAll(/::|#/g, ".");
    const isMatch = (row: SymbolRow): boolean =>
      (owners.length === 0 || owners.includes(row.fileId)) &&
      (row.name === whole || row.qualifiedName === whole || row.qualifiedName.endsWith(`.${whole}`));
    // The name of a module of Elixir, a heading or key may contain dots.
    const ends = whole.split(".").map((_, at, parts) => parts.slice(at).join("."));
    const defined = rowsOf(kb.symbolsNamed([...new Set([whole, ends.at(-1) ?? whole])]).filter(isMatch));
    if (defined.length > 0) return defined;
    const outlined = rowsOf(kb.outlineNamed(ends).filter(isMatch));
    if (outlined.length > 0) return outlined;
  }
  const parts = modulePartsOf(typed);
  return mostAgreeing(parts, rowsOf(kb.symbolsNamed(parts.slice(-1))), (id) => known.get(id) ?? "", 1);
}
