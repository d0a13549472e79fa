/** Looks: the 16 colours of the terminal and nothing else, ended with the text they are for. */
import { expect, test } from "bun:test";
import { type Role, signsFor, styled } from "../../../src/tui/styling/theme.ts";

const ROLES: readonly Role[] = [
  "plain",
  "dim",
  "strong",
  "accent",
  "good",
  "bad",
  "warn",
  "key",
  "border",
  "border.active",
  "title",
  "title.active",
  "cursor",
  "range",
  "caret",
  "match",
  "code.keyword",
  "code.string",
  "code.comment",
  "code.number",
];

/** What ends each look. */
const ENDS: Readonly<Record<string, string>> = {
  1: "22",
  2: "22",
  4: "24",
  7: "27",
  31: "39",
  32: "39",
  33: "39",
  35: "39",
  36: "39",
};

test("a style uses known sequences, and closes them in reverse order", () => {
  for (const role of ROLES) {
    const [on = "", off = ""] = styled(role, "x").split("x");
    const codes = (text: string): readonly string[] =>
      [...text.matchAll(/\u001b\[(\d+)m/g)].map(([, code]) => code ?? "");
    expect([role, codes(off)]).toEqual([
      role,
      codes(on)
        .map((code) => ENDS[code] ?? "unknown")
        .toReversed(),
    ]);
    expect(on.replace(/\u001b\[\d+m/g, "")).toBe("");
  }
});

test("both sets have the same signs, the ASCII set only ASCII, and spinner frames of equal width", () => {
  const [unicode, ascii] = [signsFor(false), signsFor(true)];
  expect(Object.keys(ascii)).toEqual(Object.keys(unicode));
  expect(Object.values(ascii).flat().join("")).toMatch(/^[\x20-\x7e]+$/);
  for (const { spinner } of [unicode, ascii]) expect(new Set(spinner.map((turn) => turn.length)).size).toBe(1);
});
