/** Names of members with their types, where languages define members outside of them, and with their modules. */
import { expect, test } from "bun:test";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const world = shared(
  await indexed({
    "go.mod": "module example.com/lift\n",
    "lift/cabin.go": "package lift\n\ntype Cabin struct{}\n\ntype Shaft struct{}\n",
    "lift/moves.go":
      "package lift\n\nfunc (c *Cabin) Rise() {}\n\nfunc (c *Cabin) Fall() {}\n\nfunc (s *Shaft) Rise() {}\n\nfunc Rise() {}\n",
    "src/door.h": "class Door {\n public:\n  int slide(int by);\n};\n",
    "src/door.cpp":
      '#include "door.h"\n\nint Door::slide(int by) {\n  return by;\n}\n\nint slide() {\n  return 0;\n}\n',
  }),
);

/** What the task names, with its file. */
async function named(task: string, index = world): Promise<readonly string[]> {
  const { pkg } = await index.run(task);
  return pkg.provenance.symbols
    .flatMap(({ path, qualified_name: name, why }) => (why === "the task names it" ? [`${path} ${name}`] : []))
    .sort();
}

test("mean the members of that type, in any of its files", async () => {
  expect(await named("fix Cabin.Rise")).toEqual(["lift/cabin.go Cabin", "lift/moves.go Cabin.Rise"]);
  expect(await named("fix Door::slide")).toEqual([
    "src/door.cpp Door.slide",
    "src/door.h Door",
    "src/door.h Door.slide",
  ]);
});

test("mean nothing where no type of the name has such a member", async () => {
  expect(await named("fix Shaft.Fall")).toEqual(["lift/cabin.go Shaft"]);
});

const shop = shared(
  await indexed({
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/bin/shop/door.rs": "fn main() {}\n",
    "src/till.rs": "pub fn open() -> u32 {\n    1\n}\n",
    "src/door.rs": "pub fn open() -> u32 {\n    2\n}\n\npub struct Key;\n\nimpl Key {\n    pub fn turn(&self) {}\n}\n",
  }),
);

test("mean the definition in the module that stands before it, also behind the name of the crate", async () => {
  expect(await named("fix shop::door::open", shop)).toEqual(["src/door.rs open"]);
  expect(await named("fix `door::open`", shop)).toEqual(["src/door.rs open"]);
  expect(await named("fix door::turn", shop)).toEqual(["src/door.rs Key.turn"]);
});

test("name the file of the definition, not one that only the module's name leads to", async () => {
  const { pkg } = await shop.run("fix shop::door::open");
  const named = pkg.provenance.files.filter(({ reasons }) =>
    reasons.some((reason) => reason.includes("the task names")),
  );
  expect(named.map(({ path }) => path)).toEqual(["src/door.rs"]);
});

test("mean nothing in a module that another package has", async () => {
  expect(await named("fix shop::lift::open", shop)).toEqual([]);
});
