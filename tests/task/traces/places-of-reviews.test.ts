/** Places that reviews and continuous integration name, and paths below a user's folder on Windows. */
import { expect, test } from "bun:test";
import { analyzeTask } from "../../../src/task/analyze.ts";

const query = (text: string) =>
  analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });

const places = (text: string) => query(text).frames.map(({ path, line }) => `${path}:${line}`);

test("an annotation of GitHub is a diagnostic of a compiler", () => {
  const { title, frames, sections } = query(
    "Lint fails\n::error file=src/a.ts,line=3,col=4::Unexpected any\n::warning title=No,file=lib/b.py,line=7,endLine=9::No docs",
  );
  expect(title).toBe("Lint fails");
  expect(frames.map(({ path, line }) => `${path}:${line}`)).toEqual(["src/a.ts:3", "lib/b.py:7"]);
  expect(sections.map(({ kind }) => kind)).toEqual(["title", "error", "trace"]);
  expect(query("::error file=src/a.ts,line=3::Unexpected any").frames).toHaveLength(1);
});

test("a comment of a review is at the lines below its file", () => {
  expect(
    places(
      "Address the review\n\nsrc/lib/foo.ts\nComment on lines +40 to +52\n\nNo.\n\nsrc/b.ts\n\nOutdated\nComment on line R7\nNo.",
    ),
  ).toEqual(["src/lib/foo.ts:40", "src/b.ts:7"]);
});

test("the folder of a user with a blank in the name cuts no path", () => {
  const text = [
    "It crashes",
    "Error: Cannot find module 'C:\\Users\\Max Mustermann\\shop\\src\\cart.js'",
    "    at C:\\Users\\Max Mustermann\\shop\\src\\pay.js:12:5",
    "C:/Users/Max Mustermann/shop/src/Tax.cs(3,5): error CS0103: The name",
  ].join("\n");
  const { frames, fileHints } = query(text);
  expect(frames.map(({ path }) => path.replace(/^C:\/Users\/[^/]+/, "~"))).toEqual([
    "~/shop/src/pay.js",
    "~/shop/src/Tax.cs",
  ]);
  expect(fileHints.every((hint) => hint.text.startsWith("C:"))).toBe(true);
});

test("what a form asks to paste names nothing", () => {
  const text =
    "It loops\n\n[paste the output of `info.sh` here]\n# Paste the output here show_versions() here\n[paste] is here";
  const { fileHints, symbolHints, sections } = query(text);
  expect([fileHints, symbolHints]).toEqual([[], []]);
  expect(sections.map((section) => section.text)).toEqual(["It loops", "[paste] is here"]);
});
