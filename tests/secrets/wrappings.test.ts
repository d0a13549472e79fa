/** No notation hides a key from the redactor: every kind in every wrapping. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { REDACTOR } from "../../src/secrets/redact.ts";
import { markedKinds } from "../../src/secrets/redactor.ts";
import { PLANTED_KEYS } from "../support/planted-keys.ts";
import { WRAPPINGS } from "../support/wrappings.ts";

const { text: shown } = REDACTOR;

/** So much of a key may stay: its prefix, and what the letters of an encoding share with it. */
const SHOWN_CHARS_MAX = 8;

/** Whether a text has any part of a secret that is longer. */
const shows = (text: string, secret: string): boolean =>
  Array.from({ length: Math.max(1, secret.length - SHOWN_CHARS_MAX) }, (_, at) =>
    secret.slice(at, at + SHOWN_CHARS_MAX + 1),
  ).some((part) => text.includes(part));

test("there are 100 keys of 90 kinds, and 20 wrappings", () => {
  expect(PLANTED_KEYS.length).toBeGreaterThanOrEqual(100);
  expect(new Set(PLANTED_KEYS.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(90);
  expect(WRAPPINGS.length).toBeGreaterThanOrEqual(20);
});

describe.each(WRAPPINGS)("$name", ({ wrap, unwrap }) => {
  test("can be undone, so a key in it is usable", () => {
    for (const { line, secret } of PLANTED_KEYS)
      expect([secret, unwrap(wrap(line, secret)).includes(secret)]).toEqual([secret, true]);
  });
  test.each(PLANTED_KEYS)("$kind", ({ line, secret }) => {
    const text = `before\n${wrap(line, secret)}\nafter`;
    const redacted = shown(text);
    expect([redacted, shows(redacted, secret), shows(unwrap(redacted), secret)]).toEqual([redacted, false, false]);
    expect(markedKinds(redacted).length).toBeGreaterThan(0);
    expect(shown(redacted)).toBe(redacted);
    expect(redacted.split("\n")).toHaveLength(text.split("\n").length);
    expect(redacted).toStartWith("before\n");
    expect(redacted).toEndWith("\nafter");
  });
});

/** Notations of whole texts, which may hold a text with any notation in it. */
const CARRIERS = WRAPPINGS.filter(({ name }) =>
  /^(?:a notebook|a log line|a query in|HTML|JSON|base64(?! in lines))/.test(name),
);

test("law: two notations within each other hide no key", () => {
  expect(CARRIERS.length).toBeGreaterThanOrEqual(9);
  fc.assert(
    fc.property(
      fc.constantFrom(...CARRIERS),
      fc.constantFrom(...WRAPPINGS),
      fc.constantFrom(...PLANTED_KEYS),
      (outer, inner, { line, secret }) => {
        const within = inner.wrap(line, secret);
        const text = outer.wrap(within, within);
        const read = (one: string): string => inner.unwrap(outer.unwrap(one));
        fc.pre(read(text).includes(secret));
        expect(shows(read(shown(text)), secret)).toBe(false);
      },
    ),
    { numRuns: 1_200 },
  );
});

/** Those that need nothing before them to be known. */
const KNOWN_ALONE = PLANTED_KEYS.filter(({ secret }) => shown(secret) !== secret);

test("a key alone in base64 is hidden, as is one within bytes that are no text", () => {
  expect(KNOWN_ALONE.length).toBeGreaterThan(90);
  const [before, after] = [
    [0xff, 0x80, 0x90, 0xa0, 0xb0],
    [0x81, 0x92],
  ];
  for (const { secret } of KNOWN_ALONE)
    for (const bytes of [[], before.slice(0, 3), before.slice(0, 4), before]) {
      const text = Buffer.from([...bytes, ...Buffer.from(secret), ...after.slice(0, bytes.length)]).toString("base64");
      const redacted = shown(`data:\n  key: ${text}\n`);
      const start = Math.ceil((bytes.length * 4) / 3);
      for (const at of [start + 8, start + 12]) expect(redacted).not.toContain(text.slice(at, at + 12));
    }
});
