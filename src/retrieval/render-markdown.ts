/**
 * A context package as Markdown: the format for people, and the text that the budget bounds.
 *
 * Pure: the package in, text out. Sections: the task, primary context (files by rank), test
 * expectations, dependency map. Within a file come the primary symbols in source order, then the
 * signatures that support them, then types. `⋮ line N` marks where a run of lines starts.
 */
import { fenceName } from "../text/language.ts";
import { fenced, inlineCode, plain, quotedTask } from "./markdown.ts";
import type { ContextPackage, FileJson, SymbolJson } from "./package-schema.ts";

/** The whole package. Ends with a newline. */
export function renderMarkdown(pkg: ContextPackage): string {
  const parts = [
    `## Task\n${taskOf(pkg)}`,
    section("## Primary Context", contextOf(pkg, { types: true })),
    section("## Test Expectations", testsOf(pkg)),
    section("## Dependency Map", dependencyMap(pkg)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The task's text as shown: cut when it is long, fenced when it would act as Markdown. */
export const taskOf = (pkg: ContextPackage): string =>
  quotedTask(pkg.provenance.task_cut ?? pkg.task_query.raw_description);

const section = (title: string, body: string): string => (body === "" ? "" : `${title}\n${body}`);

/** The files that are not tests. `types: false` leaves type context out, for templates that show it apart. */
export function contextOf(pkg: ContextPackage, { types }: { readonly types: boolean }): string {
  return pkg.files
    .filter((file) => file.test_assertions === null)
    .map((file) => contextFile(file, edgesShown(pkg), types))
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
    .map((file) => {
      const assertions = file.test_assertions ?? [];
      const isListed = ({ body, name }: SymbolJson): boolean =>
        body === null && assertions.some((line) => line.startsWith(`${name}: `));
      const code = codeBlock({ ...file, symbols: file.symbols.filter((symbol) => !isListed(symbol)) });
      const bullets = file.symbols.filter(isListed).map((symbol) => assertionBullet(symbol.name, assertions));
      return [heading(file, ""), code, bullets.join("\n")].filter((part) => part !== "").join("\n");
    })
    .join("\n\n");
}

/** Edges between included files, one a line. */
export function dependencyMap(pkg: ContextPackage): string {
  return edgesShown(pkg)
    .map(([from, to]) => `${plain(from)} → ${plain(to)}`)
    .join("\n");
}

const edgesShown = (pkg: ContextPackage): ContextPackage["dependency_edges"] =>
  pkg.dependency_edges.slice(0, pkg.provenance.edges_shown);

function contextFile(file: FileJson, edges: ContextPackage["dependency_edges"], types: boolean): string {
  const hasPrimary = file.snippets.length > 0 || file.symbols.some((symbol) => symbol.relevance === "primary");
  const hasSupport = file.symbols.some((symbol) => symbol.relevance === "supporting");
  if (!types && !hasPrimary && !hasSupport && file.symbols.length > 0) return "";
  const label = hasPrimary ? "" : hasSupport ? ", supporting" : file.symbols.some(isType) ? ", type context" : "";
  const support = file.symbols.filter((symbol) => symbol.relevance === "supporting");
  const targets = edges.filter(([from]) => from === file.path).map(([, to]) => inlineCode(to));
  return [
    heading(file, label),
    codeBlock(file),
    support.length > 0
      ? titled(hasPrimary, "Supporting:", fenced(support.map(signatureLine).join("\n"), fence(file)))
      : "",
    types && file.symbols.some(isType) ? titled(hasPrimary || hasSupport, "Types:", typeBlock(file)) : "",
    ...(file.rationale_comments.length > 0
      ? [`Why:\n${file.rationale_comments.map((line) => `- ${plain(line)}`).join("\n")}`]
      : []),
    targets.length > 0 && hasPrimary ? `**Depends on**: ${targets.join(", ")}` : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const titled = (needed: boolean, title: string, body: string): string => (needed ? `${title}\n${body}` : body);
const heading = (file: FileJson, label: string): string =>
  `### ${plain(file.path)} (rank #${file.relevance_rank}${label})`;
const isType = (symbol: SymbolJson): boolean => symbol.relevance === "type_context";
const fence = (file: FileJson): string => fenceName(file.language);

/** Primary code of a file: bodies and snippets merged by line, signatures where only they are in. */
function codeBlock(file: FileJson): string {
  const text = codeLines(
    file.symbols.filter((symbol) => symbol.relevance === "primary"),
    file.snippets,
  );
  return text === "" ? "" : fenced(text, fence(file));
}

function typeBlock(file: FileJson): string {
  const types = file.symbols.filter(isType);
  return fenced(codeLines(types, []), fence(file));
}

/** One line of source, or a signature that stands for a whole symbol. */
type Row = { readonly line: number; readonly text: string; readonly whole: boolean };

function codeLines(symbols: readonly SymbolJson[], snippets: FileJson["snippets"]): string {
  const rows = new Map<number, Row>();
  const add = (start: number, text: string): void => {
    for (const [offset, line] of text.split("\n").entries())
      rows.set(start + offset, { line: start + offset, text: line, whole: true });
  };
  for (const symbol of symbols) if (symbol.body !== null) add(bodyStart(symbol), symbol.body);
  for (const snippet of snippets) add(snippet.start_line, snippet.text);
  const signatures = symbols
    .filter((symbol) => symbol.body === null && !rows.has(symbol.start_line))
    .map((symbol) => ({ line: symbol.start_line, text: signatureLine(symbol), whole: false }));
  const owners = new Map(symbols.map((symbol) => [bodyStart(symbol), parentName(symbol)]));
  const out: string[] = [];
  let previous = 0;
  for (const row of [...rows.values(), ...signatures].sort(
    (a, b) => a.line - b.line || Number(a.whole) - Number(b.whole),
  )) {
    if (row.whole && row.line !== previous + 1) {
      const owner = owners.get(row.line) ?? "";
      out.push(`⋮ line ${row.line}${owner === "" ? "" : `, in ${owner}`}`);
    }
    out.push(row.text);
    previous = row.whole ? row.line : -1;
  }
  return out.join("\n");
}

/** A body may begin above the symbol's own first line, with its documentation. */
const bodyStart = (symbol: SymbolJson): number =>
  symbol.body === null ? symbol.start_line : symbol.end_line - symbol.body.split("\n").length + 1;

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
