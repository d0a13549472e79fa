/** What must hold of a package whatever a model replies, and what a judgement leaves in the records. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ModelCallRow } from "../../../src/db/raw-log/raw-log.ts";
import { openSession } from "../../../src/db/session/session.ts";
import { Failed } from "../../../src/failure.ts";
import type { ModelFailure } from "../../../src/llm/model.ts";
import { judgementMemory } from "../../../src/retrieval/judging/judgement-cache.ts";
import type { Judging, OpenJudge } from "../../../src/retrieval/model/judging.ts";
import { ContextPackage } from "../../../src/retrieval/model/package-schema.ts";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { idsIn, judgeOn, saying, type Told, toldModel } from "../../judgement/told-model.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { indexed, type Run, type RunOptions } from "../../support/indexed.ts";
import { itemsOf, listsOf, stageOf } from "../../support/judging-reply.ts";
import { shared } from "../../support/shared.ts";
import { SHOP } from "../retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));

const TASK = "the cart sum is wrong: fix price_total in shop/price.py";
let models = 0;

/** A wish for a model that no run has asked before, so that nothing is remembered. */
function judgedBy(
  told: Told,
  how: Partial<Judging> = {},
): RunOptions & { readonly openJudge: OpenJudge; readonly calls: ModelCallRow[]; requests(): number } {
  models += 1;
  const name = how.model ?? `told-${models}`;
  const model = { ...toldModel(told), name };
  const calls: ModelCallRow[] = [];
  const openJudge: OpenJudge = ({ memory, onCall }) => {
    const record = (call: ModelCallRow): void => {
      calls.push(call);
      onCall(call);
    };
    const { judge } = judgeOn(model, { memory, onCall: record });
    return { judge, sayFailure: ({ kind }) => ({ why: kind, next: "try again" }) };
  };
  return {
    openJudge,
    judging: { model: name, assistOnly: false, strict: false, ...how },
    calls,
    requests: () => model.requests.length,
  };
}

const pathsOf = ({ selection }: Run) => selection.files.map(({ file }) => file.path);
const floorOf = ({ selection }: Run) =>
  selection.symbols.filter(({ floor }) => floor).map(({ symbol, tier }) => `${symbol.qualifiedName} ${tier}`);

/** Lists by dice: some of the numbers, some of nobody's, under names right and wrong. */
const dice =
  (seeds: readonly number[], foreign: string): Told =>
  ({ prompt, format }) => {
    const numbers = [...idsIn(prompt), 0, 999, "../../etc/passwd", foreign, "__proto__"];
    const chosen = (name: string): readonly unknown[] =>
      numbers.filter((_, at) => ((seeds[at % seeds.length] ?? 0) + name.length) % 3 === 0);
    const names = [...listsOf(format), "words", "best", "constructor"];
    return JSON.stringify({ ...Object.fromEntries(names.map((name) => [name, chosen(name)])), budget: 10_000_000 });
  };

const FAILURES: readonly ModelFailure[] = [
  { kind: "unreachable", why: "refused" },
  { kind: "timeout", limit: "idle", seconds: 1 },
  { kind: "invalid", why: "it is not JSON" },
];

const anyReply: fc.Arbitrary<Told> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(fc.nat(99), { minLength: 1, maxLength: 40 }), fc.string({ unit: anyCharacter }))
      .map(([seeds, reason]) => dice(seeds, reason)),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: anyCharacter }).map(
      (text): Told =>
        () =>
          text,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.json().map(
      (text): Told =>
        () =>
          text,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...FAILURES).map(
      (failure): Told =>
        () =>
          failure,
    ),
  },
);

/** How often a run asks in spite of such failures; else every stage does. */
const ASKED: ReadonlyMap<string, number> = new Map([
  ["unreachable", 1],
  ["timeout", 2],
]);

