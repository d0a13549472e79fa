/** The memory section: bounded, separate, and never at the cost of what a task needs. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Bundle, ContextPackage, type LearnedJson } from "../../../src/retrieval/model/package-schema.ts";
import { renderBundle } from "../../../src/retrieval/render/bundle.ts";
import { openTokenCounter } from "../../../src/text/tokens/tokens.ts";
import { blocksOf } from "../../support/commonmark.ts";
import { floorOf, indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { HOSTILE } from "../retrieve-fixture.ts";

const world = shared(await indexed(HOSTILE));

const TITLE = "What was learned before";
const TASK = "fix `engine_step_3` of the boiler";

const note = (words: number, at = 0): LearnedJson => ({
  source: "memory",
  content: `**Memory**: note ${at} ${"the valve sticks ".repeat(words)}`.trim(),
  relevance: 0.9 - at / 100,
  metadata: { id: `mem-${at}` },
});

const { count } = await openTokenCounter("o200k_base", { margin: 0 });
const sectionOf = (markdown: string): string => markdown.split(`## ${TITLE}\n`)[1] ?? "";

const notes = fc
  .array(fc.integer({ min: 0, max: 120 }), { maxLength: 8 })
  .map((sizes) => sizes.map((words, at) => note(words, at)));

test("the text stays within the budget, and the floor is the same with and without memories", async () => {
  await fc.assert(
    fc.asyncProperty(notes, fc.double({ min: 0, max: 1, noNaN: true }), async (learned, at) => {
      const floor = await floorOf(world.run(TASK, { budget: 1 }));
      expect(await floorOf(world.run(TASK, { budget: floor - 1, learned }))).toBe(floor);
      const budget = Math.floor(floor * (20_000 / floor) ** at);
      const { pkg, markdown, prompt } = await world.run(TASK, { budget, learned });
      expect(Math.max(count(markdown), count(prompt))).toBeLessThanOrEqual(budget);
      expect(pkg.provenance.budget.floor).toBe(floor);
      expect(count(sectionOf(markdown))).toBeLessThanOrEqual(budget / 10 + 1);
      expect(pkg.learned).toEqual(learned.slice(0, pkg.learned?.length ?? 0));
      expect(pkg.files.some(({ path }) => path === "src/engine.py")).toBe(true);
    }),
    { numRuns: 6 },
  );
});

test("memories take at most a tenth of the budget, and nothing that the floor needs", async () => {
  const floor = await floorOf(world.run(TASK, { budget: 1 }));
  const small = [note(0)];
  for (const more of [0, 1, 5])
    expect((await world.run(TASK, { budget: floor + more, learned: small })).pkg.learned).toEqual([]);
  const many = Array.from({ length: 12 }, (_, at) => note(20, at));
  const { pkg, markdown } = await world.run(TASK, { budget: 3_000, learned: many });
  expect(pkg.learned?.length).toBeGreaterThan(1);
  expect(count(sectionOf(markdown))).toBeLessThanOrEqual(300);
  expect(count(sectionOf(markdown))).toBeGreaterThan(200);
});

test("a limit of lines applies to memories too", async () => {
  const floor = await floorOf(world.run(TASK, { maxLines: 1 }));
  const learned = [note(3, 1), note(3, 2), note(3, 3)];
  expect((await world.run(TASK, { maxLines: floor, learned })).pkg.learned).toEqual([]);
  const { pkg, markdown } = await world.run(TASK, { maxLines: 100, learned });
  expect(pkg.learned).toHaveLength(3);
  expect(markdown.split("\n").length - 1).toBeLessThanOrEqual(100);
});

test("with enough room the code is the same, and memories are a section after it", async () => {
  const learned = [note(4, 1), note(2, 2)];
  const [plain, more] = [await world.run(TASK), await world.run(TASK, { learned })];
  expect(more.pkg.files).toEqual(plain.pkg.files);
  expect(more.pkg.learned).toEqual(learned);
  const titles = blocksOf(more.markdown).filter(({ kind }) => kind === "heading 2");
  expect(titles.at(-1)?.text).toBe(TITLE);
  expect(more.markdown).toBe(`${plain.markdown}\n## ${TITLE}\n${learned.map(({ content }) => content).join("\n\n")}\n`);
  expect(more.prompt).toContain(`\n\n${TITLE}:\n${learned[0]?.content}\n\n${learned[1]?.content}`);
});

test("a package without memories does not mention the section", async () => {
  const { pkg, markdown, prompt } = await world.run(TASK);
  expect("learned" in pkg).toBe(false);
  expect(markdown + prompt).not.toContain(TITLE);
  const none = await world.run(TASK, { learned: [] });
  expect([none.markdown, none.prompt]).toEqual([markdown, prompt]);
});

test("a task's id depends on the memories and on whether they were requested", async () => {
  const ids = await Promise.all(
    [undefined, [], [note(1)], [note(2)]].map(
      async (learned) => (await world.run(TASK, learned === undefined ? {} : { learned })).taskId,
    ),
  );
  expect(new Set(ids).size).toBe(4);
  expect((await world.run(TASK, { learned: [note(2)] })).taskId).toBe(ids[3] ?? "");
});

test("JSON has memories in a field of their own, as its schemas say", async () => {
  const { pkg } = await world.run(TASK, { learned: [note(4)] });
  expect(ContextPackage.parse(pkg).learned).toEqual([note(4)]);
  const bundle = renderBundle(pkg, {
    intent: "x",
    links: () => ({ scores: new Map(), exported: new Set(), references: [] }),
  });
  expect(Bundle.parse(bundle).learned).toEqual([note(4)]);
});

test("a preview includes memories", async () => {
  const { dryRun, pkg } = await world.run(TASK, { budget: 4_000, learned: [note(4)] });
  const preview = await dryRun.preview({ request: {}, budget: 3_000 }, new AbortController().signal);
  expect(preview.kind === "package" ? preview.package.learned : null).toEqual(pkg.learned ?? []);
});
