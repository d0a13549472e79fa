/** Members of a class that a short task names, when its file holds nothing else. */
import { expect, test } from "bun:test";
import { withMembers } from "../../../src/retrieval/precision/named-members.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { symbolRow } from "../../support/symbol-row.ts";

const methods = (names: readonly string[]): string =>
  names.map((name) => `    def ${name}(self):\n        first = 1\n        return first\n`).join("\n");
const WORDS = "open shut lift lower turn halt wait ring light lock clean paint weigh"
  .split(" ")
  .flatMap((word) => ["", "_up", "_down", "_all", "_soon"].map((ending) => word + ending));

const lifts = shared(
  await indexed({
    "lift/cabin.py": `class Cabin:\n    """Goes up and down."""\n\n${methods(WORDS)}`,
    "lift/doors.py": `class Door:\n    """Slides."""\n\n${methods(WORDS)}\n\nclass Sill:\n    def rest(self):\n        return 1\n`,
  }),
);

const shown = async (task: string): Promise<readonly string[]> =>
  (await lifts.run(task, { coverage: "auto" })).pkg.provenance.symbols.flatMap(({ qualified_name, detail }) =>
    detail === "body" ? [qualified_name ?? ""] : [],
  );

test("are shown with it, although no word of the task matches them", async () => {
  for (const task of ["fix Cabin", "fix Cabin in cabin.py", "fix Cabin in lift/cabin.py"]) {
    const names = await shown(task);
    for (const word of WORDS) expect(names).toContain(`Cabin.${word}`);
  }
});

test("are not where the file holds another class", async () => {
  const names = new Set(await shown("fix Door in lift/doors.py"));
  expect(WORDS.filter((word) => !names.has(`Door.${word}`)).length).toBeGreaterThan(10);
});

test("are not when one of them is named: the class only says which", () => {
  const symbols = [
    symbolRow(1, 1, "Cabin", "class"),
    symbolRow(2, 1, "ring", "method", { qualifiedName: "Cabin.ring", parentId: 1 }),
  ];
  const members = (named: readonly number[]): readonly string[] =>
    withMembers({ named: new Set(named), placed: [], symbols }).map(({ symbol }) => symbol.qualifiedName);
  expect(members([1])).toEqual(["Cabin.ring"]);
  expect(members([1, 2])).toEqual([]);
});
