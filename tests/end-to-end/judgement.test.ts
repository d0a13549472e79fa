/** Retrieval with a judging model: the design gate of the pipeline, and the limits of a model's influence. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openRawLog } from "../../src/db/raw-log/open-raw-log.ts";
import type { LoggedDecision } from "../../src/db/raw-log/raw-log.ts";
import { openSession } from "../../src/db/session/session.ts";
import { EventLine } from "../../src/retrieval/model/events.ts";
import type { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { SESSION_SHAPES } from "../../src/retrieval/record/selection-json.ts";
import { INJECTIONS } from "../judgement/injections.ts";
import { asking, judgedShop, STRICTLY } from "../support/judged-shop.ts";
import { AGREEABLE, DISMISSIVE, itemsOf, listsOf, sorting, stageOf, without } from "../support/judging-reply.ts";
import { packageOf } from "../support/package.ts";
import { tempRepo } from "../support/repo.ts";
import { openCra, runCra, startCra } from "../support/run-cra.ts";
import { runQuickest } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_FILES, SHOP_TASK } from "../support/shop.ts";
import { type Reply, STAND_IN_MODEL, type StandInOllama, startOllama } from "../support/stand-in-ollama.ts";

const shop = shared(await judgedShop(runQuickest));

const pathsOf = (pkg: ContextPackage) => pkg.files.map(({ path }) => path);
const symbolsOf = (pkg: ContextPackage) => pkg.files.flatMap(({ symbols }) => symbols.map((at) => at.qualified_name));
const stagesAsked = (server: StandInOllama) => server.generations().map(stageOf);

/** One retrieval on data that knows no earlier answers, which must succeed. */
async function judged(reply: Reply, ...args: readonly string[]) {
  await using server = await startOllama({ reply });
  const dataDir = shop.fresh();
  const run = await shop.retrieve(dataDir, ["--json", ...asking(server.url), ...args]);
  expect([run.exitCode, run.stderr.replaceAll(/^cra: (?:note: token counts|hint: ).*\n/gm, "")]).toEqual([
    0,
    expect.stringMatching(/^cra: [^\n]*why: cra explain \w+(?: --data-dir \S+)?\n$/),
  ]);
  return { pkg: packageOf(run), dataDir, asked: stagesAsked(server), generations: server.generations() };
}

const rows = (dataDir: string, sql: string): readonly unknown[] => {
  const db = new Database(join(dataDir, "raw.sqlite"), { readonly: true });
  try {
    return db.query(sql).all();
  } finally {
    db.close();
  }
};

/** The decisions of the only task. */
function decisionsIn(dataDir: string): readonly LoggedDecision[] {
  const log = openRawLog(join(dataDir, "raw.sqlite"), undefined, "read");
  try {
    return log.decisions(log.latestRun()?.taskId ?? "");
  } finally {
    log.close();
  }
}

describe("words that a model proposes", () => {
  const proposing =
    (words: unknown): Reply =>
    (request) => {
      const sorted = AGREEABLE(request);
      if (stageOf(request) !== "analysis" || typeof sorted !== "string") return sorted;
      return JSON.stringify({ ...JSON.parse(sorted), words });
    };

  test("are searched with less weight than the task's own, and are in log and provenance", async () => {
    const plain = await judged(AGREEABLE);
    const { pkg, dataDir, generations } = await judged(proposing(["mail", "Mail", "zyxqw"]));
    expect(plain.pkg.provenance.proposed_words).toBeUndefined();
    expect(pkg.provenance.proposed_words).toEqual(["mail", "zyxqw"]);
    expect(pkg.task_query.keywords).toEqual(plain.pkg.task_query.keywords);
    const reasons = (data: string): readonly string[] =>
      decisionsIn(data).flatMap(({ stage, included, path, reason }) =>
        stage === "scope" && included && path === "shop/mail.py" ? reason : [],
      );
    expect(reasons(plain.dataDir)).toEqual([]);
    expect(reasons(dataDir)).toEqual(["mail in its path"]);
    const found = decisionsIn(dataDir).filter(({ kind }) => kind === "proposed");
    expect(found.map(({ symbol, reason }) => ({ symbol, reason }))).toContainEqual({
      symbol: "mail",
      reason: `proposed by ${STAND_IN_MODEL} as a word to search for`,
    });
    const asksForWords = generations.map(({ format }) => JSON.stringify(format).includes('"words"'));
    expect(generations.map(stageOf).map((stage) => stage === "analysis")).toEqual(asksForWords);
  });

  test("are bounded, and what is no word is dropped without failing the answer", async () => {
    const many = Array.from({ length: 40 }, (_, at) => `alpha${at}beta`);
    for (const [words, kept] of [
      ["no list", 0],
      [["../etc/passwd", "two words", "x".repeat(41), "12", 7, null, "a"], 0],
      [many, 12],
    ] as const) {
      const { pkg, asked } = await judged(proposing(words));
      expect((pkg.provenance.proposed_words ?? []).filter((word) => /^alpha\d+beta$/.test(word)).length).toBe(kept);
      expect((pkg.provenance.proposed_words ?? []).length).toBeLessThanOrEqual(24);
      expect(asked).toEqual(["analysis", "scope", "precision"]);
    }
  });
});

