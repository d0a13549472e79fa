/**
 * Finds every secret in a text: as it is written, behind escapes, in base64, and in combinations of these.
 *
 * A text is decoded only if an escape is near a rule's literal or may be inside of one, so most texts cost one pass over their
 * characters.
 */
import { addressPasswords } from "./address-passwords.ts";
import { base64Around, base64Texts, hasBase64, joinedBase64 } from "./base64.ts";
import { type Hit, markerSearch } from "./markers.ts";
import type { SecretMatch, Span } from "./redactor.ts";
import type { Rule } from "./rule.ts";
import { tableOfRules } from "./rules.ts" with { type: "macro" };
import { RULES } from "./rules.ts";
import { hidesLiteral, introducerFrom, unescaped } from "./unescape.ts";
import type { View } from "./view.ts";

/** Its literal is in every path, so the whole pattern is searched for. */
const AIRTABLE_TOKEN = /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g;
export const CUT_AIRTABLE_TOKEN = /pat[A-Za-z0-9]{14}\.[a-f0-9]*…/;

/** Every place of a rule's literal, in order. */
export const hitsIn = markerSearch(RULES, tableOfRules());

/** Every secret in a text, in order; overlapping ones are merged. */
export function findSecrets(text: string): readonly SecretMatch[] {
  if (text.length < SECRET_CHARS_MIN) return [];
  const search: Search = { found: [], charsLeft: Math.max(CHARS_LEFT_MIN, text.length * CHARS_LEFT_FACTOR) };
  searchText({ text, original: (span) => withBackslash(text, span) }, search, 0);
  return merged(search.found);
}

/** No secret is shorter, in an address either. */
const SECRET_CHARS_MIN = 10;

type Search = {
  readonly found: SecretMatch[];
  /** How many characters may still be decoded: a hostile text could hold more and more. */
  charsLeft: number;
};
const CHARS_LEFT_MIN = 1_000_000;
const CHARS_LEFT_FACTOR = 8;
/** A value in a URL in JSON in a string in base64. */
const DEPTH_MAX = 4;

function searchText(view: View, search: Search, depth: number): void {
  const { text } = view;
  for (const { kind, spans } of addressPasswords(text)) report(view, search, kind, spans);
  for (const { index, 0: key } of text.matchAll(AIRTABLE_TOKEN))
    report(view, search, "Airtable token", [{ start: index, end: index + key.length }]);
  const hits = hitsIn(text);
  const isEscaped = (hits.length > 0 && applyRules(view, hits, search)) || hidesLiteral(text);
  if (depth === DEPTH_MAX) return;
  if (hits.length > 0) searchBase64(view, hits, search, depth);
  if (isEscaped) decoded(view, unescaped(text), search, (inner) => searchText(inner, search, depth + 1));
  if (!hasBase64(text)) return;
  for (const inner of base64Texts(text)) decoded(view, inner, search, (run) => searchText(run, search, depth + 1));
  decoded(view, joinedBase64(text), search, (inner) => searchBase64(inner, hitsIn(inner.text), search, depth));
}

/** Reports what the rules find at their literals. Returns whether an escape is so near to one that it may hide a secret. */
function applyRules(view: View, hits: readonly Hit[], search: Search): boolean {
  const { text } = view;
  const ends = new Map<Rule, number>();
  let isEscaped = false;
  let introducer = -1;
  for (const { at, end: literalEnd, rule } of hits) {
    if (rule !== null && at < (ends.get(rule) ?? 0)) continue;
    const spans = rule?.find(text, at) ?? null;
    const found = spans?.at(-1)?.end;
    if (rule !== null && spans !== null) {
      report(view, search, rule.kind, spans);
      ends.set(rule, found ?? at);
    }
    if (isEscaped) continue;
    if (introducer < at - BOUNDARY_CHARS) introducer = introducerFrom(text, Math.max(0, at - BOUNDARY_CHARS));
    const isWord = rule === null || rule.isWord;
    const end = found ?? (isWord ? literalEnd + WORD_CHARS_MAX : at + REACH_CHARS);
    isEscaped = introducer <= end && (found !== undefined || !isWord || introducer <= wordEnd(text, literalEnd));
  }
  return isEscaped;
}

/** An escape so far before a literal may be the boundary of its key, so far after it be inside. */
const BOUNDARY_CHARS = 128;
const REACH_CHARS = 160;

/** Searches every run of base64 with a literal, once for each of its four offsets at most. */
function searchBase64(view: View, hits: readonly Hit[], search: Search, depth: number): void {
  const ends: number[] = [];
  for (const { at, rule } of hits) {
    if (rule !== null || at < (ends[at & 3] ?? 0)) continue;
    const run = base64Around(view.text, at);
    if (run === null) continue;
    ends[at & 3] = run.end;
    decoded(view, run.view, search, (inner) => searchText(inner, search, depth + 1));
  }
}

/** Searches what was decoded from a view, while characters are left. */
function decoded(outer: View, inner: View | null, search: Search, searchIn: (view: View) => void): void {
  if (inner === null || inner.text.length > search.charsLeft) return;
  search.charsLeft -= inner.text.length;
  searchIn({ text: inner.text, original: (span) => outer.original(inner.original(span)) });
}

const report = ({ original }: View, { found }: Search, kind: string, [first, ...more]: SecretMatch["spans"]): void =>
  void found.push({ kind, spans: [original(first), ...more.map(original)] });

/** Where the word ends that goes on at `at`. */
export function wordEnd(text: string, at: number): number {
  WORD.lastIndex = at;
  WORD.test(text);
  return WORD.lastIndex;
}
const WORD_CHARS_MAX = 400;
const WORD = new RegExp(`[^\\s"'\`<>…]{0,${WORD_CHARS_MAX}}`, "y");

/** Overlapping secrets are one; the first in order of place, length and kind gives its name. */
function merged(found: SecretMatch[]): readonly SecretMatch[] {
  found.sort((a, b) => a.spans[0].start - b.spans[0].start || lastOf(b) - lastOf(a) || (a.kind < b.kind ? -1 : 1));
  const kept: SecretMatch[] = [];
  for (const match of found) {
    const before = kept.at(-1);
    if (before === undefined || match.spans[0].start >= lastOf(before)) kept.push(match);
    else if (lastOf(match) > lastOf(before)) kept[kept.length - 1] = united(before, match);
  }
  return kept;
}

const lastOf = ({ spans }: SecretMatch): number => spans.at(-1)?.end ?? 0;

const united = (a: SecretMatch, b: SecretMatch): SecretMatch => ({
  kind: a.kind,
  spans: [{ start: a.spans[0].start, end: Math.max(lastOf(a), lastOf(b)) }],
});

/** With the backslash that a secret follows, which would else escape the marker and break a string. */
function withBackslash(text: string, { start, end }: Span): Span {
  let slashes = 0;
  while (text[start - 1 - slashes] === "\\") slashes += 1;
  return { start: slashes % 2 === 1 ? start - 1 : start, end };
}
