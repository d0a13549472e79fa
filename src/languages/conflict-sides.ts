/** Makes code of a text that a merge left conflicts in, so that the definitions around them are found. Texts keep their length. */
import type { Span } from "../text/lines.ts";
import { blanked } from "./conditional-code.ts";

/** The lines that git writes around ours, in some styles what both began with, and theirs. */
const MARKER = /^(?:=======|(?:<<<<<<<|\|\|\|\|\|\|\||>>>>>>>)(?: .*)?)\r?$/gm;

/** The text with both sides of each conflict, then with the first alone; empty without a conflict. */
export function conflictSides(text: string): readonly string[] {
  if (!text.includes("<<<<<<<") || !text.includes(">>>>>>>")) return [];
  const [markers, theirs]: [Span[], Span[]] = [[], []];
  let begin: Span | null = null;
  let [base, middle]: [Span | null, Span | null] = [null, null];
  for (const { 0: line, index: start } of text.matchAll(MARKER)) {
    const marker = { start, end: start + line.length };
    if (line.startsWith("<")) [begin, base, middle] = [marker, null, null];
    else if (line.startsWith("|")) base ??= marker;
    else if (line.startsWith("=")) middle ??= marker;
    else {
      if (begin !== null && middle !== null) {
        markers.push(begin, { start: (base ?? middle).start, end: middle.end }, marker);
        theirs.push({ start: middle.end, end: start });
      }
      begin = null;
    }
  }
  return markers.length === 0 ? [] : [blanked(text, markers), blanked(text, [...markers, ...theirs])];
}
