/**
 * Reads the present source of a file, of a range of its lines, or of one definition.
 *
 * Definitions are found in the index. Where the file has changed since, their lines are followed through the changes.
 */
import { isAbsolute } from "node:path";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import { type Notice, noticeSentence } from "../../notice.ts";
import { leftOutNotices } from "../../retrieval/index-notices.ts";
import { isInModule, modulePartsOf } from "../../retrieval/model/module-names.ts";
import { provisionalNotice } from "../../retrieval/model/provisional.ts";
import { asDefined } from "../../retrieval/model/request-names.ts";
import { nearTarget } from "../../retrieval/refinement/near-target.ts";
import { readFile } from "../../source/files/read-file.ts";
import { decode } from "../../text/decode.ts";
import { lineEdits, splitLines } from "../../text/diff/line-diff.ts";
import { listed } from "../../text/listed.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type IndexedFile, type IndexedName, indexedFiles, namesIn, placesOf } from "./browse-index.ts";

/** Lines are 1-based and inclusive. */
export type SourceLines = { readonly from: number; readonly to: number };

/**
 * "several": `count` places have that name; the `places` that are listed can be asked for. `notices` say which repositories of several
 * could not be asked.
 */
export type SourceFound = { readonly notices: readonly Notice[] } & (
  | {
      readonly kind: "text";
      readonly path: string;
      readonly symbol: string | null;
      readonly language: string;
      /** The lines of the whole file, without line ends. */
      readonly lines: readonly string[];
      readonly wanted: SourceLines;
      readonly isChanged: boolean;
    }
  | { readonly kind: "several"; readonly places: readonly string[]; readonly count: number }
);

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const PLACES_MAX = 30;
/** Files of a folder that are named. */
const INSIDE_MAX = 20;
/** Lines of a definition that is shown for one of them: alone, a line says little, and a long class much that was not asked for. */
const AROUND_MIN = 2;
const AROUND_MAX = 200;
/** Lines before and after one that is in no definition. */
const BESIDE = 20;
/** Lines of a file in place of a name, as searches, compilers and web pages write them: `a.go:10`, `a.go:10:3`, `a.go#L10-L20`. */
const LINES = /(?::L?|#L)(\d{1,8})(?:-L?(\d{1,8})|(?:[-:,]\d{1,8}){0,4})$/;

/** The text of a file as it is now, and as it was indexed. Throws a usage failure for one that cannot be shown. */
type TextOf = (workspace: Workspace, path: string, indexed: IndexedFile) => string;

/**
 * Reads from all repositories that are asked, as they were indexed last; where there is no index, from what can be read at once. Throws
 * what `readSource` does, and what opening them does.
 */
export async function readPresent(
  workspace: Workspace,
  what: string,
  wanted: SourceLines | null,
  signal: AbortSignal,
): Promise<SourceFound> {
  const { index, config } = workspace;
  const repos = config.settings["workspace.repos"];
  if (!index.isProvisional() && (repos.length > 0 || !index.exists())) {
    const { readyIndex, wordsAlone } = await import("./ready-index.ts");
    const needs = { refresh: false, quick: true, onRefresh: () => {}, repos, ranks: false };
    await readyIndex(workspace, needs, () => wordsAlone(what), signal);
  }
  return readSource(workspace, what, wanted);
}

/**
 * `what`: a path, `path:name`, a name, or without `wanted` lines such as `path:10-20`; one line stands for the definition around it.
 * `textOf` finds the present text, by default in the work tree. Throws a usage failure when nothing is called so, and `not-indexed`.
 */
export function readSource(
  workspace: Workspace,
  what: string,
  wanted: SourceLines | null,
  textOf: TextOf = presentText,
): SourceFound {
  const kb = workspace.index.open();
  const names = namesIn(kb);
  const files = new Set(names.map(({ path }) => path));
  const path = pathOf(what, files);
  const meta = kb.meta();
  const notices = leftOutNotices(meta);
  const text = (of: string, part: Part, lines = wanted): SourceFound => ({
    ...fileText(workspace, kb, of, part, lines, textOf),
    notices,
  });
  if (path !== null) return text(path, WHOLE);
  const named = linesOf(what, files);
  if (wanted === null && named?.lines) return text(named.path, WHOLE, named.lines);
  if (wanted === null && named?.line) return text(named.path, { symbol: null, line: named.line });
  const parts = modulePartsOf(what);
  const best = [
    ...[what, asDefined(what)].map((spelling) => definitionsCalled(split(spelling, files), names)),
    names.filter(({ path: file, name }) => name !== null && isInModule(parts, name, file)),
  ].find((found) => found.length > 0);
  const [only] = best ?? [];
  if (best === undefined || only === undefined) {
    const first = provisionalNotice(meta);
    throw nothingCalled(what, files, kb, first === null ? notices : [...notices, first]);
  }
  const isSame = best.every((one) => one.path === only.path && one.name === only.name);
  if (isSame) return text(only.path, { symbol: only.name, line: null });
  const places = [...new Set(best.map((one) => `${one.path}:${one.name}`))];
  return { kind: "several", places: places.slice(0, PLACES_MAX), count: places.length, notices };
}

/** The definitions with this name, else those whose qualified name ends in it; without a file, in all files. */
function definitionsCalled(
  [file, name]: readonly [string | null, string],
  names: readonly IndexedName[],
): readonly IndexedName[] {
  const isCalled = (qualified: string): boolean => qualified === name || qualified.endsWith(`.${name}`);
  const found = names.filter((one) => one.name !== null && isCalled(one.name) && (file === null || one.path === file));
  const exact = found.filter((one) => one.name === name);
  return exact.length > 0 ? exact : found;
}

function nothingCalled(
  what: string,
  files: ReadonlySet<string>,
  kb: KnowledgeBase,
  notices: readonly Notice[],
): Failed {
  const refused = (why: string, next: string): Failed =>
    new Failed({ code: "usage", message: [why, ...notices.map(noticeSentence)].join("; "), next });
  const folder = slashed(what).replace(/(?<!\/)\/+$/, "");
  const inside = [...files].filter((path) => path.startsWith(`${folder}/`));
  if (inside.length > 0) return refused(`${folder} is a folder`, `name a file: ${listed(inside, INSIDE_MAX)}`);
  const typed = JSON.stringify(what.slice(0, 200));
  if (isAbsolute(what) || folder.startsWith("../"))
    return refused(`${typed} is not in this repository`, "give a path relative to the repository's root");
  const near = nearTarget(what, kb, kb.files());
  const ways =
    linesOf(what, files) !== null
      ? "name the file alone, and its lines with from and to"
      : near === null
        ? "look for it with search"
        : `did you mean ${near}? Otherwise look for it with search`;
  return refused(`nothing is called ${typed} in the index`, ways);
}

/** A path as the index writes them. */
const slashed = (typed: string): string => typed.replaceAll("\\", "/").replace(/^\.\//, "");

/** The indexed file that is meant: its path, or an end of it that no other has. */
function pathOf(what: string, files: ReadonlySet<string>): string | null {
  const plain = files.has(what) ? what : slashed(what);
  if (files.has(plain)) return plain;
  const ends = [...files].filter((path) => path.endsWith(`/${plain}`));
  return ends.length === 1 ? (ends[0] ?? null) : null;
}

/** The file and the name of `path:name`; no file for a name alone. */
function split(what: string, files: ReadonlySet<string>): readonly [string | null, string] {
  const colon = what.indexOf(":");
  const file = colon === -1 ? null : pathOf(what.slice(0, colon), files);
  return file === null ? [null, what] : [file, what.slice(colon + 1)];
}

/** The file whose lines are meant, and these if they are a range, or the line if it is one; null for anything else. */
function linesOf(
  what: string,
  files: ReadonlySet<string>,
): { readonly path: string; readonly lines: SourceLines | null; readonly line: number | null } | null {
  const found = LINES.exec(what);
  const path = found === null ? null : pathOf(what.slice(0, found.index), files);
  if (found === null || path === null) return null;
  const [, first, last] = found;
  const [from, to] = [Number(first), Number(last)];
  return {
    path,
    lines: from >= 1 && from <= to ? { from, to } : null,
    line: last === undefined && from >= 1 ? from : null,
  };
}

/** The text of the work tree; of what a store has, the text that was pushed. */
function presentText(workspace: Workspace, path: string, indexed: IndexedFile): string {
  const place = placesOf(workspace)(path);
  if (place === null) return indexed.text;
  const read = readFile(place.root, place.path, FILE_BYTES_MAX);
  if (read.kind === "problem") throw notShown(path, read.why);
  const decoded = decode(read.bytes);
  if (decoded.kind === "binary")
    throw new Failed({ code: "usage", message: `${path}: it is not text`, next: "look for other files with search" });
  return workspace.redactor.text(decoded.text);
}

const notShown = (path: string, why: string): Failed =>
  new Failed({ code: "usage", message: `${path}: ${why}`, next: "look for it with search" });

/** What of a file is meant: a definition by its name, what is around a line, or all of it. */
type Part = { readonly symbol: string | null; readonly line: number | null };
const WHOLE: Part = { symbol: null, line: null };

function fileText(
  workspace: Workspace,
  kb: KnowledgeBase,
  path: string,
  { symbol, line }: Part,
  wanted: SourceLines | null,
  textOf: TextOf,
) {
  const [indexed] = indexedFiles(kb, [path]);
  if (indexed === undefined) throw notShown(path, "it is not indexed");
  const lines = splitLines(textOf(workspace, path, indexed));
  const before = splitLines(indexed.text);
  const edits = lineEdits(before, lines);
  const spans = indexed.symbols.map(({ qualifiedName, startLine, endLine }) => ({
    name: qualifiedName,
    ...followed({ from: startLine, to: endLine }, edits, lines.length),
  }));
  const of = symbol !== null ? spanOf(spans, symbol) : line !== null ? aroundLine(spans, line) : null;
  const { name, from, to } = of ?? { name: null, from: 1, to: lines.length };
  return {
    ...{ kind: "text" as const, path, symbol: name, language: indexed.language, lines, isChanged: edits.length > 0 },
    wanted: { from: wanted?.from ?? from, to: Math.min(wanted?.to ?? to, lines.length) },
  };
}

type Span = SourceLines & { readonly name: string | null };

/** From the first to the last line of all that has the name: overloads are several definitions. */
function spanOf(spans: readonly Span[], name: string): Span {
  const named = spans.filter((span) => span.name === name);
  return { name, from: Math.min(...named.map(({ from }) => from)), to: Math.max(...named.map(({ to }) => to)) };
}

/** The innermost definition around a line, else the lines beside it. */
function aroundLine(spans: readonly Span[], line: number): Span {
  const size = ({ from, to }: Span): number => to - from + 1;
  const [innermost] = spans
    .filter((span) => span.from <= line && line <= span.to && size(span) >= AROUND_MIN && size(span) <= AROUND_MAX)
    .toSorted((a, b) => size(a) - size(b));
  return innermost ?? { name: null, from: Math.max(1, line - BESIDE), to: line + BESIDE };
}

/** Where the lines are after the changes; what was added inside of them counts as theirs. */
function followed({ from, to }: SourceLines, edits: ReturnType<typeof lineEdits>, count: number): SourceLines {
  let [start, end] = [from, to];
  for (const { oldAt, oldCount, newCount } of edits) {
    const moved = newCount - oldCount;
    if (oldAt + oldCount < from) start += moved;
    if (oldAt < to) end += moved;
  }
  return { from: Math.max(1, Math.min(start, count)), to: Math.max(1, Math.min(end, count)) };
}
