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
import { NO_CONSTRAINTS } from "../../../src/retrieval/model/refinement.ts";
import { idsIn, judgeOn, saying, type Told, toldModel } from "../../judgement/told-model.ts";
import { indexed, type Run, type RunOptions } from "../../support/indexed.ts";
import type { Files } from "../../support/repo.ts";
import { shared } from "../../support/shared.ts";
import { SHOP } from "../retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));

const TASK = "the cart sum is wrong: fix `price_total` in shop/price.py";
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
const classesIn = (format: unknown): readonly string[] =>
  [...JSON.stringify(format).matchAll(/"class":\{"type":"string","enum":\[([^\]]*)\]/g)].flatMap(([, names]) =>
    [...(names ?? "").matchAll(/"(\w+)"/g)].map(([, name]) => name ?? ""),
  );

/** Verdicts by dice: some of the ids, some of nobody's, classes right and wrong, reasons of any kind. */
const dice =
  (seeds: readonly number[], reason: string): Told =>
  ({ prompt, format }) => {
    const ids = [...idsIn(prompt), "c0", "c999", "../../etc/passwd", "shop/mail.py", "__proto__"];
    const classes = [...classesIn(format), "best", "constructor"];
    return JSON.stringify({
      verdicts: ids.flatMap((id, at) => {
        const seed = seeds[at % seeds.length] ?? 0;
        return seed % 7 === 0 ? [] : [{ id, class: classes[seed % classes.length], reason }];
      }),
      budget: 10_000_000,
    });
  };

const FAILURES: readonly ModelFailure[] = [
  { kind: "unreachable", why: "refused" },
  { kind: "timeout", limit: "idle", seconds: 1 },
  { kind: "invalid", why: "it is no JSON" },
];

const anyReply: fc.Arbitrary<Told> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(fc.nat(99), { minLength: 1, maxLength: 40 }), fc.string({ unit: "binary" }))
      .map(([seeds, reason]) => dice(seeds, reason)),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "binary" }).map(
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
      { numRuns: 60 },
    );
  });

  test("accepted and missing files stay too", async () => {
    const constraints = {
      ...NO_CONSTRAINTS,
      accepted_files: ["shop/mail.py"],
      missing_symbols: ["StockKeeper.reserve_shelf"],
    };
    // The last class is the least in every question.
    const least: Told = (request, call) => saying(classesIn(request.format).at(-1) ?? "")(request, call);
    const run = await shop.run(TASK, { constraints, ...judgedBy(least) });
    expect(pathsOf(run).toSorted()).toEqual(["shop/mail.py", "shop/price.py", "shop/stock.py"]);
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
    const first: Told = (request, call) => saying(classesIn(request.format)[0] ?? "")(request, call);
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
    const told: Told = (request, call) => saying(classesIn(request.format)[0] ?? "")(request, call);
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

describe("more candidates than fit in a question", () => {
  const TASK_OF_MANY = "the sum of a cart is wrong";
  /** 260 functions that match alike. */
  const manySymbols = (): Files =>
    Object.fromEntries(
      Array.from({ length: 19 }, (_, file) => [
        `shop/part_${file}.py`,
        Array.from(
          { length: 14 },
          (_, at) => `def cart_sum_${file}_${at}(items):\n    """The sum of a cart."""\n    return sum(items)\n`,
        ).join("\n\n"),
      ]),
    );
  const of =
    (precision: string): Told =>
    (request, call) =>
      saying(classesIn(request.format).includes("primary") ? precision : (classesIn(request.format)[0] ?? ""))(
        request,
        call,
      );

  const namesOf = ({ selection }: Run) => selection.symbols.map(({ symbol }) => symbol.qualifiedName).toSorted();

  test("symbols ranked too low to be judged are left out, so exclusions by the model make no room for them", async () => {
    using place = await indexed(manySymbols());
    const plain = await place.run(TASK_OF_MANY);
    expect(plain.selection.symbols.length).toBeGreaterThan(220);
    const run = await place.run(TASK_OF_MANY, judgedBy(of("supporting")));
    expect(run.selection.symbols).toHaveLength(200);
    const rows = place.log
      .decisions(run.taskId)
      .filter(({ stage, tier }) => stage.endsWith(":judgement") && tier === "unasked");
    expect(rows.length).toBe(plain.selection.symbols.length - 200);
    expect(new Set(rows.map(({ included, reason }) => `${included} ${reason}`))).toEqual(
      new Set(["false not among the 200 best, which were judged"]),
    );
    const shown = new Set(run.selection.symbols.map(({ symbol }) => symbol.qualifiedName));
    for (const { symbol } of rows) expect(shown.has(symbol ?? "")).toBe(false);

    const none = await place.run(TASK_OF_MANY, judgedBy(of("excluded")));
    expect(namesOf(none)).toEqual(namesOf(plain));
    expect(none.pkg.warnings.filter((line) => line.includes("finds nothing that the task needs"))).toHaveLength(1);

    const { path = "", symbol = null } = rows[0] ?? {};
    const wished = await place.run(TASK_OF_MANY, {
      constraints: { ...NO_CONSTRAINTS, as_body: [`${path}:${symbol ?? ""}`] },
      ...judgedBy(of("supporting")),
    });
    expect(wished.selection.symbols.map(({ symbol }) => symbol.qualifiedName)).toContain(symbol ?? "");
  });

  test("files ranked too low are left out too, except those that the task names", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 230 }, (_, at) => [
        `shop/cart_${at}.py`,
        `def cart_sum_${at}(items):\n    return sum(items)\n`,
      ]),
    );
    using place = await indexed({ ...files, "zz/last.py": "def quite_other(x):\n    return x\n" });
    const task = `${TASK_OF_MANY}, see zz/last.py`;
    const plain = await place.run(task, { scopeSize: 300 });
    expect(plain.selection.files.length).toBeGreaterThan(220);
    const run = await place.run(task, { scopeSize: 300, ...judgedBy(of("primary")) });
    const kept = run.selection.files.map(({ file }) => file.path);
    expect(kept).toEqual(expect.arrayContaining(["zz/last.py"]));
    expect([200, 201]).toContain(kept.length);
    const out = place.log
      .decisions(run.taskId)
      .filter(({ stage, tier }) => stage === "scope:judgement" && tier === "unasked");
    expect(out.map(({ path }) => path).filter((path) => kept.includes(path))).toEqual([]);
    expect(out.length + kept.length).toBe(plain.selection.files.length);
  });
});

