import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Verdict } from "../../src/judgement/judge.ts";
import { applyScope, type ScopeClass, scopeQuestion } from "../../src/judgement/scope.ts";
import { INJECTIONS } from "./injections.ts";
import { drain, judgeOn, toldModel } from "./told-model.ts";

const files = (...paths: readonly string[]) => paths.map((path) => ({ file: { path } }));
const pathsOf = (kept: readonly { readonly file: { readonly path: string } }[]) => kept.map(({ file }) => file.path);
const verdicts = (of: Readonly<Record<string, ScopeClass>>): ReadonlyMap<string, Verdict<ScopeClass>> =>
  new Map(Object.entries(of).map(([path, verdict]) => [path, { class: verdict, reason: `says of ${path}` }]));

test("the description of a file for a model", () => {
  const { candidates, classes, stage, task } = scopeQuestion("Fix it", [
    {
      path: "src/a.ts",
      language: "typescript",
      tier: "dependency",
      relation: "imported by src/b.ts",
      score: 0.51234,
      summary: [
        "Parses\nURLs.",
        "",
        "function parse(text: string): Url",
        "y".repeat(50),
        "x".repeat(500),
        "left out ".repeat(20),
      ],
    },
  ]);
  expect({ stage, task, classes: [...classes] }).toEqual({
    stage: "scope",
    task: "Fix it",
    classes: ["relevant", "irrelevant"],
  });
  expect(candidates).toEqual([
    {
      key: "src/a.ts",
      text: `src/a.ts (typescript)\ndependency, imported by src/b.ts, score 0.51\nParses URLs.\nfunction parse(text: string): Url\n${"y".repeat(50)}\n${"x".repeat(119)}…`,
    },
  ]);
});

type Outcome = { kept: string[]; out: string[]; overruled: boolean };
test.each<readonly [string, Readonly<Record<string, ScopeClass>>, readonly string[], Outcome]>([
  ["no verdicts", {}, [], { kept: ["a", "b", "c"], out: [], overruled: false }],
  ["one out", { b: "irrelevant", a: "relevant" }, [], { kept: ["a", "c"], out: ["b"], overruled: false }],
  ["a protected one", { a: "irrelevant", b: "irrelevant" }, ["a"], { kept: ["a", "c"], out: ["b"], overruled: false }],
  [
    "only a protected one is left",
    { a: "irrelevant", b: "irrelevant", c: "irrelevant" },
    ["c"],
    { kept: ["c"], out: ["a", "b"], overruled: false },
  ],
  [
    "nothing would be left",
    { a: "irrelevant", b: "irrelevant", c: "irrelevant" },
    [],
    { kept: ["a", "b", "c"], out: [], overruled: true },
  ],
  ["files that are not there", { x: "irrelevant" }, ["y"], { kept: ["a", "b", "c"], out: [], overruled: false }],
])("%s", (_, judged, protectedPaths, expected) => {
  const { kept, leftOut, overruled } = applyScope(
    files("a", "b", "c"),
    verdicts(judged),
    new Set(["a", "b", "c"]),
    new Set(protectedPaths),
  );
  expect({ kept: pathsOf(kept), out: pathsOf(leftOut), overruled }).toEqual(expected);
});

test("without files, nothing is overruled", () => {
  expect(applyScope([], verdicts({}), new Set(), new Set())).toEqual({
    kept: [],
    leftOut: [],
    unasked: [],
    overruled: false,
  });
});

test("files the model was not asked about are dropped, except protected ones, unless nothing would be left", () => {
  const given = files("a", "b", "c", "d");
  const { kept, leftOut, unasked } = applyScope(
    given,
    verdicts({ a: "irrelevant" }),
    new Set(["a", "b"]),
    new Set("d"),
  );
  expect([pathsOf(kept), pathsOf(leftOut), pathsOf(unasked)]).toEqual([["b", "d"], ["a"], ["c"]]);
  const nothing = applyScope(given, verdicts({ a: "irrelevant" }), new Set(["a"]), new Set());
  expect([nothing.kept, nothing.unasked, nothing.overruled]).toEqual([given, [], true]);
});

const path = fc.oneof(
  fc.constantFrom(...INJECTIONS),
  fc.string({ unit: "binary" }),
  fc.constantFrom("src/a.ts", "src/b.ts", "__proto__"),
);

test("property: for any reply, protected and unjudged files are kept, nothing comes in, something is left", async () => {
  const entry = fc.record({
    id: fc.nat({ max: 12 }).map((n) => `c${n}`),
    class: fc.constantFrom("relevant", "irrelevant", "irrelevant", "both"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1, maxLength: 10 }),
      fc.array(fc.nat({ max: 9 })),
      fc.array(entry).map((list) => JSON.stringify({ verdicts: list, paths: ["/etc/passwd"] })),
      async (paths, guarded, reply) => {
        const protectedPaths = new Set(guarded.flatMap((index) => paths[index] ?? []));
        const asked = scopeQuestion(
          "Fix it",
          paths.map((name) => ({
            path: name,
            language: name,
            tier: "ranked",
            relation: name,
            score: 0,
            summary: [name, name],
          })),
        );
        for (const { text } of asked.candidates) expect(text.length).toBeLessThanOrEqual(800);
        const { outcome } = await drain(
          judgeOn(toldModel(() => reply)).judge.judge(asked, new AbortController().signal),
        );
        if (!outcome.ok) return;
        const given = files(...paths);
        const { kept, leftOut } = applyScope(given, outcome.verdicts, new Set(paths), protectedPaths);
        const out = new Set(leftOut);
        expect(kept).toEqual(given.filter((file) => !out.has(file)));
        expect(kept.length).toBeGreaterThan(0);
        for (const { file } of leftOut) {
          expect(protectedPaths.has(file.path)).toBe(false);
          expect(outcome.verdicts.get(file.path)?.class).toBe("irrelevant");
        }
      },
    ),
  );
});
