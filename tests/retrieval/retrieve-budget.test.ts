/** The promise of the budget, on a repository made to break it, counted by the tokenizer's own `encode`. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { encode as encodeCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as encodeO200k } from "gpt-tokenizer/encoding/o200k_base";
import { floorOf, indexed, type Run } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { ORDINARY_TASKS } from "../support/tasks.ts";
import { HOSTILE } from "./retrieve-fixture.ts";

const PLAIN = { disallowedSpecial: new Set<string>() };
const TOKENIZERS = {
  o200k_base: (text: string): number => encodeO200k(text, PLAIN).length,
  cl100k_base: (text: string): number => encodeCl100k(text, PLAIN).length,
} as const;
type Name = keyof typeof TOKENIZERS;

const BUDGET_MAX = 65_536;

const world = shared(await indexed(HOSTILE));

const paths = Object.keys(HOSTILE);
const words =
  "engine boiler valve step value factor doubled region rate table nested letters valid until revoked scale".split(" ");
const names = [
  "engine_step_3",
  "valve_step_13",
  "boiler_step_0",
  "readEmoji",
  "read_letters",
  "rateTable",
  "nested7",
  "read_fences",
  "read_marked",
];
const nasty = [
  "{task} {context} {{types}}",
  "``` ````\n# heading\n~~~",
  "<|endoftext|>",
  "登録".repeat(300),
  "a".repeat(1_500),
  "](".repeat(500),
  "🙂👩‍👩‍👧",
  'NEAR(a, 2) OR col:x* -y "',
  "\u001b[31m\u202e\u0000",
  "\ud800",
];

/** Tasks that name nothing, something, many things, and that are longer than their section may be. */
const tasks = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }).map((list) => list.join(" ")),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...words))
    .map(([name, word]) => `fix \`${name}\` of the ${word}`),
  fc
    .array(fc.constantFrom(...paths, ...names, ...words), { minLength: 1, maxLength: 20 })
    .map((list) => `see ${list.join(" and ")}`),
  fc
    .array(fc.constantFrom(...nasty, ...words, ...names, ...paths), { minLength: 1, maxLength: 8 })
    .map((list) => `x ${list.join("\n")}`),
  fc.constantFrom(...words).map((word) => `${word} ${"the words of a long report about it ".repeat(120)}`),
  fc.constantFrom(...ORDINARY_TASKS.map(({ text }) => text)),
);
const tokenizers = fc.constantFrom<Name>("o200k_base", "o200k_base", "cl100k_base");

const sizeOf = ({ markdown, prompt }: Run, name: Name): number =>
  Math.max(TOKENIZERS[name](markdown), TOKENIZERS[name](prompt));

function holds(run: Run, budget: number, name: Name): void {
  const { pkg, markdown } = run;
  expect(sizeOf(run, name)).toBeLessThanOrEqual(budget);
  expect(pkg.token_count).toBeLessThanOrEqual(budget);
  // Counting cuts very long runs, and counts one more for each cut.
  expect(pkg.token_count).toBeGreaterThanOrEqual(TOKENIZERS[name](markdown));
  expect(pkg.provenance.budget.after).toBe(pkg.token_count);
  expect(pkg.provenance.budget.before).toBeGreaterThanOrEqual(pkg.token_count);
  expect(pkg.provenance.budget.use).toBeGreaterThanOrEqual(0.8);
  expect(pkg.provenance.budget.use).toBeLessThanOrEqual(1);
}

test("the whole repository is indexed", () => {
  expect(world.kb.files().map(({ path }) => path)).toEqual(paths.toSorted());
});

test("for any task, no text exceeds its budget, and four fifths of it are used", async () => {
  await fc.assert(
    fc.asyncProperty(tasks, tokenizers, fc.double({ min: 0, max: 1, noNaN: true }), async (task, tokenizer, at) => {
      const floor = await floorOf(world.run(task, { budget: 1, tokenizer }));
      // As many small budgets as large ones.
      const budget = Math.floor(floor * (BUDGET_MAX / floor) ** at);
      const run = await world.run(task, { budget, tokenizer });
      holds(run, budget, tokenizer);
      expect(run.pkg.provenance.budget.floor).toBe(floor);
    }),
    { numRuns: 7 },
  );
});

test("the smallest budget that a refusal names works, and one token less is refused with the same one", async () => {
  await fc.assert(
    fc.asyncProperty(tasks, tokenizers, async (task, tokenizer) => {
      const floor = await floorOf(world.run(task, { budget: 1, tokenizer }));
      holds(await world.run(task, { budget: floor, tokenizer }), floor, tokenizer);
      expect(await floorOf(world.run(task, { budget: floor - 1, tokenizer }))).toBe(floor);
    }),
    { numRuns: 5 },
  );
});

test("the task's section keeps its limit when its text needs long fences", async () => {
  for (const task of ["`".repeat(200_000), `x\n${"```\n".repeat(40_000)}`, "fix boiler_step_0 ".repeat(10_000)]) {
    const { markdown } = await world.run(task, { budget: 4_000 });
    const section = markdown.slice(0, markdown.indexOf("\n\n## "));
    expect(TOKENIZERS.o200k_base(section)).toBeLessThanOrEqual(384 + "## Task\n".length);
  }
});
