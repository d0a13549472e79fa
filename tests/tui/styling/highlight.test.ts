/** Every parsed language has colours. */
import { expect, test } from "bun:test";
import { PARSED_LANGUAGES } from "../../../src/languages/languages.ts";
import { highlightLine, type OpenBlock } from "../../../src/tui/styling/highlight.ts";

/** The roles of a text, line by line, without what is plain. */
function rolesIn(text: string, language: string): readonly string[] {
  let inside: OpenBlock = null;
  return text.split("\n").flatMap((line) => {
    const found = highlightLine(line, language, inside);
    inside = found.inside;
    return found.pieces.flatMap(({ text: piece, role }) => (role === "plain" ? [] : [`${role} ${piece}`]));
  });
}

/** Samples of languages whose own has only names. */
const MORE: Readonly<Record<string, string>> = {
  bash: 'if true; then echo "on"; fi',
  css: 'a::before { content: "on"; }',
  yaml: 'on: "main" # only there',
};

test.each([...PARSED_LANGUAGES].map(([language, { sample }]) => [language, sample.text] as const))(
  "%s",
  (language, text) =>
    expect([language, rolesIn(`${text}\n${MORE[language] ?? ""}`, language).length]).not.toEqual([language, 0]),
);

test("headings, code and comments of Markdown", () => {
  expect(rolesIn("# One `x`\nC# is `two`\n```py\n# no heading\n```\n<!-- three\n-->\n", "markdown")).toEqual([
    "code.comment # One `x`",
    "code.string `two`",
    "code.string ```py",
    "code.string # no heading",
    "code.string ```",
    "code.comment <!-- three",
    "code.comment -->",
  ]);
});
