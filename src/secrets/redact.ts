/**
 * Replaces each secret in a text with a marker that names its kind.
 *
 * Redacting twice changes nothing, lines keep their numbers, and JSON stays JSON. A line that ends in `…` may have been cut
 * inside a secret, which then matches no rule; if the line holds a secret's literal, its last word is removed.
 */
import { addressPasswords } from "./address-passwords.ts";
import { ownMatches } from "./own-rules.ts";
import { mayHoldSecret, mayHoldWholeSecret } from "./prefilter.ts";
import { presetMatches } from "./preset-rules.ts";
import { privateKeys } from "./private-keys.ts";
import type { Redactor, SecretMatch, Span } from "./redactor.ts";
import { marker } from "./redactor.ts";

export const REDACTOR: Redactor = { text: redactedText, value: (value) => redactedValue(value) };

/** Every secret in a text, in order; overlapping ones are merged. */
export function findSecrets(text: string): readonly SecretMatch[] {
  if (!mayHoldWholeSecret(text)) return [];
  const found = [...presetMatches(text), ...ownMatches(text), ...privateKeys(text), ...addressPasswords(text)];
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

function redactedText(text: string): string {
  if (!mayHoldSecret(text)) return text;
  return withoutCutWords(withMarkers(text, findSecrets(text)));
}

/** Removes the last word of each cut line that may end inside a secret. */
const withoutCutWords = (text: string): string =>
  text.includes("…")
    ? text.replaceAll(CUT_LINE, (line) => (mayHoldSecret(line) ? `${line.slice(0, lastWordAt(line))}…` : line))
    : text;

const CUT_LINE = /^.*…$/gm;
const BEFORE_WORD = /[\s"'`…]/;

/** Where the last word before the `…` starts. Searches backwards, since the line may be a whole file. */
function lastWordAt(line: string): number {
  let at = line.length - 1;
  while (at > 0 && !BEFORE_WORD.test(line.charAt(at - 1))) at -= 1;
  return at;
}

function withMarkers(text: string, found: readonly SecretMatch[]): string {
  let shown = "";
  let at = 0;
  const hide = ({ start, end }: Span, instead: string): void => {
    shown += text.slice(at, start) + instead + text.slice(start, end).replaceAll(/[^\n]+/g, "");
    at = end;
  };
  for (const { kind, spans } of found)
    for (const [index, span] of spans.entries()) hide(span, index === 0 ? marker(kind) : "");
  return shown + text.slice(at);
}

/** Redacts every text in a value of plain objects and lists. Returns the same value if it holds no secret. */
function redactedValue<T>(value: T): T;
function redactedValue(value: unknown): unknown {
  if (typeof value === "string") return redactedText(value);
  if (Array.isArray(value)) {
    const list = value.map((item: unknown) => redactedValue(item));
    return list.every((item, index) => item === value[index]) ? value : list;
  }
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  const entries = Object.entries(value);
  const shown = entries.map(([name, item]): [string, unknown] => [name, redactedValue(item)]);
  return shown.every(([, item], index) => item === entries[index]?.[1]) ? value : Object.fromEntries(shown);
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