describe("with any reply of a model", () => {
  test("seeds and the floor stay, the budget holds, nothing foreign is added, and the package is valid", async () => {
    const plain = await shop.run(TASK, { budget: 600 });
    const known = new Set(shop.kb.files().map(({ path }) => path));
    expect(plain.selection.seeds.length).toBeGreaterThan(0);
    expect(floorOf(plain).length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(anyReply, fc.integer({ min: 400, max: 3_000 }), async (told, budget) => {
        const run = await shop.run(TASK, { budget, ...judgedBy(told) });
        expect(ContextPackage.safeParse(run.pkg).error).toBeUndefined();
        expect(run.pkg.budget).toBe(budget);
        expect(run.pkg.token_count).toBeLessThanOrEqual(budget);
        const paths = pathsOf(run);
        expect(paths).toEqual(
          expect.arrayContaining(
            plain.selection.files.flatMap(({ file, tier }) => (tier === "seed" ? [file.path] : [])),
          ),
        );
        expect(paths.filter((path) => !known.has(path))).toEqual([]);
        expect(run.selection.files.map(({ rank }) => rank)).toEqual(paths.map((_, index) => index + 1));
        expect(floorOf(run)).toEqual(expect.arrayContaining([...floorOf(plain)]));
        expect(run.pkg.files.map(({ path }) => path)).toContain("shop/price.py");
        const ids = new Set(run.selection.files.map(({ file }) => file.id));
        expect(run.selection.symbols.filter(({ symbol }) => !ids.has(symbol.fileId))).toEqual([]);
        for (const row of shop.log.decisions(run.taskId))
          expect([row.reason, row.reason.trim() !== ""]).toEqual([row.reason, true]);
      }),
      { numRuns: 12 },
    );
  });

  test("accepted and missing files stay too", async () => {
    const constraints = {
      ...NO_CONSTRAINTS,
      accepted_files: ["shop/mail.py"],
      missing_symbols: ["StockKeeper.reserve_shelf"],
    };
    const run = await shop.run(TASK, { constraints, ...judgedBy(saying("none")) });
    expect(pathsOf(run)).toEqual(expect.arrayContaining(["shop/mail.py", "shop/price.py", "shop/stock.py"]));
    const shown = run.pkg.files.flatMap(({ symbols }) => symbols.map((symbol) => symbol.qualified_name));
    expect(shown).toEqual(expect.arrayContaining(["send_newsletter", "StockKeeper.reserve_shelf", "price_total"]));
  });

  test("a model that never gives verdicts changes only the id and adds one warning", async () => {
    const plain = await shop.run(TASK);
    for (const failure of FAILURES) {
      const wish = judgedBy(() => failure);
      const run = await shop.run(TASK, wish);
      const said = `the model is left out of the whole run: ${failure.kind}; try again`;
      expect({ ...run.pkg, task_id: "" }).toEqual({
        ...plain.pkg,
        task_id: "",
        warnings: [...plain.pkg.warnings, said],
      });
      expect([run.markdown, run.prompt]).toEqual([plain.markdown, plain.prompt]);
      expect(run.taskId).not.toBe(plain.taskId);
      const told = run.events.flatMap((event) =>
        event.event === "notice" && event.code === "judgement-failed" ? [event.message] : [],
      );
      expect(told).toEqual([said]);
      expect(shop.log.runs(run.taskId).at(-1)?.result?.notices).toContainEqual({
        code: "judgement-failed",
        message: said,
      });
      expect(wish.requests()).toBe(ASKED.get(failure.kind) ?? 3);
    }
  });

  test("a model that fails in some stages gives one warning with those stages", async () => {
    const gone: ModelFailure = { kind: "refused", status: 500, why: "gone" };
    const first: Told = (request, call) => saying(listsOf(request.format)[0] ?? "")(request, call);
    for (const [fails, said] of [
      [[0], "analysis goes on without the model's judgement: refused; try again"],
      [[1, 2], "scope and precision go on without the model's judgement: refused; try again"],
    ] as const) {
      const run = await shop.run(
        TASK,
        judgedBy((request, call) => (fails.some((at) => at === call) ? gone : first(request, call))),
      );
      expect(run.pkg.warnings).toContain(said);
      expect(run.events.filter((event) => event.event === "notice" && event.code === "judgement-failed")).toEqual([
        { event: "notice", code: "judgement-failed", message: said },
      ]);
    }
  });

  test("the notice of sending comes once, before the first call, and not when all answers are remembered", async () => {
    const told: Told = (request, call) => saying(listsOf(request.format)[0] ?? "")(request, call);
    const sending = { code: "model-remote", host: "models.example" } as const;
    for (const [expected, model] of [
      [1, "afar"],
      [0, "afar"],
    ] as const) {
      const wish = judgedBy(told, { model });
      const run = await shop.run(TASK, {
        ...wish,
        openJudge: (records) => ({ ...wish.openJudge(records), sending }),
      });
      const names = run.events.map((event) => (event.event === "notice" ? event.code : event.event));
      expect(names.filter((name) => name === "model-remote")).toHaveLength(expected);
      if (expected === 1) expect(names.indexOf("model-remote")).toBe(names.indexOf("judgement_started") - 1);
      expect(run.pkg.warnings.join()).not.toContain("models.example");
    }
  });

  test("a task of more than a sentence is not asked about", async () => {
    const asked: string[] = [];
    const told: Told = (request, call) => {
      asked.push(stageOf(request));
      return saying("none")(request, call);
    };
    await shop.run(`${TASK}. It adds the tax twice, since the last release.`, judgedBy(told));
    expect(asked).toEqual(["scope", "precision"]);
  });

  test("with --strict, the first failure ends the run, which is logged as failed", async () => {
    const wish = judgedBy(() => ({ kind: "refused", status: 500, why: "gone" }), { strict: true, model: "strict" });
    const ended = await shop.run(TASK, wish).catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(Failed);
    expect(ended instanceof Failed && ended.failure).toEqual({
      code: "model-failed",
      stage: "analysis",
      why: "refused",
      next: "try again",
    });
    expect(shop.log.runs().at(-1)?.result?.status).toBe("failed");
  });
});

