/**
 * Turns a SCIP index into exact uses: which definition of the repository uses which other one.
 *
 * An index does not say from which contents it was made. A file counts only if every name that the index places in it stands there; an
 * import may have renamed it. So a file that was changed since is left to the resolver.
 */
import { createHash } from "node:crypto";
import type { FileFacts, SymbolFact } from "../../syntax/facts/facts.ts";
import { percentDecoded } from "../../text/percent.ts";
import type { ReferenceEdge } from "../references/resolve-references.ts";
import { type ColumnUnit, openScip, type ScipDocument, type ScipFile } from "./scip-file.ts";
import { isConstructor, isInvented, isLocal, symbolName } from "./symbol-name.ts";

/**
 * A name that a definition uses. `caller` is an index into the symbols of the file's facts. `callee` is what it is there, null if it is
 * nothing in the repository that has a row: then no guess is made for the name.
 */
export type ExactUse = {
  readonly caller: number;
  readonly name: string;
  readonly callee: { readonly path: string; readonly qualifiedName: string } | null;
  readonly kind: ReferenceEdge["kind"];
};

/** All exact uses in one file with this content. */
type ExactFile = { readonly path: string; readonly contentHash: string; readonly uses: readonly ExactUse[] };

/** An indexed file. */
export type IndexedFile = { readonly contentHash: string; readonly text: string; readonly facts: FileFacts };

/** `changed`: files with other contents than were indexed; `unknown`: files that are not in this index. `id` differs if the files do. */
type ExactResult = {
  readonly files: readonly ExactFile[];
  readonly changed: number;
  readonly unknown: number;
  readonly id: string;
};

/** `fileAt` gives an indexed file by its path in the repository. Throws `import-refused` for bytes that are no index. */
export function exactUses(bytes: Uint8Array, fileAt: (path: string) => IndexedFile | null): ExactResult {
  const scip = openScip(bytes);
  const prefix = prefixOf(scip, (path) => fileAt(path) !== null);
  const definitions = new Map<string, Definition>();
  const current = new Map<string, Placed>();
  let [changed, unknown] = [0, 0];
  for (const document of scip.documents()) {
    const path = prefix + document.path;
    const file = fileAt(path);
    if (file === null) {
      unknown += 1;
      continue;
    }
    const placed = placedIn(document, path, file);
    if (placed === null) changed += 1;
    else {
      current.set(path, placed);
      for (const [symbol, found] of definitionsIn(placed)) definitions.set(symbol, found);
    }
  }
  const files = [...current.values()].map((placed) => ({
    path: placed.path,
    contentHash: placed.file.contentHash,
    uses: usesIn(placed, definitions),
  }));
  return { files, changed, unknown, id: idOf(bytes, files) };
}

/** Where the indexed project lies in the repository: the end of its root's path with which most files are found. */
function prefixOf({ projectRoot, paths }: ScipFile, isIndexed: (path: string) => boolean): string {
  const folders = (URL.parse(projectRoot)?.pathname ?? "").split("/").filter((name) => name !== "");
  const sample = [...paths().take(SAMPLE)];
  let best = { prefix: "", found: -1 };
  for (let count = 0; count <= Math.min(folders.length, FOLDERS_MAX); count += 1) {
    const prefix = folders
      .slice(folders.length - count)
      .map((name) => `${percentDecoded(name)}/`)
      .join("");
    const found = sample.filter((path) => isIndexed(prefix + path)).length;
    if (found > best.found) best = { prefix, found };
  }
  return best.prefix;
}

const SAMPLE = 100;
/** A project lies at most so deep in its repository. */
const FOLDERS_MAX = 8;

type Placed = {
  readonly path: string;
  readonly file: IndexedFile;
  /** Occurrences with the text that stands there. */
  readonly names: readonly {
    readonly line: number;
    readonly text: string;
    readonly symbol: string;
    readonly isDefinition: boolean;
  }[];
};

type Definition = { readonly path: string; readonly qualifiedName: string; readonly isType: boolean };

/** The occurrences of a document, null if the file has another content. */
function placedIn(document: ScipDocument, path: string, file: IndexedFile): Placed | null {
  if (document.text !== null && document.text !== file.text) return null;
  const lines = file.text.split("\n");
  const aliases = new Set(file.facts.imports.flatMap(({ names }) => names.flatMap(({ alias }) => alias ?? [])));
  const names: Placed["names"][number][] = [];
  let checked = 0;
  for (const { line, start, end, symbol, isDefinition } of document.occurrences) {
    const text = wordAt(lines[line] ?? "", start, end, document.unit);
    const { name, kind } = symbolName(symbol);
    if (kind !== "other" && !isInvented(name)) {
      if (text !== name && (isDefinition || !aliases.has(text))) return null;
      checked += 1;
    } else if (text === "") return null;
    names.push({ line: line + 1, text, symbol: isLocal(symbol) ? `${path} ${symbol}` : symbol, isDefinition });
  }
  return checked === 0 && document.text === null ? null : { path, file, names };
}

