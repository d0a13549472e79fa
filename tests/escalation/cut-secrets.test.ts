/** A cut takes away what may be half of a secret, and nothing else. */
import { describe, expect, test } from "bun:test";
import { shortLine, withoutCutFirst, withoutCutLast } from "../../src/escalation/cut-secrets.ts";

const BEGIN = "-----BEGIN RSA PRIVATE KEY-----\n";
const END = "-----END RSA PRIVATE KEY-----\n";
const KEY = `${BEGIN}MIIEowIBAAKC\n${END}`;
/** More than any private key, in lines. */
const LONG = "a line of a log\n".repeat(2_000);

describe("before a cut", () => {
  test.each([
    ["the last line goes", "one\ntwo\nthree", "one\ntwo\n"],
    ["a whole last line stays", "one\ntwo\n", "one\ntwo\n"],
    ["an unfinished key goes", `one\n${BEGIN}MIIEowIBAAKC\nmore`, "one\n"],
    ["a finished key is not cut", `one\n${KEY}two\nthree`, `one\n${KEY}two\n`],
    ["an unfinished key after a finished one goes", `${KEY}one\n${BEGIN}MIIEowIBAAKC\n`, `${KEY}one\n`],
    ["a beginning too far back to be cut stays", `${BEGIN}${LONG}`, `${BEGIN}${LONG}`],
  ])("%s", (_, text, expected) => expect(withoutCutLast(text)).toBe(expected));
  test("of one long line only its end goes", () => {
    const shown = withoutCutLast("x".repeat(10_000));
    expect(shown.length).toBeGreaterThan(5_000);
    expect(shown.length).toBeLessThan(10_000);
  });
});

describe("after a cut", () => {
  test.each([
    ["the first line goes", "hree\nfour\nfive", "four\nfive"],
    ["a text of one short line goes", "hree", ""],
    ["the rest of a key goes", `AAKC\nMIIEowIB\n${END}four\nfive`, "four\nfive"],
    ["a whole key takes nothing before it along", `hree\nfour\n${KEY}five`, `four\n${KEY}five`],
    ["the rest of a key goes, although another follows", `AAKC\n${END}four\n${KEY}five`, `four\n${KEY}five`],
    ["an end too far on to be that of a cut key stays", `hree\n${LONG}${END}`, `${LONG}${END}`],
  ])("%s", (_, text, expected) => expect(withoutCutFirst(text)).toBe(expected));
});

test("a line that just fits is whole, a longer one loses the word at the cut", () => {
  expect(shortLine("some words of 24 letters", 24)).toBe("some words of 24 letters");
  expect(shortLine("some words of 24 letters", 14)).toBe("some words …");
});