describe("a judgement", () => {
  test("is evidence: it takes nothing out, and its record says what it changed", async () => {
    const plain = await shop.run(TASK);
    const run = await shop.run(
      TASK,
      judgedBy((request, call) =>
        saying(listsOf(request.format).includes("primary") ? "supporting" : "none")(request, call),
      ),
    );
    expect(pathsOf(run).toSorted()).toEqual(pathsOf(plain).toSorted());
    const decisions = shop.log.decisions(run.taskId);
    const judged = decisions.filter(({ stage }) => stage === "scope:judgement");
    expect(judged.map(({ path }) => path).toSorted()).toEqual(pathsOf(plain).toSorted());
    for (const { included, reason } of judged)
      expect([included, reason]).toEqual([
        true,
        expect.stringMatching(/^judged irrelevant by told-\d+, (?:stays at place \d+|place \d+ to \d+)$/),
      ]);
    const held = decisions.filter(({ stage, symbol }) => stage === "precision:judgement" && symbol === "price_total");
    expect(held).toMatchObject([
      { tier: "supporting", included: true, reason: expect.stringMatching(/^judged supporting by /) },
    ]);
  });

  /** Lists the file of that path, and its symbols. */
  const listing =
    (path: string): Told =>
    (request) => {
      const chosen = itemsOf(request).filter(({ text, group }) => text.split("\n")[0] === path || group === path);
      const [first = "", ...others] = listsOf(request.format);
      return JSON.stringify({
        [first]: chosen.map(({ id }) => id),
        ...Object.fromEntries(others.map((name) => [name, []])),
      });
    };

  test("makes symbols that it lists worth more if its answers show that it knows something", async () => {
    const words = ["price", "basket", "discount", "code", "ignores"];
    using place = await indexed({
      "shop/total.py": `def price_total(basket, discount):\n    """The price of a basket ignores its discount code."""\n    return basket\n`,
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [
          `shop/part_${at}.py`,
          `def part_${at}(items):\n    """About the ${words[at % words.length]} of part ${at}."""\n    return items\n`,
        ]),
      ),
    });
    const task = "the price_total of a basket ignores its discount code";
    const whyOf = async (told: Told): Promise<string | undefined> =>
      (await place.run(task, judgedBy(told))).selection.symbols.find(({ symbol }) => symbol.name === "price_total")
        ?.why;
    expect(await whyOf(listing("shop/total.py"))).toContain("judged primary by");
    expect(await whyOf(listing("shop/part_29.py"))).not.toContain("judged");
  });

  test("moves a file that it lists, twice, up", async () => {
    using place = await indexed(
      Object.fromEntries(
        Array.from({ length: 24 }, (_, at) => [
          `shop/part_${at}.py`,
          `def cart_sum_${at}(items):\n    """The sum of a cart${", again and again".repeat(at % 5)}."""\n    return sum(items)\n`,
        ]),
      ),
    );
    const task = "the sum of a cart is wrong";
    const plain = await place.run(task);
    const [, second = ""] = pathsOf(plain);
    const run = await place.run(task, judgedBy(listing(second)));
    expect(pathsOf(run)[0]).toBe(second);
    expect(pathsOf(run).slice(1)).toEqual(pathsOf(plain).filter((path) => path !== second));
    const [best = ""] = pathsOf(plain);
    expect(pathsOf(await place.run(task, judgedBy(listing("no such file"))))[0]).toBe(best);
  });

  test("is reused in the rounds of a task, and repeated with another model", async () => {
    const told: Told = (request, call) => saying(listsOf(request.format)[0] ?? "")(request, call);
    const [one, two, three] = [
      judgedBy(told, { model: "same" }),
      judgedBy(told, { model: "same" }),
      judgedBy(told, { model: "other" }),
    ];
    const runs = [await shop.run(TASK, one), await shop.run(TASK, two), await shop.run(TASK, three)];
    expect([one, two, three].map((wish) => wish.requests())).toEqual([3, 0, 3]);
    expect(runs.map(({ round }) => round)).toEqual([1, 2, 1]);
    expect(JSON.stringify(runs[1]?.pkg)).toBe(JSON.stringify(runs[0]?.pkg));
  });

  test("is repeated after the session was edited", () => {
    using place = openedSession("00000000beef");
    const { session } = place;
    const { round } = session.begin("2024-01-01T00:00:00.000Z");
    const key = "ab".repeat(32);
    judgementMemory(session, round).keep(new Map([[key, "relevant"]]));
    expect(judgementMemory(session, round).recall(key)).toBe("relevant");
    session.set(round, "judgements", { "../x": 1 });
    expect(judgementMemory(session, round).recall(key)).toBeUndefined();
    expect(judgementMemory(session, round).recall("../x")).toBeUndefined();
  });
});

function openedSession(id: string) {
  const session = openSession(shop.sessions, id);
  return { session, [Symbol.dispose]: () => session.close() };
}
