/** What stands around a method is shown with it, as long as it is short. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { NO_CONSTRAINTS } from "../../../src/retrieval/model/refinement.ts";
import { type Indexed, indexed } from "../../support/indexed.ts";

const method = (name: string, lines: number): string =>
  `    def ${name}(self):\n${Array.from({ length: lines }, (_, at) => `        self.count_${name}_${at}()\n`).join("")}`;
const FILES = {
  // Long enough for its own lines to be shown without its members.
  "short.py": `class Drawer(Furniture):\n    width = 3\n\n${method("open_quietly", 6)}\n${method("other", 60)}`,
  "long.py": `class Cupboard(Furniture):\n${Array.from({ length: 60 }, (_, at) => `    shelf_${at} = ${at}\n`).join("")}\n${method("lock_twice", 6)}`,
  "more.py": Array.from({ length: 30 }, (_, at) => `def unrelated_${at}():\n    return ${at}\n`).join("\n"),
};

let world: Indexed;
beforeAll(async () => {
  world = await indexed(FILES);
});
afterAll(() => world[Symbol.dispose]());

test("the own lines of a short class come with its method, those of a long one do not", async () => {
  const short = (await world.run("`open_quietly` is too loud", { budget: 260 })).markdown;
  expect(short).toContain("self.count_open_quietly_5()");
  expect(short).toContain("class Drawer(Furniture):\n    width = 3\n");
  expect(short).not.toContain("self.count_other_59()");
  const long = (await world.run("`lock_twice` locks once", { budget: 260 })).markdown;
  expect(long).toContain("self.count_lock_twice_5()");
  expect(long).not.toContain("class Cupboard");
});

test("a class that is to be left out is not shown around a method that is wanted", async () => {
  const constraints = { ...NO_CONSTRAINTS, as_body: ["short.py:Drawer.open_quietly"], left_out: ["short.py:Drawer"] };
  const { markdown } = await world.run("`open_quietly` is too loud", { budget: 260, constraints });
  expect(markdown).toContain("self.count_open_quietly_5()");
  expect(markdown).not.toContain("class Drawer");
});