/** The text in a range, "" if it is only a part of a word. */
function wordAt(line: string, start: number, end: number, unit: ColumnUnit): string {
  const [before, text, after] = splitAt(line, start, end, unit);
  const isPart = (TAIL.test(before) && HEAD.test(text)) || (TAIL.test(text) && HEAD.test(after));
  return isPart ? "" : text;
}

const HEAD = /^[\p{L}\p{N}_$]/u;
const TAIL = /[\p{L}\p{N}_$]$/u;

function splitAt(line: string, start: number, end: number, unit: ColumnUnit): readonly [string, string, string] {
  if (unit === "utf8") {
    const bytes = Buffer.from(line);
    const part = (from: number, to?: number): string => bytes.subarray(from, to).toString("utf8");
    return [part(0, start), part(start, end), part(end)];
  }
  const units = unit === "utf16" ? line : [...line];
  const part = (from: number, to?: number): string => {
    const found = units.slice(from, to);
    return typeof found === "string" ? found : found.join("");
  };
  return [part(0, start), part(start, end), part(end)];
}

/** The definitions of a file that have a row, by SCIP symbol. */
function* definitionsIn({ path, file, names }: Placed): Generator<readonly [string, Definition]> {
  const byLine = new Map<number, SymbolFact[]>();
  for (const symbol of file.facts.symbols) byLine.getOrInsertComputed(symbol.nameLine, () => []).push(symbol);
  for (const { line, text, symbol, isDefinition } of names) {
    if (!isDefinition) continue;
    const found = byLine.get(line)?.find(({ name }) => name === text);
    if (found === undefined) continue;
    const owner = found.parent === null ? undefined : file.facts.symbols[found.parent];
    const meant = isConstructor(symbolName(symbol).name) ? (owner ?? found) : found;
    yield [symbol, { path, qualifiedName: meant.qualifiedName, isType: TYPES.has(meant.kind) }];
  }
}

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "enum", "type"]);

function usesIn({ path, file, names }: Placed, definitions: ReadonlyMap<string, Definition>): readonly ExactUse[] {
  const kinds = kindsOf(file.facts);
  const around = enclosing(
    file.facts.symbols,
    names.map(({ line }) => line),
  );
  const found = new Map<string, ExactUse>();
  for (const { line, text, symbol, isDefinition } of names) {
    const caller = isDefinition
      ? null
      : callerAmong(around.get(line) ?? [], file.facts, (at) => kinds.has(`${at} ${text}`));
    if (caller === null) continue;
    const target = definitions.get(symbol);
    const callee = target === undefined ? null : { path: target.path, qualifiedName: target.qualifiedName };
    const isItself =
      callee !== null && callee.path === path && callee.qualifiedName === file.facts.symbols[caller]?.qualifiedName;
    const written = kinds.get(`${caller} ${text}`);
    // A name that the parser does not count as a use matters only where it leads somewhere.
    if (isItself || (callee === null && written === undefined)) continue;
    for (const kind of written ?? [target?.isType === true ? "type" : "use"]) {
      const use: ExactUse = { caller, name: text, callee, kind };
      found.set(JSON.stringify(use), use);
    }
  }
  return [...found.values()];
}

/** How the parser saw each name used in each definition. */
function kindsOf({ references }: FileFacts): ReadonlyMap<string, readonly ExactUse["kind"][]> {
  const kinds = new Map<string, ExactUse["kind"][]>();
  for (const { symbol, name, kind } of references) {
    const list = kinds.getOrInsertComputed(`${symbol} ${name}`, () => []);
    if (!list.includes(kind)) list.push(kind);
  }
  return kinds;
}

/** The symbols around each line, the outermost first. Only the innermost ones count, so that a hostile file costs little. */
function enclosing(symbols: readonly SymbolFact[], lines: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const around = new Map<number, readonly number[]>();
  let open: number[] = [];
  let next = 0;
  for (const line of new Set(lines.toSorted((a, b) => a - b))) {
    // Symbols are sorted by their first lines.
    for (let first = symbols[next]; first !== undefined && first.startLine <= line; first = symbols[next]) {
      open.push(next);
      next += 1;
    }
    open = open.filter((index) => (symbols[index]?.endLine ?? 0) >= line);
    around.set(line, open.slice(-AROUND_MAX));
  }
  return around;
}

const AROUND_MAX = 16;

/**
 * The symbol that a name is used in, of those around its line. Several can stand in one line: then it is the one where the parser saw the
 * name, else the innermost that holds all others or lies in them.
 */
function callerAmong(
  around: readonly number[],
  { symbols }: FileFacts,
  uses: (index: number) => boolean,
): number | null {
  const holds = (outer: number, inner: number): boolean => {
    for (let at: number | null = inner; at !== null && at >= outer; at = symbols[at]?.parent ?? null)
      if (at === outer) return true;
    return false;
  };
  const isPlaced = (index: number): boolean => around.every((other) => holds(index, other) || holds(other, index));
  return around.findLast(uses) ?? around.findLast(isPlaced) ?? null;
}

function idOf(bytes: Uint8Array, files: readonly ExactFile[]): string {
  const hash = createHash("sha256").update(bytes);
  for (const { path, contentHash } of files) hash.update(`\n${JSON.stringify(path)} ${contentHash}`);
  return hash.digest("hex");
}
