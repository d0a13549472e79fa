/**
 * The parts of a file's section in a package, in the order in which formats show them: code, supporting signatures, types,
 * reasons, dependencies, and for test files assertions.
 */
import { hasOuterUnderscore, inlineCode, lineOfProse, pathCode, plain } from "../../text/markdown.ts";
import type { ContextPackage, FileJson, SymbolJson } from "../model/package-schema.ts";
import { assertionsByLabel, labelledAssertion, testLabels } from "../model/test-labels.ts";
import { bodyStart, type CodeRow, codeRows, signatureLine, textOfRows } from "./code-rows.ts";

export type PartName = "reason" | "code" | "supporting" | "types" | "why" | "edges" | "assertions";

/** `text` is the text of the rows without fences; `plain` is the text without Markdown. */
type Part = {
  readonly name: PartName;
  readonly title: string | null;
  readonly rows: readonly CodeRow[];
  readonly text: string;
  readonly isCode: boolean;
  readonly plain: string;
};

/** The edges that the text shows. */
export const edgesShown = (pkg: ContextPackage): ContextPackage["dependency_edges"] =>
  pkg.dependency_edges.slice(0, pkg.provenance.edges_shown);

/** The mark of a cut list of edges. A list of which nothing is shown has none. */
export function edgesLeftOut(pkg: ContextPackage): readonly string[] {
  const { edges_shown: shown } = pkg.provenance;
  const left = pkg.dependency_edges.length - shown;
  return shown > 0 && left > 0 ? [`and ${left} more`] : [];
}

const blankLines = (pkg: ContextPackage, { path }: FileJson): readonly number[] =>
  pkg.provenance.files.find((file) => file.path === path)?.blank_lines ?? NO_LINES;

const NO_LINES: readonly number[] = [];

/** `types: false` leaves type context out, for templates that show it separately. */
export const fileParts = (pkg: ContextPackage, file: FileJson, { types } = { types: true }): readonly Part[] => [
  ...reasonPart(file),
  ...(file.test_assertions === null ? contextParts(file, pkg, types) : testParts(file, blankLines(pkg, file))),
];

/** Why a file is in the package, as a line under its heading. */
export const reasonLine = (reason: string): string =>
  lineOfProse(`Reason: ${reason.includes("`") ? reason : reason.replaceAll(/[^\s;,"]+/g, asCode)}`);

/** A name such as `__init__` as code. */
const asCode = (word: string): string => (hasOuterUnderscore(word) ? `\`${word}\`` : word);

const reasonPart = ({ reason }: FileJson): readonly Part[] =>
  reason === null ? [] : [prosePart("reason", null, [reasonLine(reason)], [reason])];

/** The rows of a file below its heading, titles included. */
export const fileRows = (pkg: ContextPackage, file: FileJson): readonly CodeRow[] =>
  fileParts(pkg, file).flatMap(({ title, rows }) => [
    ...(title === null ? [] : [{ line: null, text: title }]),
    ...rows,
  ]);

/** The parts for formats other than Markdown, which show edges separately (`edgesShown`). */
export const plainParts = (pkg: ContextPackage, file: FileJson): readonly { name: PartName; text: string }[] =>
  fileParts(pkg, file).flatMap(({ name, plain: text }) => (text === "" ? [] : [{ name, text }]));

function testParts(file: FileJson, blank: readonly number[]): readonly Part[] {
  const labels = testLabels(file.symbols);
  const asserted = assertionsByLabel(file.test_assertions ?? [], labels.values());
  const listed = file.symbols.flatMap((symbol) => {
    const label = labels.get(symbol) ?? "";
    const assertions = asserted.get(label);
    return symbol.body === null && assertions !== undefined ? [{ symbol, label, assertions }] : [];
  });
  const isListed = new Set(listed.map(({ symbol }) => symbol));
  const primaries = file.symbols.filter((symbol) => symbol.relevance === "primary" && !isListed.has(symbol));
  return [
    mainCode(file, primaries, blank),
    prosePart(
      "assertions",
      null,
      listed.map(({ label, assertions }) => assertionBullet(label, assertions)),
      listed.flatMap(({ label, assertions }) => assertions.map((text) => labelledAssertion(label, text))),
    ),
  ].filter(isFilled);
}

