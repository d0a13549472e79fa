/**
 * Merges bodies, snippets and signatures of a file into rows in line order.
 *
 * `⋮ line N` marks where a run of lines starts, as a comment of the file's language, so that a fence holds nothing but code.
 */
import { commentIn, stubIn } from "../../languages/languages.ts";
import { firstSentence } from "../../text/sentence.ts";
import type { FileJson, SymbolJson } from "../model/package-schema.ts";

/** `line` is the number in the file; null for a signature or a marker. */
export type CodeRow = { readonly line: number | null; readonly text: string };

/** One line of source, or a signature that stands for a whole symbol. */
type Row = { readonly line: number; readonly text: string; readonly whole: boolean };

export const textOfRows = (rows: readonly CodeRow[]): string => rows.map(({ text }) => text).join("\n");

/** `blank` are the numbers of blank lines to show in place of a marker. */
export function codeRows(
  { language, snippets }: Pick<FileJson, "language" | "snippets">,
  symbols: readonly SymbolJson[],
  blank: ReadonlySet<number>,
): readonly CodeRow[] {
  const rows = new Map<number, Row>();
  const add = (start: number, text: string): void => {
    for (const [offset, line] of text.split("\n").entries()) {
      // Of a line that appears twice, one may be cut.
      const known = rows.get(start + offset);
      if (known === undefined || known.text.length < line.length)
        rows.set(start + offset, { line: start + offset, text: line, whole: true });
    }
  };
  const starts = symbols.map(bodyStart);
  for (const [index, symbol] of symbols.entries()) if (symbol.body !== null) add(starts[index] ?? 0, symbol.body);
  for (const snippet of snippets) add(snippet.start_line, snippet.text);
  const signatures = symbols
    .filter((symbol) => symbol.body === null && !isBegun(symbol, rows))
    .map((symbol) => ({ line: symbol.start_line, text: signatureLine(symbol, language), whole: false }));
  const out: CodeRow[] = [];
  let previous = 0;
  for (const row of [...rows.values(), ...signatures].sort(
    (a, b) => a.line - b.line || Number(a.whole) - Number(b.whole),
  )) {
    if (row.whole && row.line !== previous + 1)
      out.push(...gapRows(previous, row.line, symbols, starts, blank).map((gap) => asComment(gap, language)));
    out.push({ line: row.whole ? row.line : null, text: row.text });
    previous = row.whole ? row.line : -1;
  }
  return out;
}

/** Whether the first line of a symbol is shown, and if that is a decorator or an attribute, the line of its name too. */
function isBegun({ name, start_line }: SymbolJson, rows: ReadonlyMap<number, Row>): boolean {
  let row = rows.get(start_line);
  if (row === undefined || !DECORATED.test(row.text)) return row !== undefined;
  for (let line = start_line + 1; row !== undefined; line += 1) {
    if (declares(row.text, name)) return true;
    row = rows.get(line);
  }
  return false;
}

const DECORATED = /^\s*(?:@|#\[)/;

/** Whether a line has this name behind a space, as in `def name(`. */
function declares(line: string, name: string): boolean {
  const at = line.indexOf(` ${name}`);
  return at >= 0 && !/[\w$]/.test(line.charAt(at + name.length + 1));
}

const asComment = ({ line, text }: CodeRow, language: string): CodeRow => ({
  line,
  text: line === null ? commentIn(language, text) : text,
});

/** Returns the blank lines between two runs of lines, or a marker. `starts` are where the symbols' bodies begin. */
function gapRows(
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

/** A body may begin above the symbol's first line, at its documentation. */
export const bodyStart = ({ body, start_line, end_line }: SymbolJson): number =>
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

/** ``def f(x): ...  # ⋮ line 12, in Owner: What it does.`` */
export function signatureLine(symbol: SymbolJson, language: string): string {
  const owner = parentName(symbol);
  const summary = symbol.docstring === null ? "" : firstSentence(symbol.docstring);
  const remark = `⋮ line ${symbol.start_line}${owner === "" ? "" : `, in ${owner}`}${summary === "" ? "" : `: ${summary}`}`;
  return stubIn(language, symbol.signature, remark);
}
