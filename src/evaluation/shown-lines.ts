/** The lines of code that a package shows, read from the public form of the package alone. */
import type { ContextPackage } from "../retrieval/model/package-schema.ts";
import type { PackedSpan } from "./model.ts";

type FileJson = ContextPackage["files"][number];
type SymbolJson = FileJson["symbols"][number];
type Lines = { readonly start: number; readonly end: number };

type SpansInput = {
  readonly pkg: ContextPackage;
  readonly count: (text: string) => number;
  readonly lineCountOf: (path: string) => number;
  /** Lines that are cut, as `path:line`. */
  readonly cutLines: ReadonlySet<string>;
};

/** The spans of a package, by file, in its order. */
export function packedSpans(input: SpansInput): readonly PackedSpan[] {
  const blank = new Map(input.pkg.provenance.files.map(({ path, blank_lines }) => [path, blank_lines]));
  return input.pkg.files.flatMap((file) => [
    ...file.symbols.flatMap((symbol) => ofSymbol(symbol, file, input)),
    ...file.snippets.flatMap(({ start_line: start, end_line: end, text }) =>
      shownLines({ start, end }, file.path, input.cutLines).map((lines, at) => ({
        path: file.path,
        ...lines,
        kind: kindOf(lines, file.path, input),
        tokens: at === 0 ? input.count(text) : 0,
      })),
    ),
    ...runsOf(blank.get(file.path) ?? []).map((lines) => ({
      path: file.path,
      ...lines,
      kind: "body" as const,
      tokens: 0,
    })),
  ]);
}

function ofSymbol(symbol: SymbolJson, file: FileJson, input: SpansInput): readonly PackedSpan[] {
  const lines = { start: symbol.start_line, end: symbol.end_line };
  const count = (text: string): number => (isWithinAnother(symbol, file) ? 0 : input.count(text));
  if (symbol.body !== null)
    return [{ path: file.path, ...lines, kind: kindOf(lines, file.path, input), tokens: count(symbol.body) }];
  // The own lines of a container and parts of a body are snippets.
  if (file.snippets.some(({ start_line, end_line }) => start_line >= lines.start && end_line <= lines.end)) return [];
  const { start } = lines;
  return [{ path: file.path, start, end: start, kind: "signature", tokens: count(symbol.signature) }];
}

/** Whether another definition shows the same lines: they count once, there. */
function isWithinAnother(symbol: SymbolJson, { symbols }: FileJson): boolean {
  const at = symbols.indexOf(symbol);
  const length = ({ start_line, end_line }: SymbolJson): number => end_line - start_line;
  return symbols.some((other, index) => {
    if (index === at || other.body === null) return false;
    const covers = other.start_line <= symbol.start_line && symbol.end_line <= other.end_line;
    return covers && (length(other) > length(symbol) || index < at);
  });
}

const kindOf = ({ start, end }: Lines, path: string, { lineCountOf }: SpansInput): "whole" | "body" =>
  start === 1 && end >= lineCountOf(path) ? "whole" : "body";

/** The lines without cut ones. */
function shownLines({ start, end }: Lines, path: string, cut: ReadonlySet<string>): readonly Lines[] {
  const runs: Lines[] = [];
  let from = start;
  for (let line = start; line <= end; line += 1) {
    if (!cut.has(`${path}:${line}`)) continue;
    if (line > from) runs.push({ start: from, end: line - 1 });
    from = line + 1;
  }
  if (from <= end) runs.push({ start: from, end });
  return runs;
}

/** Ascending numbers as ranges. */
function runsOf(numbers: readonly number[]): readonly Lines[] {
  const runs: { start: number; end: number }[] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.end === number - 1) last.end = number;
    else runs.push({ start: number, end: number });
  }
  return runs;
}
