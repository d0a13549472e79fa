import { expect, test } from "bun:test";
import { assertionsOf } from "../../../src/retrieval/packing/test-assertions.ts";

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
check(
  "what goes on over lines is one line; what does not end soon is left out",
  "  expect(() => {\n    parse(1)\n  }).toThrow()\n  expect(() => {\n1\n2\n3\n4\n5\n6\n  }).toThrow()\n  assert (\n a ==\n b)",
  ["expect(() => { parse(1) }).toThrow()", "( a == b)"],
);
