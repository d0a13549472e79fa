/**
 * Marks search matches in a text with U+0001 before and U+0002 after each match.
 *
 * These characters are removed from the text first. Texts and needles are compared in normalized form (`text/terms/normalize.ts`).
 */
import { fold, isAscii } from "../../../text/terms/normalize.ts";

export const MARK_START = "\u0001";
export const MARK_END = "\u0002";

/** A snippet has this many characters, starting shortly before its first match. */
const SNIPPET_CHARS_MAX = 160;
const LEAD_CHARS = 40;

/** A character with its combining marks; marks at the start of a text stand alone. */
const CHARACTER = /\P{M}\p{M}*|^\p{M}+/gu;

type Span = { readonly from: number; readonly to: number };

/** Marks every match of a needle, ignoring case and normalization. Overlapping matches are merged. */
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

/** The first line with most of the text of the needles, marked and cut; null when no line has any. A short needle is part of many words. */
export function bestLine(
  text: string,
  needles: readonly string[],
): { readonly line: number; readonly snippet: string } | null {
  const folded = needles.map(fold).filter((needle) => needle !== "");
  const all = folded.reduce((sum, needle) => sum + needle.length, 0);
  let best = { line: 0, found: 0, text: "" };
  let number = 0;
  for (const line of text.split("\n")) {
    number += 1;
    const form = fold(line);
    const found = folded.reduce((sum, needle) => sum + (form.includes(needle) ? needle.length : 0), 0);
    if (found > best.found) best = { line: number, found, text: line };
    if (best.found === all && all > 0) break;
  }
  return best.found === 0 ? null : { line: best.line, snippet: highlight(cut(best.text, needles), needles) };
}

/** The lines that hold a needle, ignoring case and normalization: at most `limit`, numbered from 1. */
export function linesWith(text: string, needle: string, limit: number): readonly number[] {
  const wanted = fold(needle);
  const found: number[] = [];
  if (wanted === "") return found;
  let number = 0;
  for (const line of text.split("\n")) {
    number += 1;
    if (fold(line).includes(wanted) && found.push(number) === limit) break;
  }
  return found;
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
  const { form, from: starts, to: ends } = aligned(text);
  const found: Span[] = [];
  for (const needle of needles) {
    const wanted = fold(needle);
    if (wanted === "") continue;
    for (let at = form.indexOf(wanted); at >= 0; at = form.indexOf(wanted, at + wanted.length))
      found.push({ from: starts(at), to: ends(at + wanted.length) });
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

/** A folded text, with functions from a position in it to the start and end of the character in the original text. */
type Aligned = {
  readonly form: string;
  readonly from: (at: number) => number;
  readonly to: (at: number) => number;
};

function aligned(text: string): Aligned {
  const same = (at: number): number => at;
  if (isAscii(text)) return { form: text.toLowerCase(), from: same, to: same };
  let form = "";
  let read = 0;
  const starts: number[] = [];
  const ends: number[] = [];
  for (const character of text.match(CHARACTER) ?? []) {
    const folded = fold(character);
    form += folded;
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(read);
      ends.push(read + character.length);
    }
    read += character.length;
  }
  return { form, from: (at) => starts[at] ?? text.length, to: (at) => ends[at - 1] ?? 0 };
}
