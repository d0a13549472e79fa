/**
 * Reads the present source of a file, of a range of its lines, or of one definition.
 *
 * Definitions are found in the index. Where the file has changed since, their lines are followed through the changes.
 */
import { isAbsolute } from "node:path";
import type { FileRow, KnowledgeBase, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { definitionsTyped, filesTyped, placeTyped, type TypedPlace } from "../../retrieval/anchors/typed-names.ts";
import { leftOutNotices } from "../../retrieval/index-notices.ts";
import { provisionalNotice } from "../../retrieval/model/provisional.ts";
import { nearTarget } from "../../retrieval/refinement/near-target.ts";
import { asDefined } from "../../retrieval/requests/request-names.ts";
import { readFile } from "../../source/files/read-file.ts";
import { decode } from "../../text/decode.ts";
import { lineEdits, splitLines } from "../../text/diff/line-diff.ts";
import { listed } from "../../text/listed.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type IndexedFile, indexedFiles, placesOf } from "./browse-index.ts";

/** Lines are 1-based and inclusive. */
export type SourceLines = { readonly from: number; readonly to: number };

/**
 * "several": `count` places have that name; the `places` that are listed can be asked for. Of a "text", `places` are in tests and have
 * its name. `notices` say which repositories of several could not be asked.
 */
export type SourceFound = { readonly notices: readonly Notice[] } & (
  | {
      readonly kind: "text";
      readonly places: readonly string[];
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
  const named = await namedToday(workspace, what, signal);
  const found = readSource(workspace, named.what, wanted);
  return { ...found, notices: [...named.notices, ...found.notices] };
}

/** The same part of the file of today, if a commit renamed the file. Throws a usage failure for one that a commit deleted. */
async function namedToday(
  workspace: Workspace,
  what: string,
  signal: AbortSignal,
): Promise<{ readonly what: string; readonly notices: readonly Notice[] }> {
  const { formerNotice, formerPathsAmong, pathsTyped } = await import("./former-names.ts");
  const typed = pathsTyped(what);
  const [former] = await formerPathsAmong(workspace, typed.paths, signal);
  if (former === undefined) return { what, notices: [] };
  const notice = formerNotice(former);
  if (former.now === null)
    throw new Failed({ code: "usage", message: noticeSentence(notice), next: "look for what replaced it with search" });
  return { what: typed.withPath(former, former.now), notices: [notice] };
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
  const files = kb.files();
  const fileOf = new Map(files.map((file) => [file.id, file]));
  const place = lineOf(what, files);
  const meta = kb.meta();
  const notices = leftOutNotices(meta);
  const text = (of: string, part: Part, lines = wanted, places: readonly string[] = []): SourceFound => ({
    ...fileText(workspace, kb, of, part, lines, textOf),
    places,
    notices,
  });
  if (place !== null) {
    const { path, from, to } = place;
    if (from === null) return text(path, WHOLE);
    if (wanted === null && to === null && from >= 1) return text(path, { symbol: null, line: from });
    if (wanted === null && to !== null && from >= 1 && from <= to) return text(path, WHOLE, { from, to });
  }
  const best = exactly(what, definitionsTyped(what, kb, files)).map(({ fileId, qualifiedName: name }) => {
    const { path = "", isTest = false } = fileOf.get(fileId) ?? {};
    return { path, name, place: `${path}:${name}`, isTest };
  });
  // A test is called after what it tests, and test data may be copies of sources.
  const sources = best.filter(({ isTest }) => !isTest);
  const [only] = sources.length > 0 ? sources : best;
  if (only === undefined) {
    const first = provisionalNotice(meta);
    throw nothingCalled(what, files, kb, first === null ? notices : [...notices, first]);
  }
  const places = [...new Set(best.map((one) => one.place))];
  if ((sources.length > 0 ? sources : best).every(({ place }) => place === only.place)) {
    const others = places.filter((one) => one !== only.place);
    return text(only.path, { symbol: only.name, line: null }, wanted, others.slice(0, PLACES_MAX));
  }
  return { kind: "several", places: places.slice(0, PLACES_MAX), count: places.length, notices };
}

/** Those whose whole name is the one that is asked for, if there are any: members of others may be called so too. */
function exactly(what: string, rows: readonly SymbolRow[]): readonly SymbolRow[] {
  const asked = [what, asDefined(what)].map((name) => name.slice(name.lastIndexOf(":") + 1));
  const exact = rows.filter(({ qualifiedName }) => asked.includes(qualifiedName));
  return exact.length > 0 ? exact : rows;
}

/** The only file that is meant, and the lines behind its path; null for anything else. */
function lineOf(what: string, files: readonly FileRow[]): TypedPlace | null {
  const found = filesTyped(what, files);
  const [file] = files.filter(({ id }) => id === found[0]);
  if (file === undefined || found.length > 1) return null;
  return file.path === what ? { path: what, from: null, to: null } : { ...placeTyped(what), path: file.path };
}

function nothingCalled(what: string, files: readonly FileRow[], kb: KnowledgeBase, notices: readonly Notice[]): Failed {
  const refused = (why: string, next: string): Failed =>
    new Failed({ code: "usage", message: [why, ...notices.map(noticeSentence)].join("; "), next });
  const folder = slashed(what).replace(/(?<!\/)\/+$/, "");
  const inside = files.flatMap(({ path }) => (path.startsWith(`${folder}/`) ? path : []));
  if (inside.length > 0) return refused(`${folder} is a folder`, `name a file: ${listed(inside, INSIDE_MAX)}`);
  const typed = JSON.stringify(what.slice(0, 200));
  if (isAbsolute(what) || folder.startsWith("../"))
    return refused(`${typed} is not in this repository`, "give a path relative to the repository's root");
  const near = nearTarget(what, kb, files);
  const ways =
    lineOf(what, files) !== null
      ? "name the file alone, and its lines with from and to"
      : near === null
        ? "look for it with search"
        : `did you mean ${near}? Otherwise look for it with search`;
  return refused(`nothing is called ${typed} in the index`, ways);
}

/** A path as the index writes them. */
const slashed = (typed: string): string => typed.replaceAll("\\", "/").replace(/^\.\//, "");

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
  const shown = { from: wanted?.from ?? from, to: Math.min(wanted?.to ?? to, lines.length) };
  const isInside = from <= shown.from && shown.to <= to;
  return {
    ...{ kind: "text" as const, path, language: indexed.language, lines, isChanged: edits.length > 0 },
    ...{ symbol: isInside ? name : null, wanted: shown },
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
