/** Names in arguments mean the same to hints, refinements and explanations, however they are written. */
import { expect, test } from "bun:test";
import { findAnchors } from "../../../src/retrieval/anchors/anchors.ts";
import { placeTyped } from "../../../src/retrieval/anchors/typed-names.ts";
import { explain } from "../../../src/retrieval/explain/explain.ts";
import type { Anchor } from "../../../src/retrieval/model/anchor.ts";
import { refineTargets } from "../../../src/retrieval/refinement/refine-targets.ts";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { analyzeTask } from "../../../src/task/analyze.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const shop = shared(
  await indexed({
    "src/assets.rs": "pub struct Assets;\nimpl Assets {\n    pub fn load() -> Assets {\n        Assets\n    }\n}\n",
    "src/paging/mod.rs": "pub fn open_pager() -> u32 {\n    let size = 7;\n    size\n}\n",
    "context.go":
      "package shop\n\ntype Context struct{}\n\nfunc (c *Context) Reply(code int) int {\n\treturn code\n}\n",
    "bind/json.go": "package bind\n\nfunc Default(name string) string {\n\treturn name\n}\n",
    "web/view.js":
      "function View() {}\nView.prototype.lookup = function lookup(name) {\n  return name;\n};\nmodule.exports = View;\n",
    "web/acme/Till.java":
      "package web.acme;\n\npublic class Till {\n  int count(String name) {\n    return 1;\n  }\n}\n",
    "py/cli.py": "def main():\n    return 0\n",
    "py/other.py": "def apart():\n    return 0\n",
  }),
);
const { taskId } = await shop.run("explain the assets");
const files = shop.kb.files();
const pathOf = (id: number): string => files.find((file) => file.id === id)?.path ?? "";

const pathsOf = (anchors: readonly Anchor[]): string =>
  anchors.flatMap((anchor) => anchor.files.map(pathOf)).join(" ") || "none";

/** What hints, a refinement and an explanation take a name for. */
async function meant(name: string, list: "missing_files" | "missing_symbols"): Promise<readonly string[]> {
  const given = {
    ...{ paths: list === "missing_files" ? [name] : [], symbols: list === "missing_symbols" ? [name] : [] },
    languages: [],
  };
  const hints = findAnchors(analyzeTask("explain it", { given, concepts: new Set() }), shop.kb, files);
  const { anchors } = refineTargets({ ...NO_CONSTRAINTS, [list]: [name] }, shop.kb, files);
  const explained = await explain(shop.log, shop.kb, taskId, name).catch(() => null);
  return [
    pathsOf(hints.filter(({ kind }) => kind === "hint")),
    pathsOf(anchors),
    explained === null ? "none" : (explained.decisions[0]?.path ?? explained.unrecorded?.path ?? "none"),
  ];
}

test.each([
  ...["bind/json.go", "a/bind/json.go", "b/bind/json.go", "shop/bind/json.go", "bind\\json.go", "@bind/json.go"],
  ...["bind/json.go:3", "bind/json.go:3:5", "bind/json.go#L3-L4", "bind/json.go:3-4", "./bind/json.go"],
  ...["file:///home/me/shop/bind/json.go", "C:\\work\\shop\\bind\\json.go:3", "/home/me/shop/bind/json.go"],
  ...[
    "https://github.com/acme/shop/blob/main/bind/json.go#L3-L4",
    "https://github.com/acme/shop/blob/main/bind/json.go",
  ],
])("%s is the file", async (name) => {
  expect(await meant(name, "missing_files")).toEqual(["bind/json.go", "bind/json.go", "bind/json.go"]);
});

test.each([
  ["bat::assets::Assets::load", "src/assets.rs"],
  ["crate::assets::Assets", "src/assets.rs"],
  ["super::Assets::load", "src/assets.rs"],
  ["Assets<'a>::load", "src/assets.rs"],
  ["bat::paging::open_pager", "src/paging/mod.rs"],
  ["shop.Context.Reply", "context.go"],
  ["github.com/acme/shop.Context", "context.go"],
  ["github.com/acme/shop.(*Context).Reply", "context.go"],
  ["(*shop.Context).Reply", "context.go"],
  ["github.com/acme/shop/bind.Default", "bind/json.go"],
  ["bind.Default", "bind/json.go"],
  ["View.prototype.lookup", "web/view.js"],
  ["web/view.js:View.prototype.lookup", "web/view.js"],
  ["View#lookup", "web/view.js"],
  ["web.acme.Till.count(String)", "web/acme/Till.java"],
  ["Till#count(String, int)", "web/acme/Till.java"],
  ["py.cli:main", "py/cli.py"],
])("%s is the definition", async (name, path) => {
  expect(await meant(name, "missing_symbols")).toEqual([path, path, path]);
});

test("a module that is elsewhere, and lines of no file, mean nothing", async () => {
  for (const name of ["web.other.Till.count", "py.cli.apart", "other.cli:apart"])
    expect([name, await meant(name, "missing_symbols")]).toEqual([name, ["none", "none", "none"]]);
  expect(await meant("nowhere/json.go:3", "missing_files")).toEqual(["none", "none", "none"]);
});

test("the lines of a place", () => {
  const place = (typed: string) => Object.values(placeTyped(typed));
  expect(place("a.go")).toEqual(["a.go", null, null]);
  expect(place("a.go:10:5")).toEqual(["a.go", 10, null]);
  expect(place("a.go#L10-L20")).toEqual(["a.go", 10, 20]);
  expect(place("file:///srv/a%20b.go:7")).toEqual(["/srv/a b.go", 7, null]);
  expect(place("file:///C:/work/a.go")).toEqual(["C:/work/a.go", null, null]);
  expect(place("https://github.com/acme/shop/blob/main/a.go#L10-L20")).toEqual(["a.go", 10, 20]);
});
