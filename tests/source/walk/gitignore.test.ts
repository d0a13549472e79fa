import { expect, test } from "bun:test";
import { parseIgnoreFile } from "../../../src/source/walk/gitignore.ts";
import { matchBudget } from "../../../src/source/walk/match-budget.ts";

const verdict = (content: string, path: string): string | null =>
  parseIgnoreFile(Buffer.from(content), ".gitignore", false, matchBudget()).verdict(
    path.replace(/\/$/, ""),
    path.endsWith("/"),
  );

/** Paths that end in a slash are folders. */
function check(content: string, ignored: readonly string[], others: readonly string[]): void {
  for (const path of ignored) expect([content, path, verdict(content, path)]).toEqual([content, path, "ignored"]);
  for (const path of others) expect([content, path, verdict(content, path)]).not.toEqual([content, path, "ignored"]);
}

test("names, anchors, folders", () => {
  check("foo", ["foo", "a/foo", "foo/"], ["foo/x", "food"]);
  check("/foo", ["foo"], ["a/foo"]);
  check("a/foo", ["a/foo"], ["b/a/foo", "foo"]);
  check("foo/", ["foo/", "a/foo/"], ["foo"]);
  check("/", [], ["a", "a/"]);
});

test("stars", () => {
  check("*.log", ["x.log", "a/b.log", ".log"], ["x.logs"]);
  check("a*c?e", ["abcde", "acxe"], ["a/ce"]);
  check("a/*", ["a/b"], ["a/b/c", "a"]);
  check("**/x", ["x", "a/x", "a/b/x"], ["ax"]);
  check("a/**", ["a/b", "a/b/c"], ["a"]);
  check("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]);
  check("a**/b", ["ax/b", "a/x/b"], ["b"]);
  check("?a**/b", ["xa/b"], ["xa/x/b"]);
  check("a**b/c", ["ab/c", "axxb/c"], ["a/b/c"]);
});

test("sets", () => {
  check("[a-c]x", ["ax", "cx"], ["dx", "-x"]);
  check("[!a-c]x", ["dx"], ["ax"]);
  check("[]x]y", ["]y", "xy"], ["y"]);
  check("[[:digit:][:upper:]]", ["1", "A"], ["a"]);
  check("[[:nonsense:]]", [], ["n", "1"]);
  check("[ab", [], ["[ab", "a"]);
  check("a[/]b", [], ["a/b"]);
  check("[\\]]", ["]"], ["\\"]);
});

test("comments, negation, quoting, white space, line ends, a byte order mark", () => {
  check("# x\n\nfoo\r\nbar", ["foo", "bar"], ["# x", ""]);
  check("\\#x", ["#x"], ["\\#x"]);
  check("\\!x", ["!x"], ["x"]);
  check("foo  \nbar\\ ", ["foo", "bar "], ["foo  ", "bar"]);
  check("\u{feff}foo", ["foo"], []);
  expect(verdict("*\n!keep", "keep")).toBe("kept");
  expect(verdict("!keep\n*", "keep")).toBe("ignored");
});

test("bytes, not characters, as git", () => {
  check("?x", ["ax"], ["éx"]);
  check("??x", ["éx"], []);
  check("é*", ["éa"], ["e"]);
});

test("a hostile pattern finishes", () => {
  const pattern = `${"*a".repeat(60)}b`;
  expect(verdict(pattern, "a".repeat(255))).toBeNull();
  expect(verdict(`x/${"**/a*/".repeat(40)}b`, `x/${"a/".repeat(300)}c`)).toBeNull();
});

test("patterns of plain names and suffixes: the last matching line wins, for files and folders", () => {
  const content = "a\n*.log\n!a/\n*.tar.gz\n!keep.log\nx*z.[ab]\n*.LOG\n!*.b\n*~\n";
  check(content, ["a", "d/a", "x.log", ".log", "q.x.log", "p.tar.gz", "xyz.a", "xz.a", "n~", "*.log"], ["a/", "xz.b"]);
  check(content, ["log.log/"], ["log", "keep.log", "tar.gz", "x.gz", "xza", "yz.a", "xz.ab"]);
  check("!b/\nb\n!c\nc/\n", ["b", "b/", "c/"], ["c"]);
});

test("a file of repeated lines finishes", () => {
  const content = Buffer.from("a\n*.b\n".repeat(170_000));
  expect(parseIgnoreFile(content, ".gitignore", false, matchBudget()).verdict("x/a", false)).toBe("ignored");
});
