/** The term statistics of a file, made of its text and of what parsing found in it. */

import { encodeTermStats } from "../text/terms/encode-term-stats.ts";
import type { SegmentSymbol } from "../text/terms/segments.ts";
import { isOutline, LANGUAGES } from "./languages.ts";

/** `FileFacts` has this shape. */
type Found = {
  readonly symbols: readonly SegmentSymbol[];
  readonly commentLines: readonly { readonly line: number; readonly endLine: number }[];
};

/** Encoded as `text/terms/term-stats.ts` says. The parts of an outline are not separate documents, or ranking would treat them as definitions. */
export const countTerms = (text: string, language: string, { symbols, commentLines }: Found): Uint8Array =>
  encodeTermStats({
    text,
    symbols: isOutline(language) ? [] : symbols,
    commentLines,
    docstrings: LANGUAGES.get(language)?.hasDocstrings === true,
  });
