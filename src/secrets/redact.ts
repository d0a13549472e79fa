/**
 * Shows texts without the secrets in them: each is replaced in place by a marker that names its kind.
 *
 * A line that was cut off (`…`) may end within a secret, which then has its mark but not its shape: its last word goes.
 * Invariants: the same text gives the same result; what is redacted once stays as it is; lines keep their number; JSON
 * stays JSON. A text that cannot hold a secret is given back as it is, after a cheap look (`marks.ts`).
 * Not here: the rules, and where texts go out.
 */
import { addressPasswords } from "./address-passwords.ts";
import type { Finding, Span } from "./finding.ts";
import { marker } from "./marker.ts";
import { ownFindings } from "./own-rules.ts";
import { mayHoldSecret, mayHoldWholeSecret } from "./prefilter.ts";
import { presetFindings } from "./preset-rules.ts";
import { privateKeys } from "./private-keys.ts";
import type { Redactor } from "./redactor.ts";

/** Takes secrets out of what is shown. */
export const REDACTOR: Redactor = { text: redactedText, value: (value) => redactedValue(value) };

/** Every secret in a text, in order; of those that overlap one. */
export function findSecrets(text: string): readonly Finding[] {
  if (!mayHoldWholeSecret(text)) return [];
  const found = [...presetFindings(text), ...ownFindings(text), ...privateKeys(text), ...addressPasswords(text)];
  found.sort((a, b) => a.spans[0].start - b.spans[0].start || lastOf(b) - lastOf(a) || (a.kind < b.kind ? -1 : 1));
  const kept: Finding[] = [];
  for (const finding of found) {
    const before = kept.at(-1);
    if (before === undefined || finding.spans[0].start >= lastOf(before)) kept.push(finding);
    else if (lastOf(finding) > lastOf(before)) kept[kept.length - 1] = united(before, finding);
  }
  return kept;
}

const lastOf = ({ spans }: Finding): number => spans.at(-1)?.end ?? 0;

/** Two secrets that overlap are hidden as one, with all that is between. */
const united = (a: Finding, b: Finding): Finding => ({
  kind: a.kind,
  spans: [{ start: a.spans[0].start, end: Math.max(lastOf(a), lastOf(b)) }],
});

function redactedText(text: string): string {
  if (!mayHoldSecret(text)) return text;
  return withoutCutWords(withMarkers(text, findSecrets(text)));
}

/** The last words of lines that were cut off where a secret may begin. */
const withoutCutWords = (text: string): string =>
  text.includes("…")
    ? text.replaceAll(CUT_LINE, (line) => (mayHoldSecret(line) ? `${line.slice(0, lastWordAt(line))}…` : line))
    : text;

const CUT_LINE = /^.*…$/gm;
const BEFORE_WORD = /[\s"'`…]/;

/** Where the word before the `…` at the end of a line begins. From behind, as the line may be a whole file. */
function lastWordAt(line: string): number {
  let at = line.length - 1;
  while (at > 0 && !BEFORE_WORD.test(line.charAt(at - 1))) at -= 1;
  return at;
}

function withMarkers(text: string, found: readonly Finding[]): string {
  let shown = "";
  let at = 0;
  const hide = ({ start, end }: Span, instead: string): void => {
    shown += text.slice(at, start) + instead + text.slice(start, end).replaceAll(/[^\n]+/g, "");
    at = end;
  };
  for (const { kind, spans } of found)
    for (const [place, span] of spans.entries()) hide(span, place === 0 ? marker(kind) : "");
  return shown + text.slice(at);
}

/** The same for every text in a value made of plain objects and lists; what holds none is given back itself. */
function redactedValue<T>(value: T): T;
function redactedValue(value: unknown): unknown {
  if (typeof value === "string") return redactedText(value);
  if (Array.isArray(value)) {
    const list = value.map((item: unknown) => redactedValue(item));
    return list.every((item, place) => item === value[place]) ? value : list;
  }
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  const entries = Object.entries(value);
  const shown = entries.map(([name, item]): [string, unknown] => [name, redactedValue(item)]);
  return shown.every(([, item], place) => item === entries[place]?.[1]) ? value : Object.fromEntries(shown);
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
