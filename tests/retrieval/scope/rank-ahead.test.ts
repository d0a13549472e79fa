/** A ranking that is made ahead of a run is used if the run asks for the same, and changes nothing. */
import { expect, test } from "bun:test";
import { KEPT_RANKINGS, rankAhead } from "../../../src/retrieval/scope/rank-ahead.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { SHOP } from "../retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));
const TASK = "the tax is added twice to the cart's sum";
const ASKED = {
  given: { paths: [], symbols: [], languages: [] },
  weights: "default",
} as const;
const EVERYWHERE = { include: [], exclude: [] };
const ahead = (task: string, scope: Parameters<typeof rankAhead>[1]["scope"] = EVERYWHERE) =>
  rankAhead(shop.kb, { task, scope, ...ASKED }, async () => undefined);

/** Whether a ranking that was made ahead was taken, of each run meanwhile. */
async function takenDuring(runs: () => Promise<void>): Promise<readonly boolean[]> {
  const taken: boolean[] = [];
  const { take } = KEPT_RANKINGS;
  KEPT_RANKINGS.take = (...asked) => {
    const found = take(...asked);
    taken.push(found !== null);
    return found;
  };
  try {
    await runs();
  } finally {
    KEPT_RANKINGS.take = take;
  }
  return taken;
}

test("a run takes the ranking of its task, once", async () => {
  const { markdown } = await shop.run(TASK);
  const taken = await takenDuring(async () => {
    await ahead(TASK);
    expect((await shop.run(TASK)).markdown).toBe(markdown);
    expect((await shop.run(TASK)).markdown).toBe(markdown);
    await ahead("round the price");
    expect((await shop.run(TASK)).markdown).toBe(markdown);
  });
  expect(taken).toEqual([true, false, false]);
});

test("a run within bounds takes the ranking of the same bounds", async () => {
  const scope = { only: ["shop"], include: ["*.py"], exclude: ["mail.py"] };
  const { markdown } = await shop.run(TASK, scope);
  const taken = await takenDuring(async () => {
    await ahead(TASK, scope);
    expect((await shop.run(TASK, scope)).markdown).toBe(markdown);
    await ahead(TASK);
    expect((await shop.run(TASK, scope)).markdown).toBe(markdown);
  });
  expect(taken).toEqual([true, false]);
});
