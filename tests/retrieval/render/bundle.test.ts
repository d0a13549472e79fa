/** A package as a graph: nodes once, edges between them, text once. */
import { expect, test } from "bun:test";
import { Bundle } from "../../../src/retrieval/model/package-schema.ts";
import { renderBundle } from "../../../src/retrieval/render/bundle.ts";
import { emptyPackage, packageFile, packageSymbol } from "../../support/package.ts";

const whole = packageSymbol({
  name: "A",
  kind: "class",
  start_line: 3,
  signature: "class A",
  body: "class A:\n    def run(self):\n        return 1",
});
const inside = packageSymbol({
  name: "run",
  qualified_name: "A.run",
  start_line: 4,
  signature: "def run(self)",
  body: "    def run(self):\n        return 1",
});
const overloads = [
  packageSymbol({ name: "f", start_line: 20, signature: "f(a)" }),
  packageSymbol({ name: "f", start_line: 22, signature: "f(a, b)" }),
];

const empty = emptyPackage("fix A");
const pkg = {
  ...empty,
  provenance: {
    ...empty.provenance,
    symbols: [
      { path: "a.py", qualified_name: "A", tier: "primary", detail: "body" as const, why: "the task names it" },
      { path: "b.py", qualified_name: "f", tier: "tests", detail: "signature" as const, why: "of another file" },
    ],
  },
  files: [
    packageFile({ path: "a.py", relevance_rank: 1, symbols: [whole, inside, ...overloads] }),
    packageFile({
      path: "b.py",
      relevance_rank: 2,
      snippets: [{ start_line: 1, end_line: 2, text: "x = 1\ny = 2", reason: "lines" }],
    }),
  ],
  dependency_edges: [["a.py", "b.py"] as [string, string]],
};
const id = ({ symbol_id: symbol }: { symbol_id: string }): string => symbol;
const use = [id(inside), id(whole)] as const;
const bundle = renderBundle(pkg, {
  intent: "Fix A.",
  links: () => ({
    scores: new Map([[id(whole), 0.75]]),
    exported: new Set([id(whole)]),
    references: [use, use, [id(whole), "c.py#elsewhere:1"]],
  }),
});

test("a bundle matches its schema", () => {
  expect(Bundle.parse(JSON.parse(JSON.stringify(bundle)))).toEqual(bundle);
  expect(bundle.intent).toBe("Fix A.");
});

test("every file and symbol is one node, and overloads are two", () => {
  expect(bundle.nodes.map((node) => node.id)).toEqual([
    "a.py",
    "a.py#A:3",
    "a.py#A.run:4",
    "a.py#f:20",
    "a.py#f:22",
    "b.py",
  ]);
});

test("a symbol has its own score, not that of its file", () => {
  expect(bundle.nodes.find((node) => node.id === id(whole))?.score).toBe(0.75);
});

test("edges connect nodes, and each edge appears once", () => {
  const edges = bundle.edges.map(({ from, to, type }) => `${type} ${from} ${to}`);
  expect(new Set(edges).size).toBe(edges.length);
  const ids = new Set(bundle.nodes.map((node) => node.id));
  for (const { from, to } of bundle.edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
  expect(edges.filter((edge) => !edge.startsWith("DEFINES"))).toEqual([
    "IMPORTS a.py b.py",
    "EXPORTS a.py a.py#A:3",
    "REFERENCES a.py#A.run:4 a.py#A:3",
  ]);
});

test("text appears once: not again inside a class that is shown in full", () => {
  expect(bundle.snippets.map(({ path, start_line: start, end_line: end }) => `${path} ${start}-${end}`)).toEqual([
    "a.py 3-5",
    "a.py 20-20",
    "a.py 22-22",
    "b.py 1-2",
  ]);
});

test("a snippet says the tier of its symbol and what brought it in", () => {
  expect(bundle.snippets.map(({ reason }) => reason)).toEqual([
    "primary: the task names it",
    "primary",
    "primary",
    "lines",
  ]);
});
