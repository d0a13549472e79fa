/** What a terminal says about itself is taken out of the keys, wherever it is cut; everything else passes. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { answerFilter } from "../../../src/tui/terminal/answers.ts";

const ANSWERS = [
  "\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
  "\x1b]10;rgb:cdcd/d6d6/f4f4\x1b\\",
  "\x1bP>|tmux 3.4\x1b\\",
  "\x1bP1+r544e=787465726d\x1b\\",
  "\x1b_Gi=31;OK\x1b\\",
];
const KEYS = [
  "j",
  "fix it ",
  "\x1b[A",
  "\x1b[106;1:1u",
  "\x1b[<0;3;4M",
  "\x1bb",
  "\x03",
  "日本",
  "\x1b[200~a]b;c\x1b[201~",
];

const all = (parts: readonly string[]): string => {
  const filter = answerFilter();
  return parts.map(filter).join("");
};

test("answers are dropped and keys pass, whole or cut at any place", () => {
  for (const answer of ANSWERS)
    for (const key of KEYS)
      for (let cut = 0; cut <= answer.length; cut += 1)
        expect(all([`${key}${answer.slice(0, cut)}`, `${answer.slice(cut)}${key}`])).toBe(
          // Cut after the escape, the rest is what a person types after the escape key.
          cut === 1 ? `${key}${answer}${key}` : `${key}${key}`,
        );
});

test("a text without an answer passes as it is, in any chunks", () => {
  const text = fc.array(fc.constantFrom(...KEYS, "]", "P", "_", "\\", "\x1b", "a"), { maxLength: 12 });
  fc.assert(fc.property(text, (parts) => expect(all([...parts, "\x03"])).toBe([...parts, "\x03"].join(""))));
});

test("an answer that never ends holds back no key after it", () => {
  expect(all(["\x1b]11;rgb:1e", "\x03"])).toBe("\x1b]11;rgb:1e\x03");
  expect(all(["\x1bP>|tmux", "\x1b[A"])).toBe("\x1bP>|tmux\x1b[A");
});
