/**
 * Marks what a search found in a text. Pure.
 *
 * Marks are U+0001 before and U+0002 after a hit; those characters are taken out of the text first, so
 * that a mark always is one.
 */

export const MARK_START = "\u0001";
export const MARK_END = "\u0002";

/** A shown line is cut to this many characters around its first hit. */
const SNIPPET_CHARS_MAX = 160;
const LEAD_CHARS = 40;

type Span = { readonly from: number; readonly to: number };

/** Marks every place where one of the needles stands, whatever its case. Overlapping places become one. */
export function highlight(text: string, needles: readonly string[]): string {
  const clean = text.replaceAll(MARK_START, "").replaceAll(MARK_END, "");
  let out = "";
  let at = 0;
  for (const { from, to } of spansOf(clean, needles)) {
    out += `${clean.slice(at, from)}${MARK_START}${clean.slice(from, to)}${MARK_END}`;
    at = to;
  }
  return out + clean.slice(at);
}

/** The line that holds the most needles (the first of the best), marked and cut; null when none holds any. */
export function bestLine(
  text: string,
  needles: readonly string[],
): { readonly line: number; readonly snippet: string } | null {
  const lowered = needles.map((needle) => needle.toLowerCase()).filter((needle) => needle !== "");
  let best = { line: 0, found: 0, text: "" };
  let number = 0;
  for (const line of text.split("\n")) {
    number += 1;
    const lower = line.toLowerCase();
    const found = lowered.reduce((count, needle) => count + (lower.includes(needle) ? 1 : 0), 0);
    if (found > best.found) best = { line: number, found, text: line };
    if (best.found === lowered.length && lowered.length > 0) break;
  }
  return best.found === 0 ? null : { line: best.line, snippet: highlight(cut(best.text, needles), needles) };
}

function cut(line: string, needles: readonly string[]): string {
  const trimmed = line.trim();
  if (trimmed.length <= SNIPPET_CHARS_MAX) return trimmed;
  const first = spansOf(trimmed, needles)[0]?.from ?? 0;
  const from = Math.max(0, Math.min(first - LEAD_CHARS, trimmed.length - SNIPPET_CHARS_MAX));
  const shown = trimmed.slice(from, from + SNIPPET_CHARS_MAX);
  return `${from > 0 ? "…" : ""}${shown}${from + SNIPPET_CHARS_MAX < trimmed.length ? "…" : ""}`;
}

function spansOf(text: string, needles: readonly string[]): readonly Span[] {
  const lower = text.toLowerCase();
  // A few letters change their length in lower case; then places would not line up.
  if (lower.length !== text.length) return [];
  const found: Span[] = [];
  for (const needle of needles) {
    const wanted = needle.toLowerCase();
    if (wanted === "") continue;
    for (let from = lower.indexOf(wanted); from >= 0; from = lower.indexOf(wanted, from + wanted.length))
      found.push({ from, to: from + wanted.length });
  }
  found.sort((a, b) => a.from - b.from || b.to - a.to);
  const merged: Span[] = [];
  for (const span of found) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else merged.push(span);
  }
  return merged;
}
