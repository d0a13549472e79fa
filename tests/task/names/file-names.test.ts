/** What a word names, by where it stands: in prose, in code, alone between backticks, before a bracket. */
import { expect, test } from "bun:test";
import { endsLikeFile, fileNamedBy, isEnding, type WordContext } from "../../../src/task/names/file-names.ts";

const PROSE: WordContext = { asCode: false, alone: false, called: false };
const CODE = { ...PROSE, asCode: true };
const ALONE = { ...CODE, alone: true };
const CALLED = { ...PROSE, called: true };

/** The words that name files, of some. */
const named = (words: string, context: WordContext): string =>
  words
    .split(" ")
    .filter((word) => fileNamedBy(word, context) !== null)
    .join(" ");

test.each([
  [
    "in prose, deep paths and those with an underscore",
    PROSE,
    "foo/models/user foo/bar_baz REST/users/list",
    "foo/bar",
  ],
  ["in code, a slash may divide", CODE, "", "foo/models/user foo/bar_baz foo/bar"],
  ["alone between backticks, any path", ALONE, "foo/bar foo/", "text/html and/or TCP/IP /api/users 1/x x//y"],
  ["before a bracket, only what ends like a file", CALLED, "src/auth.py", "src/auth foo/bar_baz ./auth main.go"],
  ["well-known folders in any case", PROSE, "tests/ Src/Auth", "src/tests Client/Server"],
  ["well-known folders in code", CODE, "src/tests Client/Server", "foo/tests"],
  ["relative paths", PROSE, "./auth ../auth ~/auth", "./.. ../2 /auth"],
  [
    "no words that are joined by slashes",
    PROSE,
    "",
    "he/she/they And/or/not_it TCP/UDP/IP read/write/2 src//auth/user",
  ],
  ["globs, and no arithmetic", PROSE, "foo*bar.py src/** lib/*.c", "width*height/depth/x *http.Request"],
  ["Windows paths by their ending", PROSE, "src\\request.json src\\a.PY", "src\\request src\\array.map"],
  ["endings in any case", PROSE, "README.MD Cart.CS main.c", "x.c b.h 3.go a<b>.py 1.2.3 cart.properties"],
  ["products in prose", PROSE, "express.js vue.config.js", "Express.js node.js VUE.js"],
  ["products in code", CODE, "Express.js node.js", "Request.json request.json"],
])("%s", (_, context, files, others) => {
  expect(named(`${files} ${others}`.trim(), context)).toBe(files);
});

test("a place in a file and a scheme are no part of its name", () => {
  const words = "a.py:3 a.py:3:4-9 a.py#L3-L9 a.rb:3:in file:///srv/a.py git@host.org/lib/a.py";
  expect(words.split(" ").map((word) => fileNamedBy(word, PROSE))).toEqual([
    ...["a.py", "a.py", "a.py", "a.rb", "/srv/a.py", "host.org/lib/a.py"],
  ]);
});

test("a word ends like a file unless it is a member", () => {
  const words = "a.py a.log README.md request.json Request.json user.name a .log .py .Log a.b.log a.conf .foo".split(
    " ",
  );
  expect(words.filter(endsLikeFile)).toEqual(["a.py", "a.log", "README.md", ".log", ".py", ".Log", "a.b.log"]);
  expect(words.filter(isEnding)).toEqual([".log", ".py"]);
});
