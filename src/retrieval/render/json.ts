/**
 * Renders a context package as JSON for programs, and adds to JSON how large it is.
 *
 * The budget bounds the package's text, of which JSON holds each line once, so a program that hands the bodies, signatures and snippets to a
 * model stays within it. Nothing bounds names, numbers and reasons around the text: a document says its own size.
 */
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import type { Bundle, ContextPackage, DocumentJson, FileJson } from "../model/package-schema.ts";
import { type ShownPart, shownParts, symbolReasons } from "./shown-text.ts";

export function renderJson(pkg: ContextPackage): ContextPackage {
  const reasonOf = symbolReasons(pkg);
  return { ...pkg, files: pkg.files.map((file) => withoutRepeats(file, shownParts(file, reasonOf))) };
}

/** The file with each line of its text once, and with where the text of each symbol is. */
function withoutRepeats(file: FileJson, parts: readonly ShownPart[]): FileJson {
  const shown = new Set(parts.map(({ symbol }) => symbol));
  return {
    ...file,
    symbols: file.symbols.map((symbol) => {
      if (!shown.has(symbol)) return { ...symbol, body: null, shown: "elsewhere" };
      return { ...symbol, shown: symbol.body === null ? "signature" : "body" };
    }),
    snippets: parts.flatMap(({ symbol, ...snippet }) => (symbol === null ? [snippet] : [])),
  };
}

/** Numbers of two to seven digits settle in fewer. */
const ROUNDS_MAX = 8;

/** The document as it is printed, with its own size in it, which grows with the digits of that size. */
export function documentText(value: ContextPackage | Bundle, counter: TokenCounter): string {
  let document: DocumentJson = { tokens: 0, bytes: 0 };
  for (let round = 1; ; round += 1) {
    const text = `${JSON.stringify({ ...value, document }, null, 2)}\n`;
    const size = { tokens: counter.count(text), bytes: Buffer.byteLength(text) };
    if (round === ROUNDS_MAX || (size.tokens === document.tokens && size.bytes === document.bytes)) return text;
    document = size;
  }
}
