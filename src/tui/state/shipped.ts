/** How much of each file a package shows: the whole file, some of its symbols and how many, some lines, or signatures. */
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import { fileRows } from "../../retrieval/render/file-parts.ts";
import { fileSection } from "../../retrieval/render/markdown.ts";
import { counted, grouped } from "../styling/numbers.ts";

/** 1-based and inclusive. */
type Lines = { readonly startLine: number; readonly endLine: number };

/** What the index has of a file. */
type Outline = {
  readonly path: string;
  readonly text: string;
  readonly symbols: readonly Lines[];
};

/**
 * `full`: symbols of which all is shown, `of` how many the file has. `lines` of `ofLines` are shown, blank ones apart.
 * `tokens` is what the package's text has of the file: definitions inside others count once, headings and reasons too.
 */
export type ShippedFile = {
  readonly path: string;
  readonly full: number;
  readonly of: number;
  readonly signatures: number;
  readonly lines: number;
  readonly ofLines: number;
  readonly tokens: number;
};

/** The numbers of the lines that a package shows of a file, blank ones between them too. */
export const shownLines = (pkg: ContextPackage, file: ContextPackage["files"][number]): ReadonlySet<number> =>
  new Set(fileRows(pkg, file).flatMap(({ line }) => line ?? []));

/** Whether every line of a definition is shown, under its own name or inside another one. */
export function isFullyShown({ startLine, endLine }: Lines, shown: ReadonlySet<number>): boolean {
  for (let line = startLine; line <= endLine; line += 1) if (!shown.has(line)) return false;
  return true;
}

/** What the package shows of each of its files, in its order. A file that the index no longer has counts no whole. */
export function shippedFiles(
  pkg: ContextPackage,
  outlines: readonly Outline[],
  tokensOf: (text: string) => number,
): readonly ShippedFile[] {
  const byPath = new Map(outlines.map((outline) => [outline.path, outline]));
  return inOrder(pkg).map((file) => {
    const { path } = file;
    const { text = "", symbols = [] } = byPath.get(path) ?? {};
    const shown = shownLines(pkg, file);
    // A supporting definition of one line stands among signatures, and is whole there.
    const single = new Set(file.symbols.flatMap((symbol) => (isOneLine(symbol) ? symbol.start_line : [])));
    const isWhole = (symbol: Lines): boolean =>
      isFullyShown(symbol, shown) || (symbol.startLine === symbol.endLine && single.has(symbol.startLine));
    const written = text.split("\n").flatMap((row, at) => (row.trim() === "" ? [] : [at + 1]));
    return {
      path,
      full: symbols.filter(isWhole).length,
      of: symbols.length,
      signatures: file.symbols.filter(({ start_line: at }) => !shown.has(at) && !single.has(at)).length,
      lines: written.length === 0 ? shown.size : written.filter((line) => shown.has(line)).length,
      ofLines: written.length,
      tokens: tokensOf(fileSection(pkg, file)),
    };
  });
}

type Packed = ContextPackage["files"][number]["symbols"][number];

const isOneLine = ({ shown, start_line: start, end_line: end }: Packed): boolean => shown === "body" && start === end;

/** The files as the text has them: tests stand behind the others. */
const inOrder = ({ files }: ContextPackage): ContextPackage["files"] => [
  ...files.filter(({ test_assertions }) => test_assertions === null),
  ...files.filter(({ test_assertions }) => test_assertions !== null),
];

/** `whole file`, `3 of 12 symbols`, `8 of 40 lines`, `2 signatures`; `isShort` leaves blanks out: `3/12 symbols`. */
export function shippedWords({ full, of, signatures, lines, ofLines }: ShippedFile, isShort: boolean): string {
  const part = (some: number, all: number): string =>
    isShort ? `${grouped(some)}/${grouped(all)}` : `${grouped(some)} of ${grouped(all)}`;
  if (ofLines > 0 && lines === ofLines) return "whole file";
  if (full > 0)
    return full === of ? (of === 1 ? "its one symbol" : `all ${counted(of, "symbol")}`) : `${part(full, of)} symbols`;
  if (lines > 0) return ofLines === 0 ? counted(lines, "line") : `${part(lines, ofLines)} lines`;
  return signatures === 0 ? "reason only" : counted(signatures, "signature");
}
