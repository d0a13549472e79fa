/** What is said of paths in a task that no file has. */
import { expect, test } from "bun:test";
import { noticeSentence } from "../../../src/notice-sentence.ts";
import { findAnchors } from "../../../src/retrieval/anchors/anchors.ts";
import { unknownPaths } from "../../../src/retrieval/scope/unknown-paths.ts";
import { analyzeTask } from "../../../src/task/analyze.ts";
import { knowledgeOf } from "../../support/knowledge.ts";

const kb = knowledgeOf({
  files: Object.fromEntries(
    ["lib/response.js", "lib/views.js", "test/view.js"].map((path) => [path, { text: "x\n", symbols: [] }]),
  ),
});

function said(text: string, candidates = kb.files()): readonly string[] {
  const given = { paths: [], symbols: [], languages: [] };
  const task = analyzeTask(text, { given, concepts: new Set() });
  return unknownPaths(task, findAnchors(task, kb, candidates), kb).map(noticeSentence);
}

test("a mistyped path is named with what may be meant", () => {
  const meant = `the task names "lib/reponse.js", which is not in the index; did you mean lib/response.js?`;
  expect(said("lib/reponse.js: redirect should warn when url is undefined")).toEqual([meant]);
});

test("a file of that name in another folder is named", () => {
  const meant = `the task names "src/response.js", which is not in the index; did you mean lib/response.js?`;
  expect(said("src/response.js should warn")).toEqual([meant]);
});

test.each([
  ["a path of a file", "lib/response.js should warn"],
  ["a path that is like no other", "settings.py should warn"],
  ["a report, which names files of its author's", "It fails. I call it in `lib/reponse.js`.\n\n    a = 1\n"],
])("nothing is said of %s", (_, text) => {
  expect(said(text)).toEqual([]);
});

test("a file that is no candidate is in the index all the same", () => {
  const tests = kb.files().filter(({ path }) => path.startsWith("test/"));
  expect(said("lib/views.js should warn", tests)).toEqual([]);
});
