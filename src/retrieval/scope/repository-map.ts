/**
 * The files of a map: what a vague task gets instead of guesses. The files that its words lead to, entry points, and the most
 * central files; and what could be asked instead, in names of this repository.
 */

import type { EdgeQueries, FileQueries, FileRow, SymbolQueries, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { roleOf } from "../../languages/file-role.ts";
import { isOutline, LANGUAGES } from "../../languages/languages.ts";
import { isContainerKind } from "../../syntax/facts/facts.ts";
import { counted } from "../../text/counted.ts";
import { inOrder } from "../../text/order.ts";
import { isEntryPath } from "../ranking/signals/entry-point.ts";
import { byCentrality, type CentralFile } from "./central-files.ts";
import { declaredEntries } from "./declared-entries.ts";

const CLOSEST_MAX = 3;
const ENTRIES_MAX = 4;
const CENTRAL_MAX = 12;
const SYMBOLS_PER_FILE_MAX = 6;
/** Of all signatures together. A line for each costs more with its documentation. */
const SIGNATURE_TOKENS_MAX = 1_000;
const SIGNATURE_TOKENS_MIN = 30;
/** Suggestions of each kind. */
const ASKED_MAX = 3;

/** A file, and why it is on the map. */
type MapFile = { readonly file: FileRow; readonly relation: string };

/**
 * The files in their order; `best` are the ids of files that match the task's words, best first. A question about the whole repository is
 * answered first by what the repository says of itself.
 */
export function mapFiles(
  kb: EdgeQueries & FileQueries,
  files: readonly FileRow[],
  best: readonly number[],
  isOfTheWhole: boolean,
): readonly MapFile[] {
  const byId = new Map(files.map((file) => [file.id, file]));
  const sources = files.filter(isSource);
  const central = byCentrality(kb, sources.length > 0 ? sources : files.filter(({ isTest }) => !isTest));
  const used = central.filter(({ users }) => users > 0);
  const closest = best.slice(0, CLOSEST_MAX).flatMap((id) => byId.get(id) ?? []);
  const found = new Map<number, MapFile>();
  const add = (file: FileRow, relation: string): void => {
    if (!found.has(file.id)) found.set(file.id, { file, relation });
  };
  const readme = files.find(({ path }) => README.test(path));
  if (isOfTheWhole && readme !== undefined) add(readme, "what the repository says of itself");
  for (const file of closest) add(file, "matches the task's words best");
  for (const file of entryPoints(kb, files, central).slice(0, ENTRIES_MAX)) add(file, "an entry point");
  for (const { file, users } of (used.length > 0 ? used : central).slice(0, CENTRAL_MAX))
    add(file, users === 0 ? "one of the first files" : `used by ${counted(users, "file")}`);
  return [...found.values()];
}

const README = /^readme(?:\.(?:md|markdown|rst|adoc|txt))?$/i;

/** Those that are declared; in languages that declare none, those that have the name of one, from the top of the tree down. */
function entryPoints(kb: FileQueries, files: readonly FileRow[], central: readonly CentralFile[]): readonly FileRow[] {
  const declared = declaredEntries(
    kb,
    files,
    central.map(({ file }) => file),
  );
  // A page of a program that declares its beginning, such as an `index.html`, is not another one.
  const families = new Set(declared.length === 0 ? [] : [...declared.map(familyOf), NO_FAMILY]);
  const named = central.map(({ file }) => file).filter((file) => isDoor(file) && !families.has(familyOf(file)));
  return [...declared, ...named.sort((a, b) => depth(a) - depth(b))];
}

const NO_FAMILY = "none";
const familyOf = ({ language }: FileRow): string => LANGUAGES.get(language)?.imports ?? NO_FAMILY;

/** The root of a crate, and what `python -m` runs, are where a reader begins, though they say little of a task. */
const isDoor = ({ path }: FileRow): boolean => isEntryPath(path) || /(?:^|\/)(?:lib\.rs|__main__\.py)$/.test(path);

const isSource = (file: FileRow): boolean => roleOf(file) === "source" && !isOutline(file.language);

const depth = ({ path }: FileRow): number => path.split("/").length;

/** The definitions on the map: of each file those that are used most, in the order of the files. */
export function mapSymbols(
  kb: Pick<EdgeQueries, "referencesTo">,
  symbols: readonly SymbolRow[],
  fileIds: readonly number[],
): readonly SymbolRow[] {
  const byFile = Map.groupBy(symbols, ({ fileId }) => fileId);
  const outer = new Map(fileIds.map((id) => [id, topLevel(byFile.get(id) ?? [])]));
  const uses = Map.groupBy(kb.referencesTo([...outer.values()].flat().map(({ id }) => id)), ({ callee }) => callee);
  const usesOf = ({ id }: SymbolRow): number => uses.get(id)?.length ?? 0;
  const rounds = fileIds.flatMap((id, place) =>
    (outer.get(id) ?? [])
      .toSorted((a, b) => usesOf(b) - usesOf(a) || a.startLine - b.startLine)
      .slice(0, SYMBOLS_PER_FILE_MAX)
      .map((symbol, round) => ({ symbol, round, place })),
  );
  let left = SIGNATURE_TOKENS_MAX;
  // The first of every file, then the second of every file: no file takes the tokens of those behind it.
  const chosen = rounds
    .toSorted((a, b) => a.round - b.round || a.place - b.place)
    .filter(({ symbol }) => {
      const tokens = Math.max(SIGNATURE_TOKENS_MIN, symbol.signatureTokens);
      if (tokens > left) return false;
      left -= tokens;
      return true;
    });
  return chosen.sort((a, b) => a.place - b.place || a.round - b.round).map(({ symbol }) => symbol);
}

/**
 * The outermost functions and types that are exported; else members of an exported object (`res.send = function`), which are
 * outside of any definition too; else the functions and types that are not exported; else other definitions.
 */
function topLevel(own: readonly SymbolRow[]): readonly SymbolRow[] {
  const outer = withoutNamespaces(own);
  const main = outer.filter(({ kind }) => kind === "function" || isContainerKind(kind));
  const exported = main.filter((symbol) => symbol.exported);
  const members = outer.filter((symbol) => symbol.exported && symbol.kind === "method");
  return [exported, members, main].find(({ length }) => length > 0) ?? outer;
}

/** Deeper namespaces are shown by their names. */
const NAMESPACE_DEPTH_MAX = 8;

/** The outermost definitions; in place of a namespace, and of a class around one as in Ruby, what it holds. */
function withoutNamespaces(own: readonly SymbolRow[]): readonly SymbolRow[] {
  const inside = Map.groupBy(own, ({ parentId }) => parentId);
  const opened = (symbol: SymbolRow, depth: number): readonly SymbolRow[] => {
    const held = inside.get(symbol.id) ?? [];
    const isOpen = held.length > 0 && [symbol, ...held].some(({ kind }) => kind === "namespace");
    return isOpen && depth < NAMESPACE_DEPTH_MAX ? held.flatMap((one) => opened(one, depth + 1)) : [symbol];
  };
  return (inside.get(null) ?? []).flatMap((symbol) => opened(symbol, 0));
}

/** Names to ask about: domains and modules that enrichment knows, else folders; files; and definitions. */
export function suggestions(
  kb: FileQueries & SymbolQueries & EdgeQueries,
  files: readonly FileRow[],
  map: readonly MapFile[],
): readonly string[] {
  const topics = kb.fileMetadata().flatMap(({ domain, module }) => [domain, module].filter((name) => name !== null));
  const folders = files
    .filter((file) => isSource(file) && file.path.includes("/"))
    .map(({ path }) => path.slice(0, path.lastIndexOf("/")));
  const sources = map.filter(({ file }) => isSource(file));
  // A benchmark or an old post that has a word of the task leads nowhere.
  const asked = sources.length > 0 ? sources : map;
  const ids = asked.map(({ file }) => file.id);
  const best = [...Map.groupBy(mapSymbols(kb, kb.symbolsIn(ids), ids), ({ fileId }) => fileId).values()];
  const named = best.flatMap(([first]) => (first === undefined ? [] : [first.name]));
  return [
    ...commonest(topics.length > 0 ? topics : folders).slice(0, ASKED_MAX),
    ...asked.slice(0, ASKED_MAX).map(({ file }) => file.path),
    ...[...new Set(named)].slice(0, ASKED_MAX),
  ];
}

function commonest(names: readonly string[]): readonly string[] {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => ({ name, length }));
  return counts.toSorted((a, b) => b.length - a.length || inOrder(a.name, b.name)).map(({ name }) => name);
}
