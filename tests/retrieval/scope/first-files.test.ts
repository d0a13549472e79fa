/** The files to parse first: those that the task names, and the best by their words alone. */
import { expect, test } from "bun:test";
import { type FirstRequest, firstFiles } from "../../../src/retrieval/scope/first-files.ts";
import { knowledgeOf } from "../../support/knowledge.ts";

/** No file has a definition: none is parsed. */
const FILES = {
  "app/session.py": "def open_session():\n    return Session()\n",
  "app/render.py": "def render(page):\n    return page.title\n",
  "lib/cookie.py": "def bake(cookie):\n    session = cookie.session\n    return session\n",
  "lib/names.py": "class OddName:\n    pass\n",
  "lib/uses.py": "OddName()\nOddName()\n",
  "docs/guide.md": "Unrelated.\n",
  "main.py": "pass\n",
} as const;
const kb = knowledgeOf({ files: FILES });
const pathOf = new Map(kb.files().map(({ id, path }) => [id, path]));

async function first(request: Partial<FirstRequest>) {
  const all = { task: "", given: { paths: [], symbols: [], languages: [] }, names: [], weights: "default", ...request };
  const scope = { include: [], exclude: [], ...request.scope };
  const { named, ranked } = await firstFiles(kb, { ...all, weights: "default", scope }, new AbortController().signal);
  const paths = (ids: readonly number[]) => ids.map((id) => pathOf.get(id));
  return { named: paths(named), ranked: paths(ranked) };
}

test("files are ranked by their words, without definitions", async () => {
  const { named, ranked } = await first({ task: "the session of a cookie is lost" });
  expect(ranked.slice(0, 2)).toEqual(["lib/cookie.py", "app/session.py"]);
  expect(named).toEqual([]);
});

test("paths of the task and of hints are named", async () => {
  const { named } = await first({
    task: "fix app/render.py",
    given: { paths: ["docs/guide.md"], symbols: [], languages: [] },
  });
  expect(named.toSorted()).toEqual(["app/render.py", "docs/guide.md"]);
});

test("files that hold a symbol that is asked for are named, most mentions first", async () => {
  const { named } = await first({ task: "a", given: { paths: [], symbols: ["OddName"], languages: [] } });
  expect(named).toEqual(["lib/uses.py", "lib/names.py"]);
  expect((await first({ task: "a", names: ["lib/names.py:OddName"] })).named).toEqual(["lib/names.py", "lib/uses.py"]);
  expect((await first({ task: "a", names: ["names.py", "lib/render.py"] })).named).toEqual(["lib/names.py"]);
});

test("a refused folder is not ranked, but what is asked for by name is still named", async () => {
  const { named, ranked } = await first({
    task: "the session of a cookie is lost",
    names: ["lib/names.py"],
    scope: { include: [], exclude: ["lib/**"] },
  });
  expect(ranked).toEqual(["app/session.py", "main.py", "app/render.py", "docs/guide.md"]);
  expect(named).toEqual(["lib/names.py"]);
});

test("without a word of the task, files come as a map shows them: sources, entry points, the top of the tree", async () => {
  const { ranked } = await first({ task: "zebra" });
  expect(ranked).toEqual([
    "main.py",
    "app/render.py",
    "app/session.py",
    "lib/cookie.py",
    "lib/names.py",
    "lib/uses.py",
    "docs/guide.md",
  ]);
});
