/** A shown body comes with the constants that it reads and the base classes of what it belongs to, while there is room. */
import { describe, expect, test } from "bun:test";
import { indexed } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";

const FILES = {
  "src/kiln/__init__.py": "",
  "src/kiln/limits.py": `QUOTA = {"free": 10, "paid": 100}
GRACE = {
    "free": 1,
    "paid": 7,
}
UNUSED = 3


class Base:
    """The common part."""

    def describe(self):
        return self.name


class Child(Base):
    def allowance(self, kind):
        return QUOTA[kind]

    def patience(self, kind):
        return GRACE[kind]
`,
  "src/kiln/usage.py": `from kiln.limits import QUOTA


def used_share(kind, used):
    return used / QUOTA[kind]
`,
  "src/kiln/other.py": `QUOTA = None
`,
  "src/kiln/remote.py": `from kiln.limits import Base


class Remote(Base):
    def fetch_all(self):
        return 1

    def again(self):
        return self.describe()
`,
};

const kiln = shared(await indexed(FILES));
const shownOf = async (task: string, options?: Parameters<typeof kiln.run>[1]) => {
  const { pkg, markdown } = await kiln.run(task, options);
  return { names: pkg.files.flatMap(({ path, symbols }) => symbols.map(({ name }) => `${path} ${name}`)), markdown };
};
const count = (text: string, part: string): number => text.split(part).length - 1;

describe("a body", () => {
  test("comes with a constant of its file, of one line or of a few", async () => {
    const { markdown } = await shownOf("fix Child");
    expect(markdown).toContain('QUOTA = {"free": 10, "paid": 100}');
    expect(markdown).toContain('GRACE = { "free": 1, "paid": 7, }');
    expect(markdown).not.toContain("UNUSED");
  });

  test("comes with a constant that its file imports, not with another of the name", async () => {
    const { names, markdown } = await shownOf("fix used_share");
    expect(markdown).toContain('QUOTA = {"free": 10, "paid": 100}');
    expect(names).toContain("src/kiln/limits.py QUOTA");
    expect(names).not.toContain("src/kiln/other.py QUOTA");
  });

  test("comes without them when there is no room", async () => {
    const { names } = await shownOf("fix used_share", { budget: 60 });
    expect(names).toEqual(["src/kiln/usage.py used_share"]);
  });

  test("of a method comes with the base of its class", async () => {
    const { names } = await shownOf("fix fetch_all");
    expect(names).toContain("src/kiln/limits.py Base");
  });
});

test("a type whose lines are shown already is not shown again", async () => {
  const { markdown } = await shownOf("fix Remote.again");
  expect(count(markdown, "class Base:")).toBe(1);
});
