import { expect, test } from "bun:test";
import fc from "fast-check";
import { Failed } from "../../../src/failure.ts";
import { DEFAULT_TEMPLATE, parseTemplate, renderPrompt } from "../../../src/retrieval/render/prompt.ts";
import { emptyPackage, packageFile, packageSymbol } from "../../support/package.ts";

const fill = (template: string, task = "do it"): string =>
  renderPrompt(emptyPackage(task), { template: parseTemplate(template, "t.txt") });

test("placeholders are filled, and doubled braces are braces", () => {
  expect(fill("T={task}; {{task}} }} {{")).toBe("T=do it; {task} } {");
  expect(fill(DEFAULT_TEMPLATE)).toContain("do it");
});

test("the line breaks after an empty placeholder are removed, in the template's own text only", () => {
  expect(fill("{task}\n\n{context}\n\n{types}\n\n{tests}\n")).toBe("do it\n");
  expect(fill("a\n\n{types}\n\nb {tests}\nc\n")).toBe("a\n\nb \nc\n");
  expect(fill("{task}\n\n{types}\n\n{task}", "x\n\n\n")).toBe("x\n\n\n\n\nx\n\n\n");
  expect(fill("{types}{tests}")).toBe("");
});

for (const [template, what] of [
  ["{tasks}", 'the unknown placeholder "{tasks}"'],
  ["{}", 'the unknown placeholder "{}"'],
  ["{ task }", 'the unknown placeholder "{ task }"'],
  ["a { b", "a { without its }"],
] as const)
  test(`a template with ${what} is refused`, () => {
    expect(() => parseTemplate(template, "t.txt")).toThrow(Failed);
    expect(() => parseTemplate(template, "t.txt")).toThrow(what);
  });

test("filled-in text is never read as a template", () => {
  const hostile = fc.constantFrom("{context}", "{task}", "$&", "$1", "{{", "}}", "{nope}", "\n", "x");
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 30 }), (parts) => {
      const task = parts.join("");
      expect(fill("<{task}|{task}>", task)).toBe(`<${task}|${task}>`);
    }),
  );
});

test("tests never seem to belong to the list of dependencies", () => {
  const base = emptyPackage("do it");
  const symbols = [packageSymbol({ name: "f", start_line: 1, signature: "def f()", body: "def f(): pass" })];
  const pkg = {
    ...base,
    provenance: { ...base.provenance, edges_shown: 1 },
    dependency_edges: [["tests/test_a.py", "a.py"]] satisfies [string, string][],
    files: [
      packageFile({ path: "a.py", relevance_rank: 1, symbols }),
      packageFile({ path: "tests/test_a.py", relevance_rank: 2, symbols, test_assertions: [] }),
    ],
  };
  const render = (template: string): string => renderPrompt(pkg, { template: parseTemplate(template, "t.txt") });
  expect(render(DEFAULT_TEMPLATE)).toContain(
    "\n\nDependencies:\ntests/test_a.py → a.py\n\nTests:\n### tests/test_a.py (rank #2)\n",
  );
  expect(render("{context}\n\nChecks:\n{tests}")).toContain("a.py\n\nChecks:\n### tests/test_a.py (rank #2)\n");
  expect(render("{tests}")).toStartWith("### tests/test_a.py");
});

test("a template of one megabyte is parsed in one pass", () => {
  const text = "{{x}}".repeat(200_000);
  expect(fill(text)).toBe("{x}".repeat(200_000));
});
