/** Scores that are made ahead of a run are used if the run asks for the same, and change nothing. */
import { expect, test } from "bun:test";
import { KEPT_SCORES } from "../../../src/retrieval/lexical/lexical.ts";
import { atOnce } from "../../../src/retrieval/model/steps.ts";
import { scoreAhead } from "../../../src/retrieval/scope/score-ahead.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { SHOP } from "../retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));
const TASK = "the tax is added twice to the cart's sum";
const GIVEN = { paths: [], symbols: [], languages: [], purpose: "fix" } as const;

test("a run takes the scores of its task, once", async () => {
  const { markdown } = await shop.run(TASK);
  const taken: boolean[] = [];
  const { take } = KEPT_SCORES;
  KEPT_SCORES.take = (...asked) => {
    const found = take(...asked);
    taken.push(found !== null);
    return found;
  };
  try {
    atOnce(scoreAhead(shop.kb, TASK, GIVEN));
    expect((await shop.run(TASK)).markdown).toBe(markdown);
    expect((await shop.run(TASK)).markdown).toBe(markdown);
    atOnce(scoreAhead(shop.kb, "round the price", GIVEN));
    expect((await shop.run(TASK)).markdown).toBe(markdown);
  } finally {
    KEPT_SCORES.take = take;
  }
  expect(taken).toEqual([false, true, false, false, false]);
});
