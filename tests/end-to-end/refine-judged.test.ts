/** Further rounds of a task whose first one a model judged: which model is asked, where, and what is said of it. */
import { expect, test } from "bun:test";
import { asking, judgedShop } from "../support/judged-shop.ts";
import { AGREEABLE, stageOf, without } from "../support/judging-reply.ts";
import { packageOf } from "../support/package.ts";
import { type CraRun, runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const shop = shared(await judgedShop(runHere));

const MISSING = ["--missing-file", "shop/mail.py", "--no-refresh"] as const;

test("a round asks the same model server, and the equivalent command names that server", async () => {
  await using server = await startOllama({ reply: without("README") });
  const dataDir = shop.fresh();
  const first = packageOf(await shop.retrieve(dataDir, ["--json", ...asking(server.url)]));
  const before = server.generations().length;
  const run = await shop.run(dataDir, ["refine", first.task_id, ...MISSING]);
  expect([run.exitCode, run.stderr]).toEqual([0, expect.not.stringContaining("the model")]);
  expect(server.generations().slice(before).map(stageOf)).toContain("scope");
  const line = /^cra: the same in one command: cra (.*)$/m.exec(run.stderr)?.[1] ?? "";
  expect(line).toContain(`--model ${STAND_IN_MODEL} --base-url ${server.url} `);
  const once = await runShell(`"$CRA" ${line} --no-refresh`, {
    cwd: shop.repo.path,
    env: { CRA_TOKENIZER: "approximate" },
  });
  expect([once.exitCode, once.stdout]).toEqual([0, run.stdout]);

  await using other = await startOllama({ reply: AGREEABLE, says: { digest: "pulled again" } });
  const elsewhere = await shop.run(dataDir, ["refine", first.task_id, "--reject", "README.md", "--no-refresh"], {
    CRA_BASE_URL: other.url,
  });
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([0, expect.not.stringContaining("the model")]);
  expect(other.generations().length).toBeGreaterThan(0);
});

test("a model on another machine must be allowed again", async () => {
  const dataDir = shop.fresh();
  const far = ["--model", "m", "--base-url", "http://192.0.2.1:9", "--allow-remote-llm"];
  const first = await shop.retrieve(dataDir, ["--json", ...far], { CRA_LLM_CONNECT_SECONDS: "1" });
  const { task_id } = packageOf(first);
  const refused = await shop.run(dataDir, ["refine", task_id, ...MISSING]);
  expect([refused.exitCode, refused.stdout, refused.stderr]).toEqual([
    2,
    "",
    "cra: 192.0.2.1 is not this machine, and would be sent the task and parts of the repository; allow it with --allow-remote-llm, or give another --base-url\n",
  ]);
  const allowed = await shop.run(dataDir, ["refine", task_id, ...MISSING, "--allow-remote-llm"], {
    CRA_LLM_CONNECT_SECONDS: "1",
  });
  expect(allowed.exitCode).toBe(0);
  expect(allowed.stderr).toContain(" --base-url http://192.0.2.1:9 --allow-remote-llm ");
});

test("a custom context window applies to the round, and is named if no option sets it", async () => {
  await using server = await startOllama({ reply: AGREEABLE });
  const dataDir = shop.fresh();
  const window = { CRA_LLM_CONTEXT_WINDOW: "6000" };
  const [usual, small] = [
    packageOf(await shop.retrieve(dataDir, ["--json", ...asking(server.url)])),
    packageOf(await shop.retrieve(dataDir, ["--json", ...asking(server.url)], window)),
  ];
  expect(small.task_id).not.toBe(usual.task_id);
  const run = await shop.run(dataDir, ["refine", small.task_id, ...MISSING]);
  expect(run.stderr).toMatch(/the same in one command \(except .*llm\.context_window\): /);
  expect(server.generations().at(-1)?.options).toMatchObject({ num_ctx: 6000 });
  const plain = await shop.run(dataDir, ["refine", usual.task_id, ...MISSING]);
  expect(plain.stderr).not.toContain("llm.context_window");
  const unjudged = packageOf(await shop.retrieve(dataDir, ["--json"]));
  await shop.run(dataDir, ["refine", unjudged.task_id, ...MISSING, ...asking(server.url)], {
    CRA_LLM_CONTEXT_WINDOW: "5000",
  });
  expect(server.generations().at(-1)?.options).toMatchObject({ num_ctx: 5000 });
});

test("with --strict, a failing model ends the round", async () => {
  const dataDir = shop.fresh();
  let id = "";
  {
    await using server = await startOllama({ reply: AGREEABLE });
    id = packageOf(await shop.retrieve(dataDir, ["--json", ...asking(server.url)])).task_id;
  }
  const failed = await shop.run(dataDir, ["refine", id, ...MISSING, "--strict"]);
  expect([failed.exitCode, failed.stdout]).toEqual([13, ""]);
  const lenient = await shop.run(dataDir, ["refine", id, ...MISSING]);
  expect(lenient.exitCode).toBe(0);
});

test("-v says which answers come from an earlier run", async () => {
  await using server = await startOllama({ reply: AGREEABLE });
  const dataDir = shop.fresh();
  const [first, second, quiet] = [
    await shop.retrieve(dataDir, [...asking(server.url), "-v"]),
    await shop.retrieve(dataDir, [...asking(server.url), "-v"]),
    await shop.retrieve(dataDir, asking(server.url)),
  ];
  const said = ({ stderr }: CraRun): string[] => stderr.match(/^cra: \w+: reused answers of an earlier run$/gm) ?? [];
  expect([first, second, quiet].map(said)).toEqual([
    [],
    ["analysis", "scope", "precision"].map((stage) => `cra: ${stage}: reused answers of an earlier run`),
    [],
  ]);
});
