import { expect, test } from "bun:test";
import { assertionsOf } from "../../../../src/retrieval/packing/items/test-assertions.ts";
import { indexed } from "../../../support/indexed.ts";

const check = (name: string, source: string, expected: readonly string[]) =>
  test(name, () => {
    const lines = source.split("\n");
    expect(assertionsOf(lines, 1, lines.length)).toEqual([...expected]);
  });

check("pytest", "def test_a():\n    x = f()\n    assert x.ok\n    with pytest.raises(ValueError):\n        f(1)", [
  "x.ok",
  "with pytest.raises(ValueError):",
]);
check("unittest", "    self.assertEqual(a, b)\n    self.fail_fast()", ["self.assertEqual(a, b)"]);
check(
  "jest and node",
  "  expect(x).toBe(1);\n  await expect(y).rejects.toThrow();\n  assert.equal(a, b);\n  t.is(a, b)\n  expectation()",
  ["expect(x).toBe(1)", "await expect(y).rejects.toThrow()", "assert.equal(a, b)", "t.is(a, b)"],
);
check("chai", "  res.status.should.equal(200)\n  shouldNot(1)", ["res.status.should.equal(200)"]);
check("comments and words that begin alike are none", "# assert x\nassertion = 1\nassertive()", []);
check(
  "at most eight",
  Array.from({ length: 20 }, (_, at) => `assert x${at}`).join("\n"),
  Array.from({ length: 8 }, (_, at) => `x${at}`),
);
check("the same twice is there once", "assert x\nassert x", ["x"]);
check("a long one is cut, and says so", `assert x == "${"🙂".repeat(120)}"`, [`x == "${"🙂".repeat(97)}…`]);
check(
  "what goes on over lines is one line; what does not end soon is left out",
  "  expect(() => {\n    parse(1)\n  }).toThrow()\n  expect(() => {\n1\n2\n3\n4\n5\n6\n  }).toThrow()\n  assert (\n a ==\n b)",
  ["expect(() => { parse(1) }).toThrow()", "( a == b)"],
);

test("tests of one name keep their own assertions", async () => {
  const filler = `        rows = [${"1, 2, 3, ".repeat(120)}]\n`;
  const inClass = (owner: string, total: number) =>
    `class ${owner}:\n    def test_total(self):\n        assert total_price(${total}) == ${total}\n${filler}\n`;
  using repo = await indexed({
    "price.py": "def total_price(count: int) -> int:\n    return count\n",
    "tests/test_price.py": `from price import total_price\n\n\n${inClass("TestOne", 1)}${inClass("TestTwo", 2)}`,
  });
  const { pkg } = await repo.run("total_price is wrong, add tests", { budget: 400 });
  expect(pkg.files.find(({ path }) => path === "tests/test_price.py")?.test_assertions).toEqual([
    "TestOne.test_total: total_price(1) == 1",
    "TestTwo.test_total: total_price(2) == 2",
  ]);
});
