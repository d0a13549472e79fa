/**
 * Replaces each secret in a text with a marker that names its kind.
 *
 * Redacting twice changes nothing, lines keep their numbers, and JSON stays JSON. A line that ends in `…` may have been cut
 * inside a secret, which then matches no rule; if the line holds a secret's literal, its last word is removed.
 */
import { CUT_ADDRESS } from "./address-passwords.ts";
import { CUT_AIRTABLE_TOKEN, findSecrets, hitsIn, wordEnd } from "./find-secrets.ts";
import type { Redactor, SecretMatch, Span } from "./redactor.ts";
import { marker } from "./redactor.ts";
import { rulesVersion } from "./rules-version.ts" with { type: "macro" };
import { unescaped } from "./unescape.ts";

export const REDACTOR: Redactor = { rules: rulesVersion(), text: redactedText, value: (value) => redactedValue(value) };

function redactedText(text: string): string {
  let shown = text;
  // A marker is a boundary that the secret was not, so another look may find more.
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const found = findSecrets(shown);
    if (found.length === 0) break;
    shown = withMarkers(shown, found);
  }
  return shown.includes("…") ? withoutCutWords(shown) : shown;
}
const LOOKS_MAX = 4;

/** Removes the last word of each cut line that may end inside a secret. */
const withoutCutWords = (text: string): string =>
  text.replaceAll(CUT_LINE, (line) =>
    endsInSecret(line) || endsInSecret(unescaped(line)?.text ?? "") ? `${line.slice(0, lastWordAt(line))}…` : line,
  );

/** Whether a literal is in the last word, or a name so far before it that the word may be its value. */
function endsInSecret(line: string): boolean {
  const wordAt = lastWordAt(line);
  return (
    CUT_ADDRESS.test(line) ||
    CUT_AIRTABLE_TOKEN.test(line) ||
    hitsIn(line).some(({ at, end, rule }) =>
      rule?.isWord === false ? at >= wordAt - NAME_CHARS_MAX : wordEnd(line, end) === line.length - 1,
    )
  );
}

/** A name, what assigns to it, and a quote. */
const NAME_CHARS_MAX = 100;
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
