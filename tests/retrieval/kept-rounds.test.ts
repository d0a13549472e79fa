/** A further round expands what the round before showed. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { changesSince, shownItems } from "../../src/retrieval/refinement/changes.ts";
import type { RefinementRequest } from "../../src/retrieval/requests/refinement.ts";
import { indexed, type Run, type RunOptions } from "../support/indexed.ts";
import type { Files } from "../support/repo.ts";
import { shared } from "../support/shared.ts";
import { MANY, SHOP } from "./retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));
const many = shared(await indexed(MANY));

const next = (of: typeof shop, run: Run, request: RefinementRequest, wishes: RunOptions, task: string): Promise<Run> =>
  of.run(task, { ...wishes, refines: { taskId: run.taskId, request } });

const PATHS = Object.keys(SHOP).filter((path) => path !== "pyproject.toml");
const some = (most: number) => fc.subarray(PATHS, { maxLength: most });
const requests = fc
  .record({
    accepted_files: some(2),
    rejected_files: some(2),
    error: fc.constantFrom(null, "CartError: full", "KeyError: at"),
  })
  .map(({ accepted_files, rejected_files, error }) => ({
    accepted_files,
    rejected_files: rejected_files.filter((path) => !accepted_files.includes(path)),
    error_signatures: error === null ? [] : [error],
  }));

/** How many things that were shown are shown no more, apart from rejected files. */
const lostItems = (before: Run, run: Run, rejected: ReadonlySet<string>): number =>
  changesSince(1, shownItems(before), shownItems(run)).dropped.filter(
    ({ path, item }) => item !== null && !rejected.has(path),
  ).length;

/** A task whose rounds nothing here continues. */
const ELSEWHERE = "0123456789ab";
/** Estimates of an item's cost may differ from its exact count by this much. */
const SLACK = 60;

test("nothing that was shown and nobody rejected leaves while there is room", async () => {
  let tasks = 0;
  const lost = { kept: 0, afresh: 0 };
  const rounds = fc.array(requests, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(rounds, fc.constantFrom(400, 700, 1_200, 32_768), async (list, budget) => {
      tasks += 1;
      const task = `a letter of prices (${tasks})`;
      let run = await shop.run(task, { budget });
      const rejected = new Set<string>();
      for (const request of list) {
        const before = run;
        run = await next(shop, before, request, { budget }, task);
        for (const path of request.rejected_files) rejected.add(path);
        const dropped = run.pkg.provenance.changes?.dropped ?? [];
        for (const { path, item } of dropped.filter((change) => change.item !== null && !rejected.has(change.path))) {
          const own = run.items.find((one) => one.path === path && one.label === item);
          expect([path, item, own !== undefined]).toEqual([path, item, true]);
          const least = own?.signatureTokens ?? own?.bodyTokens ?? 0;
          expect(budget - run.pkg.token_count).toBeLessThan(least + SLACK);
        }
        const refines = { taskId: ELSEWHERE, request: {}, again: true } as const;
        const afresh = await shop.run(task, { budget, constraints: run.constraints, refines, keeps: null });
        lost.kept += lostItems(before, run, rejected);
        lost.afresh += lostItems(before, afresh, rejected);
      }
    }),
    { numRuns: 12 },
  );
  expect(lost.afresh).toBeGreaterThan(2 * lost.kept);
});

test("what the stages no longer choose stays, with the round that showed it as the reason", async () => {
  const task = "settings of `turn_part3`";
  const wishes = { scopeSize: 3, budget: 4_000 };
  const first = await many.run(task, wishes);
  const request = { error_signatures: ["turn_part7 turn_part8 turn_part9 turn_part10 failed"] };
  const second = await next(many, first, request, wishes, task);
  const refines = { taskId: ELSEWHERE, request: {}, again: true } as const;
  const afresh = await many.run(task, { ...wishes, constraints: second.constraints, refines, keeps: null });
  expect(lostItems(first, afresh, new Set())).toBeGreaterThan(0);
  expect(second.pkg.provenance.changes?.dropped).toEqual([]);
  expect(second.selection.symbols.map(({ why }) => why)).toContain("shown in round 1");
  expect(second.selection.files.map(({ relation }) => relation)).toContain("shown in round 1");
});

/** What `drawer_total` calls is shown with it, and its name says nothing of the task. */
const TILL: Files = {
  "shop/till.py": `def drawer_total(notes):
    """The total of a drawer of the till."""
    return whole_cents(sum(notes))


def whole_cents(amount):
    rest = amount % 1
    return amount - rest
`,
  "shop/paint.py": ["red", "blue", "green", "white", "black", "brown"]
    .map((name) => `def ${name}_wall(room):\n    room.wall = "${name}"\n    return room\n`)
    .join("\n\n"),
};
const till = shared(await indexed(TILL));

test("what is shown with a definition stays in full when an accepted file has better ones", async () => {
  const first = await till.run("the drawer total is wrong");
  expect(first.markdown).toContain("rest = amount % 1");
  const second = await next(till, first, { accepted_files: ["shop/paint.py"] }, {}, "the drawer total is wrong");
  expect(second.markdown).toContain("red_wall");
  expect([second.pkg.provenance.changes?.dropped, second.pkg.provenance.changes?.demoted]).toEqual([[], []]);
  expect(second.markdown).toContain("rest = amount % 1");
});