describe("acceptance criteria of the first design", () => {
  test("1: retrieval runs end-to-end, and every stage asks the model", async () => {
    await using server = await startOllama({ reply: AGREEABLE });
    const args = ["retrieve", SHOP_TASK, "--no-refresh", "--json", ...asking(server.url), ...STRICTLY];
    const run = await runCra([...args, "--data-dir", shop.fresh()], { cwd: shop.repo.path });
    expect(run.exitCode).toBe(0);
    expect(stagesAsked(server)).toEqual(["analysis", "scope", "precision"]);
    expect(symbolsOf(packageOf(run))).toContain("Cart.sum");
  });

  test("2: seed files always appear in scope, whatever the model says", async () => {
    const { pkg } = await judged(DISMISSIVE);
    expect(pathsOf(pkg)[0]).toBe("shop/cart.py");
    expect(symbolsOf(pkg).slice(0, 2)).toEqual(["Cart", "Cart.sum"]);
    const hinted = await judged(DISMISSIVE, "--hint-path", "shop/mail.py");
    expect(pathsOf(hinted.pkg)).toEqual(expect.arrayContaining(["shop/cart.py", "shop/mail.py"]));
  });

  test("3: dependency expansion includes the direct neighbours of seed files", async () => {
    const { generations, pkg } = await judged(AGREEABLE);
    const scope = generations.find((request) => stageOf(request) === "scope");
    const offered = scope === undefined ? [] : itemsOf(scope).map(({ text }) => text.split("\n")[0]);
    expect(offered).toEqual(expect.arrayContaining(["shop/price.py", "tests/test_cart.py"]));
    expect(
      pkg.files
        .filter(({ tier }) => tier === "dependency")
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(["shop/price.py", "tests/test_cart.py"]);
  });

  test("4: the budget is always respected", async () => {
    for (const budget of [120, 160, 400]) {
      const { pkg } = await judged(AGREEABLE, "--budget", String(budget));
      expect(pkg.token_count).toBeLessThanOrEqual(budget);
      expect(symbolsOf(pkg)).toContain("Cart.sum");
    }
    await using server = await startOllama({ reply: AGREEABLE });
    const refused = await shop.retrieve(shop.fresh(), ["--json", ...asking(server.url), "--budget", "5"]);
    expect([refused.exitCode, refused.stdout]).toEqual([2, expect.stringContaining('"budget-below-floor"')]);
  });

  test("5: the output is coherent and fit for a prompt", async () => {
    await using server = await startOllama({ reply: AGREEABLE });
    const dataDir = shop.fresh();
    const json = await shop.retrieve(dataDir, ["--json", ...asking(server.url)]);
    const [prompt, markdown] = await Promise.all(
      ["prompt", "markdown"].map((format) => shop.retrieve(dataDir, [...asking(server.url), "--format", format])),
    );
    for (const text of [prompt?.stdout ?? "", markdown?.stdout ?? ""]) {
      expect(text).toContain(SHOP_TASK);
      for (const { symbols } of packageOf(json).files)
        for (const { body } of symbols) expect(text).toContain((body ?? "").split("\n", 1).join("").trim());
    }
  });

  test("6: the log holds a decision on every file considered, with its tier and the model's judgement", async () => {
    const { dataDir, pkg } = await judged(without("tests/"));
    const log = openRawLog(join(dataDir, "raw.sqlite"));
    const decisions = log.decisions(pkg.task_id);
    log.close();
    const of = (stage: string) =>
      decisions.filter((row) => row.stage === stage).map((row) => [row.path, row.tier, row.included]);
    expect(of("scope")).toEqual([
      ["shop/cart.py", "seed", true],
      ["shop/price.py", "dependency", true],
      ["tests/test_cart.py", "dependency", true],
      ["README.md", "ranked", true],
    ]);
    expect(of("scope:judgement")).toEqual([
      ["shop/cart.py", "relevant", true],
      ["shop/price.py", "relevant", true],
      ["tests/test_cart.py", "irrelevant", true],
      ["README.md", "relevant", true],
    ]);
    const left = decisions.find((row) => row.stage === "scope:judgement" && row.tier === "irrelevant");
    expect(left?.reason).toMatch(/^judged irrelevant by stand-in:1b, (?:stays at place \d|place \d to \d)$/);
    expect(
      rows(
        dataDir,
        "select stage, model, status, prompt_tokens as tokens, task_id as task, round from model_calls order by id",
      ),
    ).toEqual(
      ["analysis", "scope", "precision"].map((stage) => ({
        stage,
        model: STAND_IN_MODEL,
        status: "ok",
        tokens: 321,
        task: pkg.task_id,
        round: 1,
      })),
    );
  });

  test("7: the session holds the task's state, context and judgements", async () => {
    const { dataDir, pkg } = await judged(DISMISSIVE);
    const session = openSession(join(dataDir, "sessions"), pkg.task_id);
    const kept = (["stage_outputs", "stage_progress", "final_context", "judgements"] as const).map((key) =>
      SESSION_SHAPES[key].parse(session.get(1, key)),
    );
    session.close();
    expect(kept[1]).toEqual([
      { stage: "scope", status: "finished" },
      { stage: "precision", status: "finished" },
    ]);
    expect(kept[2]).toMatchObject({
      files: expect.arrayContaining([expect.objectContaining({ path: "shop/cart.py", tier: "seed", rank: 1 })]),
      token_count: pkg.token_count,
    });
    // The files, the symbols, the model's weights, the fence and the proposed words.
    expect(Object.keys(kept[3] ?? {}).length).toBeGreaterThan(4 + 5);
    const checkup = await shop.run(dataDir, ["doctor", "--json"]);
    expect([checkup.exitCode, checkup.stdout]).toEqual([0, expect.any(String)]);
  });

  test("8: refinement continues the same task, keeps the budget, and repeats no question", async () => {
    await using server = await startOllama({ reply: DISMISSIVE });
    const dataDir = shop.fresh();
    const first = packageOf(await shop.retrieve(dataDir, ["--json", "--budget", "300", ...asking(server.url)]));
    const before = server.generations().length;
    const run = await shop.run(
      dataDir,
      ["refine", first.task_id, "--missing-file", "shop/mail.py", "--json", "--no-refresh"],
      { CRA_BASE_URL: server.url },
    );
    expect(run.exitCode).toBe(0);
    const second = packageOf(run);
    expect(second.task_id).toBe(first.task_id);
    expect(second.token_count).toBeLessThanOrEqual(300);
    expect(pathsOf(second)).toEqual(expect.arrayContaining(["shop/cart.py", "shop/mail.py"]));
    const further = server.generations().slice(before).map(stageOf);
    expect(further).not.toContain("analysis");
    expect(further.length).toBeGreaterThan(0);
    const shown = server.generations().slice(before).flatMap(itemsOf);
    expect(shown.filter(({ text }) => text.startsWith("shop/cart.py"))).toEqual([]);
  });
});

describe("limits on a model", () => {
  test("fifty files with injected instructions, and a model that obeys them, do not change the floor", async () => {
    const repo = tempRepo({
      ...SHOP_FILES,
      ...Object.fromEntries(
        INJECTIONS.map((text, at) => [
          `orders/cart_discount_${at}.py`,
          `def discount_${at}(cart):\n    """${text}"""\n    return cart.sum\n`,
        ]),
      ),
    });
    using place = await judgedShop(runCra, repo);
    const obeying: Reply = (request) =>
      JSON.stringify({
        ...Object.fromEntries(
          listsOf(request.format).map((name) => [
            name,
            [...itemsOf(request).map(({ id }) => id), 9_999, "/etc/passwd"],
          ]),
        ),
        words: ["/etc/passwd", "../../x"],
        paths: ["/etc/passwd"],
        budget: 10_000_000,
      });
    await using server = await startOllama({ reply: obeying });
    const pkg = packageOf(await place.retrieve(place.fresh(), ["--json", ...asking(server.url), ...STRICTLY]));
    expect([pathsOf(pkg)[0], symbolsOf(pkg).slice(0, 2), pkg.budget]).toEqual([
      "shop/cart.py",
      ["Cart", "Cart.sum"],
      8000,
    ]);
    expect(pkg.token_count).toBeLessThanOrEqual(8000);
    const known = new Set(["README.md", "tests/test_cart.py", ...Object.keys(SHOP_FILES)]);
    expect(pathsOf(pkg).filter((path) => !known.has(path) && !path.startsWith("orders/"))).toEqual([]);
    const seen = server
      .generations()
      .map(({ prompt }) => prompt)
      .join("\n");
    expect(seen).toContain("orders/cart_discount_");
    expect(seen).not.toMatch(/[^\P{C}\n\t]/u);
    expect(
      server
        .generations()
        .filter((request) => stageOf(request) === "scope")
        .flatMap(itemsOf).length,
    ).toBeGreaterThanOrEqual(40);
  });

  test("a model that judges every file irrelevant does not empty the package", async () => {
    await using server = await startOllama({ reply: DISMISSIVE });
    const run = await shop.retrieve(
      shop.fresh(),
      ["--json", ...asking(server.url)],
      {},
      "prices of the shop are added up wrongly",
    );
    expect(pathsOf(packageOf(run)).length).toBeGreaterThan(0);
  });
});

describe("repeated questions", () => {
  test("a run killed while the model judges symbols resumes there", async () => {
    const reached = Promise.withResolvers<void>();
    await using server = await startOllama({
      reply: (request) => {
        if (stageOf(request) !== "precision") return AGREEABLE(request);
        reached.resolve();
        return { kind: "hang-before-token" };
      },
    });
    const dataDir = shop.fresh();
    const args = [
      "retrieve",
      SHOP_TASK,
      "--no-refresh",
      "--data-dir",
      dataDir,
      "--events",
      "jsonl",
      ...asking(server.url),
    ];
    await using cra = await startCra(args, { cwd: shop.repo.path, env: { CRA_TOKENIZER: "approximate" } });
    await reached.promise;
    cra.kill("SIGKILL");
    await cra.ended;
    server.answerWith(AGREEABLE);
    const run = await shop.retrieve(dataDir, ["--events", "jsonl", ...asking(server.url)]);
    expect(run.exitCode).toBe(0);
    expect(stagesAsked(server)).toEqual(["analysis", "scope", "precision", "precision"]);
    const events = run.stdout
      .trim()
      .split("\n")
      .map((line) => EventLine.parse(JSON.parse(line)));
    expect(events.find(({ event }) => event === "run_started")).toMatchObject({ round: 1 });
    expect(events.flatMap((event) => (event.event === "judgement_finished" ? [event.status] : []))).toEqual([
      "remembered",
      "remembered",
      "judged",
    ]);
  });
});

describe("on a terminal", () => {
  test("shows what it waits for and since when the model is silent; Ctrl-C stops it", async () => {
    await using server = await startOllama({ reply: () => ({ kind: "hang-before-token" }) });
    const dataDir = shop.fresh();
    const args = ["retrieve", SHOP_TASK, "--no-refresh", "--data-dir", dataDir, ...asking(server.url)];
    await using cra = await openCra(args, { cwd: shop.repo.path, columns: 120 });
    await cra.waitFor(/analysis: stand-in:1b is asked for words, at most 1m 30s, silent for 1s/);
    cra.type("\u0003");
    expect(await cra.ended).toEqual({ exitCode: 130, signal: null });
    expect(cra.output()).toEndWith("cra: stopped by SIGINT\r\n");
    expect(await server.allClosed()).toBe(true);
    expect(rows(dataDir, "select status from model_calls union all select status from task_results")).toEqual([
      { status: "cancelled" },
      { status: "cancelled" },
    ]);
  });
});

describe("--llm-assist", () => {
  const VAGUE = "discounts";

  test("asks the model what a vague task means, and nothing about code", async () => {
    await using server = await startOllama({
      reply: sorting(({ text }) => (text.startsWith("symbol ") ? "essential" : null)),
    });
    const run = await shop.retrieve(shop.fresh(), ["--json", "--llm-assist", ...asking(server.url)], {}, VAGUE);
    expect(run.exitCode).toBe(0);
    expect(stagesAsked(server)).toEqual(["analysis"]);
    expect(server.generations()[0]?.prompt).toMatch(/\] area shop\n/);
    expect(packageOf(run).task_query.keywords[0]).toBe("discounts");
  });

  test("asks nothing about a precise task, whose package stays the same", async () => {
    await using server = await startOllama({ reply: DISMISSIVE });
    const dataDir = shop.fresh();
    const [plain, assisted] = [
      packageOf(await shop.retrieve(dataDir, ["--json"])),
      packageOf(await shop.retrieve(dataDir, ["--json", "--llm-assist", ...asking(server.url)])),
    ];
    expect(server.requests).toEqual([]);
    expect({ ...assisted, task_id: "" }).toEqual({ ...plain, task_id: "" });
    expect(assisted.task_id).not.toBe(plain.task_id);
  });

  test("needs a model", async () => {
    const run = await shop.retrieve(shop.fresh(), ["--llm-assist"]);
    expect([run.exitCode, run.stderr]).toEqual([
      2,
      "cra: --llm-assist needs --model; name a model: --model qwen3:8b\n",
    ]);
  });
});

