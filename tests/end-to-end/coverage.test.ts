/** How far a package goes: over MCP, and the same on the command line, in one round or in several. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { PackageAnswer } from "../../src/present/answers.ts";
import { HANG_MS } from "../support/hang.ts";
import { callTool, type McpClient, openMcp } from "../support/mcp-client.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";

setDefaultTimeout(HANG_MS);

const FILES = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `shop/part_${at}.py`,
    `def voucher_${at}(amount):\n${`    amount = amount - ${at}  # the voucher is applied\n`.repeat(4 + at)}    return amount\n`,
  ]),
);
const TASK = "the voucher is applied twice, see voucher_3";

let repo: TempRepo;
let mcp: McpClient;
let plain: McpClient;
beforeAll(async () => {
  repo = tempRepo(FILES);
  mcp = await openMcp({ cwd: repo.path, args: ["--structured"] });
  plain = await openMcp({ cwd: repo.path });
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
  repo[Symbol.dispose]();
});

test("a package says where it stops, why, and what comes next at which coverage; refine goes on or back", async () => {
  const first = await callTool(mcp, "retrieve", { task: TASK, coverage: 0.3 });
  const found = PackageAnswer.parse(first.structured);
  expect(found.stop).toMatchObject({ coverage: 0.3, reason: "enough" });
  const next = found.stop?.next ?? [];
  const coverage = next.at(-1)?.coverage ?? 0;
  expect(coverage).toBeGreaterThan(0.3);
  const { text } = await callTool(plain, "retrieve", { task: TASK, coverage: 0.3 });
  expect(text).toContain(`of 6000 tokens. What is left out comes next, with coverage ${coverage}. If`);
  // The package names it, and the line below does not repeat that.
  expect(text.split("30 % of what is expected to matter is covered")).toHaveLength(2);
  expect(text.split(` in \`${next[0]?.path}\` (${next[0]?.tokens} tokens)`)).toHaveLength(2);

  const wider = PackageAnswer.parse((await callTool(mcp, "refine", { task_id: found.task_id, coverage })).structured);
  expect(wider.changes?.dropped).toEqual([]);
  for (const { item } of next) expect(wider.markdown).toContain(`def ${item}(`);
  const same = { task_id: found.task_id, accepted_files: ["shop/part_3.py"] };
  expect((await callTool(mcp, "refine", same)).structured).toMatchObject({ stop: { coverage } });

  const back = PackageAnswer.parse(
    (await callTool(mcp, "refine", { task_id: found.task_id, coverage: 0.3 })).structured,
  );
  expect(back.token_count).toBeLessThan(wider.token_count);
  expect(back.changes?.dropped.length).toBeGreaterThan(0);
});

test("the command line gives the same package, and refuses the same values", async () => {
  const answer = PackageAnswer.parse((await callTool(mcp, "retrieve", { task: TASK, coverage: 0.5 })).structured);
  const printed = await runHere(["retrieve", TASK, "--budget", "6000", "--coverage", "0.5"], { cwd: repo.path });
  expect(printed.stdout).toBe(answer.markdown);
  const refined = await runHere(["refine", answer.task_id, "--coverage", "auto", "--json"], { cwd: repo.path });
  expect(JSON.parse(refined.stdout).provenance.budget.stop.coverage).toBe("auto");
  for (const [name, args] of [
    ["retrieve", { task: TASK }],
    ["refine", { task_id: answer.task_id }],
  ] as const)
    for (const coverage of ["most", 0, 2])
      expect(await callTool(mcp, name, { ...args, coverage })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^coverage: .*; see the input schema of/),
      });
  expect((await callTool(mcp, "retrieve", { task: TASK, coverage: "most" })).text).toStartWith(
    "coverage: expected auto, or a share from 0.05 to 1;",
  );
});

test("a full budget asks for a larger one", async () => {
  const full = { task: TASK, coverage: 1, budget: 900 };
  const { structured } = await callTool(mcp, "retrieve", full);
  expect(PackageAnswer.parse(structured).stop).toMatchObject({ reason: "budget" });
  expect((await callTool(plain, "retrieve", full)).text).toContain(
    "It stops there because the budget is full. Next, with a larger budget: ",
  );
});

test("rounds at other coverages report what changed, and one command gives the same package", async () => {
  const cra = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
  const first = await cra("retrieve", `${TASK}, once more`, "--coverage", "0.5");
  const id = / cra explain (\w+)/.exec(first.stderr)?.[1] ?? "";
  const wide = await cra("refine", id, "--coverage", "0.95");
  expect(wide.stderr).toContain("  added: ");
  expect(wide.stderr).not.toContain("  dropped: ");
  const narrow = await cra("refine", id, "--coverage", "0.5");
  expect(narrow.stderr).toContain("  dropped: ");
  expect(narrow.stdout).toBe(first.stdout);
  for (const { stdout, stderr } of [wide, narrow]) {
    const line = /^cra: the same in one command: (cra .*)$/m.exec(stderr)?.[1] ?? "";
    expect(line).toContain("--keep-shown");
    expect((await runShell(line.replace(/^cra/, '"$CRA"'), { cwd: repo.path })).stdout).toBe(stdout);
  }
});
