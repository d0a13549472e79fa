/** Comments as blocks: which lines are one block, and what is left without the signs of the language. */
import { expect, test } from "bun:test";
import { PLAIN_STYLE } from "../../../src/languages/syntax.ts";
import { findCommentBlocks } from "../../../src/syntax/facts/comments.ts";
import type { Match } from "../../../src/syntax/query/match.ts";
import { linesOf } from "../../../src/text/lines.ts";

const SIGNS = [{ begin: "<#", end: "#>" }];

/** The blocks of a text in which these are the comments. */
function blocksIn(comments: readonly string[], signs: typeof SIGNS) {
  const text = comments.join("\n");
  let at = 0;
  const matches = comments.map((comment): Match => {
    const span = { start: at, end: at + comment.length };
    at += comment.length + 1;
    return { pattern: 0, captures: new Map([["comment", span]]), settings: new Map() };
  });
  const blocks = findCommentBlocks(
    { text, parsed: text, code: text, lines: linesOf(text), style: PLAIN_STYLE },
    matches,
    signs,
  );
  return blocks.map(({ line, endLine, content }) => [line, endLine, content]);
}

test("a block comment of the language stands alone, without its signs", () => {
  const comments = ["# one", "# two", "<#", " .SYNOPSIS", "#>"];
  const whole = [...comments.slice(0, 2), comments.slice(2).join("\n"), "<# short #>", "<# without an end"];
  expect(blocksIn(whole, SIGNS)).toEqual([
    [1, 2, "one\ntwo"],
    [3, 5, ".SYNOPSIS"],
    [6, 6, "short"],
    [7, 7, "without an end"],
  ]);
});

test("a sign of another language is text", () => {
  expect(blocksIn(["<# a #>"], [])).toEqual([[1, 1, "<# a #>"]]);
});

test("stars and the long brackets of Lua are known without an entry, and beside one", () => {
  for (const signs of [
    [],
    [
      { begin: "/*", end: "*/" },
      { begin: "--[[", end: "]]" },
    ],
  ])
    expect(blocksIn(["/**\n * Adds.\n */", "--[==[ long ]==]"], signs)).toEqual([
      [1, 3, "Adds."],
      [4, 4, "long"],
    ]);
});