describe("options for the model", () => {
  test("model and address can come from the environment; without a model, no server is asked", async () => {
    await using server = await startOllama({ reply: AGREEABLE });
    const dataDir = shop.fresh();
    await shop.retrieve(dataDir, ["-q"], { CRA_BASE_URL: server.url });
    expect(server.requests).toEqual([]);
    await shop.retrieve(dataDir, ["-q"], { CRA_BASE_URL: server.url, CRA_MODEL: STAND_IN_MODEL });
    expect(stagesAsked(server)).toEqual(["analysis", "scope", "precision"]);
  });

  test("--model none means no model, which --strict refuses", async () => {
    await using server = await startOllama({ reply: AGREEABLE });
    const env = { CRA_MODEL: STAND_IN_MODEL, CRA_BASE_URL: server.url };
    const [lenient, strict] = [
      await shop.retrieve(shop.fresh(), ["-q", "--model", "none"], env),
      await shop.retrieve(shop.fresh(), ["-q", "--model", "none", ...STRICTLY], env),
    ];
    expect([lenient.exitCode, strict.exitCode, strict.stderr]).toEqual([
      0,
      2,
      expect.stringContaining("--strict needs --model"),
    ]);
    expect(server.requests).toEqual([]);
  });

  const complete = [
    "--model",
    "m",
    "--base-url",
    "http://127.0.0.1:1",
    "--stages",
    "scope,precision",
    "--budget",
    "900",
  ];
  for (const [flag, said] of [
    ["--model", "--strict needs --model; "],
    ["--base-url", "--strict needs --base-url; "],
    ["--stages", "--strict needs --stages; "],
    ["--budget", "--strict needs a budget; "],
  ] as const)
    test(`--strict without ${flag} is refused by name`, async () => {
      const at = complete.indexOf(flag);
      const run = await shop.retrieve(shop.fresh(), ["--strict", ...complete.toSpliced(at, 2)]);
      expect([run.exitCode, run.stdout]).toEqual([2, ""]);
      expect(run.stderr).toStartWith(`cra: ${said}`);
    });

  for (const [args, said] of [
    [["--stages", ""], "--stages"],
    [["--context-window", "0", "--reserved-tokens", "0"], "--context-window"],
    [["--context-window", "100", "--reserved-tokens", "-1"], "--reserved-tokens"],
    [["--context-window", "100", "--reserved-tokens", "100"], "must be less than context_window"],
    [["--context-window", "100"], "--context-window needs --reserved-tokens"],
    [["--budget", "100", "--context-window", "100", "--reserved-tokens", "1"], "exclude each other"],
    [["--budget-config", "x.json", "--context-window", "100", "--reserved-tokens", "1"], "exclude each other"],
    [["--model", "a model"], "--model"],
    [["--model", ""], "--model"],
  ] as const)
    test(`refused: ${args.join(" ")}`, async () => {
      const run = await shop.retrieve(shop.fresh(), args);
      expect([run.exitCode, run.stdout]).toEqual([2, ""]);
      expect(run.stderr).toContain(said);
    });
});
