/** Which documents an explanation shows first. */
import { expect, test } from "bun:test";
import { canExplain } from "../../../src/languages/file-role.ts";
import { indexed } from "../../support/indexed.ts";

const LONG = Array.from({ length: 60 }, (_, at) => `Line ${at} of it.`).join("\n");
const FILES = {
  "post/parcel.py":
    'def weigh_parcel(items):\n    """The weight of a parcel."""\n    return sum(items)\n\n\ndef stamp_parcel(items):\n    return len(items)\n',
  "CHANGELOG.md": `# Changes\n\n- weigh a parcel twice\n- weigh each parcel again\n\n${LONG}\n`,
  LICENSE: `Licence of the parcel.\n\nWhoever may weigh a parcel.\n\n${LONG}\n`,
  ".github/contributing.md": `# Contributing\n\nWeigh a parcel first.\n\n${LONG}\n`,
  Procfile: "weigh: parcel --weigh\n",
  "docs/office.md": `# Office\n\n${LONG}\n\nA parcel is put on the scales to weigh it.\n\n${LONG}\n`,
  "docs/yard.md": `# Yard\n\nParcels are here.\n\n${LONG}\n`,
};

test("an explanation begins with documents that explain code, not with licences, lists of changes or rules for contributors", async () => {
  using world = await indexed(FILES);
  const { pkg } = await world.run("how do we weigh a parcel", { purpose: "explain", budget: 4_000, coverage: "auto" });
  const paths = pkg.files.map(({ path }) => path);
  expect(paths[0]).toBe("docs/office.md");
  expect(paths).toContain("post/parcel.py");
  expect(paths.filter((path) => /CHANGELOG|LICENSE|contributing/.test(path))).toEqual([]);
  expect(paths.indexOf("Procfile")).not.toBe(0);
});

test("a document is shown by its lines that match, not by its beginning", async () => {
  using world = await indexed({
    "post/store.py": "def cache_parcel(items):\n    return items\n\n\ndef send(items):\n    return 0\n",
    "docs/parcel.md": `# Office\n\n${LONG}\n\n${"It has a till.\n".repeat(30)}`,
  });
  const { pkg } = await world.run("how is a parcel cached", { purpose: "explain", budget: 4_000, coverage: "auto" });
  expect(pkg.files.map(({ path }) => path)).toEqual(["post/store.py"]);
});

test.each([
  ["README.md", "markdown", true],
  ["docs/history.rst", "rst", true],
  ["notes/cart.txt", "text", true],
  ["README", "text", true],
  ["packages/cart/CHANGELOG.md", "markdown", false],
  ["HISTORY.md", "markdown", false],
  ["LICENSE-MIT", "text", false],
  ["docs/CODE_OF_CONDUCT.md", "markdown", false],
  [".github/ISSUE_TEMPLATE/bug.md", "markdown", false],
  ["go.sum", "text", false],
])("%s can explain code: %#", (path, language, expected) => {
  expect(canExplain({ path, language })).toBe(expected);
});
