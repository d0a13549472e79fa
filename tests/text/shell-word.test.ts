/** Words for a shell. */
import { expect, test } from "bun:test";
import { shellWord } from "../../src/text/shell-word.ts";

test("a shell reads each word as it is meant", () => {
  const words = [
    "a.b/c-d_e",
    "a b",
    "it's",
    '"q"',
    "$HOME `id`",
    "-x",
    "=ls",
    "a=b",
    "~",
    "*",
    "a\nb",
    "!!",
    "{a,b}",
    "",
  ];
  for (const shell of ["sh", "bash"]) {
    const line = `printf '%s|' ${words.map(shellWord).join(" ")}`;
    expect(Bun.spawnSync([shell, "-c", line]).stdout.toString()).toBe(words.map((word) => `${word}|`).join(""));
  }
});

test("only what some shell changes is quoted", () => {
  expect(["src/a-b_c.py", "a:b.py", "a=b", "=ls", "-x", "~x"].map(shellWord)).toEqual([
    ...["src/a-b_c.py", "a:b.py", "a=b", "'=ls'", "'-x'", "'~x'"],
  ]);
});
