/**
 * A context package as Markdown: the format for people, and the text that the budget bounds.
 *
 * Pure: the package in, text out. Sections: the task, primary context (files by rank), test
 * expectations, dependency map, what was learned before. Within a file come the primary symbols in source order, then the
 * signatures that support them, then types. `⋮ line N` marks where a run of lines starts.
 */
import { fenceName } from "../../languages/languages.ts";
import { fenced, inlineCode, pathCode, pathText, plain } from "../../text/markdown.ts";
import type { ContextPackage, FileJson, SymbolJson } from "../model/package-schema.ts";
import { learnedOf } from "./memory-section.ts";
import { quotedTask } from "./task-markdown.ts";

/** The whole package. Ends with a newline. */
export function renderMarkdown(pkg: ContextPackage): string {
  const parts = [
    `## Task\n${taskOf(pkg)}`,
    section("## Primary Context", contextOf(pkg, { types: true })),
    section("## Test Expectations", testsOf(pkg)),
    section("## Dependency Map", dependencyMap(pkg)),
    section("## What was learned before", learnedOf(pkg)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The task's text as shown: cut when it is long, fenced when it would act as Markdown. */
export const taskOf = (pkg: ContextPackage): string =>
  quotedTask(pkg.provenance.task_cut ?? pkg.task_query.raw_description);

const section = (title: string, body: string): string => (body === "" ? "" : `${title}\n${body}`);

/** The files that are not tests. `types: false` leaves type context out, for templates that show it apart. */
export function contextOf(pkg: ContextPackage, { types }: { readonly types: boolean }): string {
  const edges = edgesShown(pkg);
  return pkg.files
    .filter((file) => file.test_assertions === null)
    .map((file) => contextFile(file, edges, blankLines(pkg, file), types))
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Type context of every file, for templates that show it apart. */
export function typesOf(pkg: ContextPackage): string {
  return pkg.files
    .filter((file) => file.test_assertions === null && file.symbols.some(isType))
    .map((file) => `${heading(file, ", type context")}\n${typeBlock(file)}`)
    .join("\n\n");
}

/** Test files: bodies where they fit, else their assertions. */
export function testsOf(pkg: ContextPackage): string {
  return pkg.files
    .filter((file) => file.test_assertions !== null)
    .map((file) => [heading(file, ""), ...textOf(testParts(file, blankLines(pkg, file)), file)].join("\n"))
    .join("\n\n");
}

function testParts(file: FileJson, blank: readonly number[]): readonly Part[] {
  const assertions = file.test_assertions ?? [];
  const isListed = ({ body, name }: SymbolJson): boolean =>
    body === null && assertions.some((line) => line.startsWith(`${name}: `));
  const primaries = file.symbols.filter((symbol) => symbol.relevance === "primary" && !isListed(symbol));
  const bullets = file.symbols.filter(isListed).map((symbol) => assertionBullet(symbol.name, assertions));
  const listed = assertions.filter((line) => file.symbols.some(({ name }) => line.startsWith(`${name}: `)));
  return [
    mainCode(file, primaries, blank),
    prosePart("assertions", null, bullets, bullets.length === 0 ? [] : listed),
  ].filter(isFilled);
}

/** Edges between included files, one a line. */
export function dependencyMap(pkg: ContextPackage): string {
  return edgesShown(pkg)
    .map(([from, to]) => `${pathText(from)} → ${pathText(to)}`)
    .join("\n");
}

export const edgesShown = (pkg: ContextPackage): ContextPackage["dependency_edges"] =>
  pkg.dependency_edges.slice(0, pkg.provenance.edges_shown);

const blankLines = (pkg: ContextPackage, { path }: FileJson): readonly number[] =>
  pkg.provenance.files.find((file) => file.path === path)?.blank_lines ?? NO_LINES;

function contextFile(
  file: FileJson,
  edges: ContextPackage["dependency_edges"],
  blank: readonly number[],
  types: boolean,
): string {
  const hasPrimary = file.snippets.length > 0 || file.symbols.some((symbol) => symbol.relevance === "primary");
  const hasSupport = file.symbols.some((symbol) => symbol.relevance === "supporting");
  if (!types && !hasPrimary && !hasSupport && file.symbols.length > 0) return "";
  const label = hasPrimary ? "" : hasSupport ? ", supporting" : file.symbols.some(isType) ? ", type context" : "";
  return [heading(file, label), ...textOf(contextParts(file, edges, blank, types), file)].join("\n");
}

function contextParts(
  file: FileJson,
  edges: ContextPackage["dependency_edges"],
  blank: readonly number[],
  types: boolean,
): readonly Part[] {
  const primaries = file.symbols.filter((symbol) => symbol.relevance === "primary");
  const support = file.symbols.filter((symbol) => symbol.relevance === "supporting");
  const hasPrimary = file.snippets.length > 0 || primaries.length > 0;
  const targets = edges.filter(([from]) => from === file.path).map(([, to]) => pathCode(to));
  const reasons = file.rationale_comments.filter((comment) => !standsIn(file, comment));
  return [
    mainCode(file, primaries, blank),
    codePart(
      "supporting",
      hasPrimary ? "Supporting:" : null,
      support.map((symbol) => ({ line: null, text: signatureLine(symbol) })),
    ),
    codePart("types", hasPrimary || support.length > 0 ? "Types:" : null, types ? typeRows(file) : []),
    prosePart(
      "why",
      "Why:",
      reasons.map((line) => `- ${plain(line)}`),
      reasons,
    ),
    prosePart("edges", null, targets.length > 0 && hasPrimary ? [`**Depends on**: ${targets.join(", ")}`] : [], []),
  ].filter(isFilled);
}

/** What the text shows of a file below its heading, line by line; titles stand for themselves. */
export const fileRows = (pkg: ContextPackage, file: FileJson): readonly CodeRow[] =>
  partsOf(pkg, file).flatMap(({ title, rows }) => [...(title === null ? [] : [{ line: null, text: title }]), ...rows]);

const partsOf = (pkg: ContextPackage, file: FileJson): readonly Part[] =>
  file.test_assertions === null
    ? contextParts(file, edgesShown(pkg), blankLines(pkg, file), true)
    : testParts(file, blankLines(pkg, file));

/** The same for formats that are no Markdown: by part, as it is. Edges are told apart (`edgesShown`). */
export const plainParts = (pkg: ContextPackage, file: FileJson): readonly { name: PartName; text: string }[] =>
  partsOf(pkg, file).flatMap(({ name, plain: text }) => (text === "" ? [] : [{ name, text }]));

export type PartName = "code" | "supporting" | "types" | "why" | "edges" | "assertions";

/** A stretch of a file's section. `text` is that of its rows; code is fenced. `plain` is without anything that only Markdown wants. */
type Part = {
  readonly name: PartName;
  readonly title: string | null;
  readonly rows: readonly CodeRow[];
  readonly text: string;
  readonly isCode: boolean;
  readonly plain: string;
};

function codePart(name: PartName, title: string | null, rows: readonly CodeRow[]): Part {
  const text = textOfRows(rows);
  return { name, title, rows, text, isCode: true, plain: text };
}

/** One package is rendered more than once: as Markdown and as a prompt to be counted, and what of it is printed. */
const knownCode = new WeakMap<FileJson, { readonly blank: readonly number[]; readonly part: Part }>();

/** A file's code but for its types; `primaries` and `blank` are those of the file, in its package. */
function mainCode(file: FileJson, primaries: readonly SymbolJson[], blank: readonly number[]): Part {
  const known = knownCode.get(file);
  if (known?.blank === blank) return known.part;
  const part = codePart("code", null, codeRows(primaries, file.snippets, new Set(blank)));
  knownCode.set(file, { blank, part });
  return part;
}

const prosePart = (
  name: PartName,
  title: string | null,
  lines: readonly string[],
  plainLines: readonly string[],
): Part => ({
  name,
  title,
  rows: lines.map((text) => ({ line: null, text })),
  text: lines.join("\n"),
  isCode: false,
  plain: plainLines.join("\n"),
});
const isFilled = ({ text }: Part): boolean => text !== "";

const textOf = (parts: readonly Part[], file: FileJson): readonly string[] =>
  parts.flatMap(({ title, text, isCode }) => [
    ...(title === null ? [] : [title]),
    isCode ? fenced(text, fence(file)) : text,
  ]);

/** Whether a comment (`line 12: …`) is among the lines that are shown anyway. */
function standsIn({ symbols, snippets }: FileJson, comment: string): boolean {
  const line = Number(/^line (\d+): /.exec(comment)?.[1] ?? 0);
  return (
    symbols.some((symbol) => symbol.body !== null && bodyStart(symbol) <= line && line <= symbol.end_line) ||
    snippets.some(({ start_line, end_line }) => start_line <= line && line <= end_line)
  );
}

const heading = (file: FileJson, label: string): string =>
  `### ${pathText(file.path)} (rank #${file.relevance_rank}${label})`;
const isType = (symbol: SymbolJson): boolean => symbol.relevance === "type_context";
const fence = (file: FileJson): string => fenceName(file.language);

const typeRows = (file: FileJson): readonly CodeRow[] => codeRows(file.symbols.filter(isType), [], new Set());
const typeBlock = (file: FileJson): string => fenced(textOfRows(typeRows(file)), fence(file));

const NO_LINES: readonly number[] = [];

/** One line of source, or a signature that stands for a whole symbol. */
type Row = { readonly line: number; readonly text: string; readonly whole: boolean };

const textOfRows = (rows: readonly CodeRow[]): string => rows.map(({ text }) => text).join("\n");

/** A line of shown code with its number in the file; null for what stands for lines, or says where they are. */
type CodeRow = { readonly line: number | null; readonly text: string };

/** Code as it is shown: bodies and snippets merged by line, signatures where only they are in. */
function codeRows(
  symbols: readonly SymbolJson[],
  snippets: FileJson["snippets"],
  blank: ReadonlySet<number>,
): readonly CodeRow[] {
  const rows = new Map<number, Row>();
  const add = (start: number, text: string): void => {
    for (const [offset, line] of text.split("\n").entries()) {
      // Where a line is there twice, one of them may be cut.
      const known = rows.get(start + offset);
      if (known === undefined || known.text.length < line.length)
        rows.set(start + offset, { line: start + offset, text: line, whole: true });
    }
  };
  const starts = symbols.map(bodyStart);
  for (const [index, symbol] of symbols.entries()) if (symbol.body !== null) add(starts[index] ?? 0, symbol.body);
  for (const snippet of snippets) add(snippet.start_line, snippet.text);
  const signatures = symbols
    .filter((symbol) => symbol.body === null && !rows.has(symbol.start_line))
    .map((symbol) => ({ line: symbol.start_line, text: signatureLine(symbol), whole: false }));
  const out: CodeRow[] = [];
  let previous = 0;
  for (const row of [...rows.values(), ...signatures].sort(
    (a, b) => a.line - b.line || Number(a.whole) - Number(b.whole),
  )) {
    if (row.whole && row.line !== previous + 1) out.push(...join(previous, row.line, symbols, starts, blank));
    out.push({ line: row.whole ? row.line : null, text: row.text });
    previous = row.whole ? row.line : -1;
  }
  return out;
}

/** What stands between two runs of lines (`starts` are where the symbols' bodies begin): the blank lines that are there, or a marker of where the next run starts. */
function join(
  previous: number,
  line: number,
  symbols: readonly SymbolJson[],
  starts: readonly number[],
  blank: ReadonlySet<number>,
): readonly CodeRow[] {
  const isBlank = previous > 0 && blank.has(previous + 1);
  const gap = isBlank ? Array.from({ length: line - previous - 1 }, (_, at) => previous + 1 + at) : [];
  if (isBlank && gap.every((at) => blank.has(at))) return gap.map((at) => ({ line: at, text: "" }));
  const first = symbols[starts.indexOf(line)];
  const around = symbols.findLast((symbol) => symbol.start_line < line && line <= symbol.end_line);
  const owner = first ? parentName(first) : (around?.qualified_name ?? "");
  return [{ line: null, text: `⋮ line ${line}${owner === "" ? "" : `, in ${owner}`}` }];
}

/** A body may begin above the symbol's own first line, with its documentation. */
const bodyStart = ({ body, start_line, end_line }: SymbolJson): number =>
  body === null ? start_line : end_line - lineFeedsIn(body);

function lineFeedsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const parentName = (symbol: SymbolJson): string => {
  const end = symbol.qualified_name.lastIndexOf(".");
  return end > 0 ? symbol.qualified_name.slice(0, end) : "";
};

/** `def f(x) ⋮ line 12, in Owner: what it does`. */
function signatureLine(symbol: SymbolJson): string {
  const owner = parentName(symbol);
  const summary =
    symbol.docstring === null ? "" : (symbol.docstring.split("\n").find((line) => line.trim() !== "") ?? "").trim();
  return `${symbol.signature} ⋮ line ${symbol.start_line}${owner === "" ? "" : `, in ${owner}`}${summary === "" ? "" : `: ${summary}`}`;
}

/** The assertions of one test as a list item: ``- `test_x`: asserts `a` and `b` ``. */
function assertionBullet(test: string, assertions: readonly string[]): string {
  const prefix = `${test}: `;
  const own = assertions.filter((line) => line.startsWith(prefix)).map((line) => inlineCode(line.slice(prefix.length)));
  return `- ${inlineCode(test)}: asserts ${own.join(" and ")}`;
}