describe("a judgement", () => {
  test("is part of events and session, next to the result without it", async () => {
    const plain = await shop.run(TASK);
    const run = await shop.run(
      TASK,
      judgedBy(({ prompt, format }, call) =>
        saying(classesIn(format).includes("irrelevant") ? "irrelevant" : "supporting")(
          { prompt, system: "", format: {}, replyTokensMax: 1 },
          call,
        ),
      ),
    );
    const scoped = run.events.find((event) => event.event === "stage_finished" && event.stage === "scope");
    const seeds = plain.selection.files.filter(({ tier }) => tier === "seed");
    expect(pathsOf(run).toSorted()).toEqual(seeds.map(({ file }) => file.path).toSorted());
    expect(scoped).toMatchObject({ counts: { seed: seeds.length } });
    expect(scoped).not.toHaveProperty("counts.dependency");
    const decisions = shop.log.decisions(run.taskId);
    expect(decisions.filter(({ stage, included }) => stage === "scope" && included).length).toBeGreaterThan(
      seeds.length,
    );
    for (const { path, included, reason } of decisions.filter(({ stage }) => stage === "scope:judgement")) {
      const isSeed = seeds.some(({ file }) => file.path === path);
      expect([path, included]).toEqual([path, isSeed]);
      expect(reason).toStartWith(isSeed ? "judged irrelevant, but the task names it" : `judged irrelevant by told-`);
    }
    const held = decisions.filter(({ stage, symbol }) => stage === "precision:judgement" && symbol === "price_total");
    expect(held).toMatchObject([
      { tier: "supporting", included: true, reason: "judged supporting, but the task names it, so it stays" },
    ]);
    expect(decisions.filter(({ stage }) => stage === "analysis:judgement").map(({ kind }) => kind)).toContain("word");
  });

  test("is reused in the rounds of a task, and repeated with another model", async () => {
    const told: Told = (request, call) => saying(classesIn(request.format)[0] ?? "")(request, call);
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
    judgementMemory(session, round).keep(key, { verdicts: [] });
    expect(judgementMemory(session, round).recall(key)).toEqual({ verdicts: [] });
    session.set(round, "judgements", { "../x": 1 });
    expect(judgementMemory(session, round).recall(key)).toBeUndefined();
    expect(judgementMemory(session, round).recall("../x")).toBeUndefined();
  });
});

function openedSession(id: string) {
  const session = openSession(shop.sessions, id);
  return { session, [Symbol.dispose]: () => session.close() };
}
