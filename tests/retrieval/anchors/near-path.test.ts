/** Which file a mistyped path may mean. */
import { expect, test } from "bun:test";
import { nearPath } from "../../../src/retrieval/anchors/near-path.ts";
import { knowledgeOf } from "../../support/knowledge.ts";

const PATHS = [
  ...["context.go", "context_test.go", "lib/response.js", "test/res.redirect.js", "app/main.py", "app/run.py"],
  ...["web/forms.py", "api/forms.py", "src/administration.py", "lib/mode.js"],
];
const files = knowledgeOf({
  files: Object.fromEntries(PATHS.map((path) => [path, { text: "x\n", symbols: [] }])),
}).files();

test.each([
  ["a missing letter", "contxt.go", "context.go"],
  ["two letters swapped", "lib/repsonse.js", "lib/response.js"],
  ["in another folder", "src/lib/response.js", "lib/response.js"],
  ["with slashes of Windows", String.raw`lib\reponse.js`, "lib/response.js"],
  ["two mistakes in a long name", "src/adminstraton.py", "src/administration.py"],
  ["of two with nearly that name, that in the folder", "api/form.py", "api/forms.py"],
])("%s", (_, typed, expected) => {
  expect(nearPath(typed, files)).toBe(expected);
});

test.each([
  ["two mistakes in a short name", "lib/respnse.ts"],
  ["another extension", "context.js"],
  ["no extension", "lib/reponse"],
  ["a method of an object", "res.redirect"],
  ["a short name", "app/rum.py"],
  ["another first letter", "Node.js"],
  ["two files as near", "form.py"],
  ["nothing", ""],
])("%s means no file", (_, typed) => {
  expect(nearPath(typed, files)).toBeNull();
});