function contextParts(file: FileJson, pkg: ContextPackage, types: boolean): readonly Part[] {
  const primaries = file.symbols.filter((symbol) => symbol.relevance === "primary");
  const code = mainCode(file, primaries, blankLines(pkg, file));
  const support = notShownIn(
    code,
    file.symbols.filter((symbol) => symbol.relevance === "supporting"),
  );
  const hasPrimary = file.snippets.length > 0 || primaries.length > 0;
  const targets = targetsOf(edgesShown(pkg), file);
  const cut = targetsOf(pkg.dependency_edges, file).length - targets.length;
  const reasons = file.rationale_comments.filter((comment) => !isShownAsCode(file, comment));
  return [
    code,
    codePart(
      "supporting",
      hasPrimary ? "Supporting:" : null,
      support.map((symbol) => ({ line: null, text: signatureLine(symbol, file.language) })),
    ),
    codePart("types", hasPrimary || support.length > 0 ? "Types:" : null, types ? typeRows(pkg, file) : []),
    prosePart(
      "why",
      "Why:",
      reasons.map((line) => `- ${plain(line)}`),
      reasons,
    ),
    prosePart(
      "edges",
      null,
      targets.length > 0 && hasPrimary
        ? [`**Depends on**: ${targets.join(", ")}${cut > 0 ? ` and ${cut} more` : ""}`]
        : [],
      [],
    ),
  ].filter(isFilled);
}

const targetsOf = (edges: ContextPackage["dependency_edges"], { path }: FileJson): readonly string[] =>
  edges.filter(([from]) => from === path).map(([, to]) => pathCode(to));

function codePart(name: PartName, title: string | null, rows: readonly CodeRow[]): Part {
  const text = textOfRows(rows);
  return { name, title, rows, text, isCode: true, plain: text };
}

/** A package is rendered several times: as Markdown and as a prompt to count tokens, and once for the output. */
const codeCache = new WeakMap<FileJson, { readonly blank: readonly number[]; readonly part: Part }>();

/** A file's code without its types. */
function mainCode(file: FileJson, primaries: readonly SymbolJson[], blank: readonly number[]): Part {
  const known = codeCache.get(file);
  if (known?.blank === blank) return known.part;
  const part = codePart("code", null, codeRows(file, primaries, new Set(blank)));
  codeCache.set(file, { blank, part });
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

/** Whether the line of a comment (`line 12: …`) is shown as code. */
function isShownAsCode({ symbols, snippets }: FileJson, comment: string): boolean {
  const line = Number(/^line (\d+): /.exec(comment)?.[1] ?? 0);
  return (
    symbols.some((symbol) => symbol.body !== null && bodyStart(symbol) <= line && line <= symbol.end_line) ||
    snippets.some(({ start_line, end_line }) => start_line <= line && line <= end_line)
  );
}

/** The assertions of one test as a list item: ``- `test_x`: asserts `a` and `b` ``. */
const assertionBullet = (test: string, assertions: readonly string[]): string =>
  `- ${inlineCode(test)}: asserts ${assertions.map(inlineCode).join(" and ")}`;

export const isType = (symbol: SymbolJson): boolean => symbol.relevance === "type_context";
/** The rows of a file's types that its code does not show already. */
export function typeRows(pkg: ContextPackage, file: FileJson): readonly CodeRow[] {
  const primaries = file.symbols.filter((symbol) => symbol.relevance === "primary");
  const code = mainCode(file, primaries, blankLines(pkg, file));
  return codeRows({ ...file, snippets: [] }, notShownIn(code, file.symbols.filter(isType)), new Set());
}

/** The symbols of which the code does not show all lines, or of a signature the first. */
function notShownIn({ rows }: Part, symbols: readonly SymbolJson[]): readonly SymbolJson[] {
  const lines = new Set(rows.map(({ line }) => line));
  return symbols.filter((symbol) => {
    const end = symbol.body === null ? symbol.start_line : symbol.end_line;
    for (let line = symbol.start_line; line <= end; line += 1) if (!lines.has(line)) return true;
    return false;
  });
}
