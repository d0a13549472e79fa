/** `cra hook` with the events of agents: it adds context if there is any and never blocks a prompt. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { listing } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { PLANTED_KEYS, PLANTED_SECRETS } from "../support/planted-keys.ts";
import { type CraRun, runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_FILES, SHOP_TASK, shopRepo } from "../support/shop.ts";
import { STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

setDefaultTimeout(HANG_MS);

const repo = shared(shopRepo());
const experience = {
  type: "experience",
  goal: "find out why the cart is empty",
  iterations: [{ hypothesis: "the key is stale", action: "printed the keys", prediction: "an old one shows" }],
  domain: "debugging",
  strategy: "systematic-elimination",
  outcome: { status: "falsified", result: "the key was right" },
  root_cause: { category: "wrong-assumption", description: "the cache was thought to be shared" },
};
expect(
  await runCra(["remember", "--import", "-"], { cwd: repo.path, stdin: JSON.stringify(experience) }),
).toMatchObject({
  exitCode: 0,
});

const Answer = z.strictObject({
  hookSpecificOutput: z.strictObject({ hookEventName: z.string(), additionalContext: z.string().max(10_000) }),
});

const COMMON = { session_id: "s", transcript_path: "/t.jsonl", cwd: "/", permission_mode: "default", prompt_id: "p" };
/** As Claude Code runs it: the compiled binary with an event in a pipe. */
const hook = (event: Readonly<Record<string, unknown>>, args: readonly string[] = []): Promise<CraRun> =>
  runCra(["hook", ...args], { cwd: repo.path, stdin: JSON.stringify({ ...COMMON, ...event }) });
/** The same in this process, for further events of a kind. */
const again = (
  event: Readonly<Record<string, unknown>>,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<CraRun> =>
  runHere(["hook", ...args], { cwd: repo.path, env, stdin: JSON.stringify({ ...COMMON, ...event }) });
const prompt = (text: string) => ({ hook_event_name: "UserPromptSubmit", prompt: text });
const bash = (command: string, response: unknown) => ({
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_use_id: "t",
  tool_input: { command, description: "x" },
  tool_response: response,
});
const failed = (command: string) => ({
  hook_event_name: "PostToolUseFailure",
  tool_name: "Bash",
  tool_input: { command },
  error: "Exit code 1\nFAILED tests/test_cart.py::test_sum",
  is_interrupt: false,
});

function contextOf(run: CraRun, event: string): string {
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  const { hookEventName, additionalContext } = Answer.parse(JSON.parse(run.stdout)).hookSpecificOutput;
  expect(hookEventName).toBe(event);
  return additionalContext;
}

test("without an index, a prompt gets no context, standard error says why, and no file is created", async () => {
  const before = listing(repo.path);
  expect(await hook(prompt(SHOP_TASK))).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: expect.stringContaining("run: cra index"),
  });
  expect(listing(repo.path)).toEqual(before);
});

test("a prompt gets a package for its task; input that is not a task gets nothing", async () => {
  await indexIn(repo);
  const found = contextOf(await hook(prompt(SHOP_TASK)), "UserPromptSubmit");
  expect(found).toContain("return total(self.items)");
  const small = contextOf(await again(prompt(SHOP_TASK), ["--budget", "110"]), "UserPromptSubmit");
  expect(small.length).toBeLessThan(found.length);
  for (const text of [
    "yes",
    "go on",
    "",
    "/review the whole cart now",
    "!ls -l a b c",
    "# remember this for ever",
    "好的，继续",
    "Thanks, that looks great now!",
    "yes, go ahead and do that please",
    "please commit all of this and push it",
    "OK. Continue with the next step",
    "Run the tests again and fix what fails",
  ])
    expect(await again(prompt(text))).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  for (const text of [
    "why does push fail on commit",
    "fix what `push` does next",
    "push everything to cart.next please",
  ])
    expect(contextOf(await again(prompt(text)), "UserPromptSubmit")).toContain("## Task");
  // Nothing separates the words of these.
  for (const text of ["Cart.sum的合計が間違っているので直してください", "购物车Cart.sum的总数计算错误请修复"])
    expect(contextOf(await again(prompt(text)), "UserPromptSubmit")).toContain("return total(self.items)");
});

const begins = (source: string) => ({ hook_event_name: "SessionStart", source, session_id: "one" });
const inSession = (text: string) => ({ ...prompt(text), session_id: "one" });
const BODY = "return total(self.items)";

test("a later prompt of a session is given only what is new, until its context begins anew", async () => {
  await indexIn(repo);
  const ask = async (event: Readonly<Record<string, unknown>>) => contextOf(await again(event), "UserPromptSubmit");
  // Nobody has told that this session began, so nobody would tell that its context was shortened.
  for (const _ of [1, 2]) expect(await ask(inSession(SHOP_TASK))).toContain(BODY);
  expect(await hook(begins("startup"))).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  const first = await ask(inSession(SHOP_TASK));
  expect(first).toContain(BODY);
  const second = contextOf(await hook(inSession(`${SHOP_TASK} with tests`)), "UserPromptSubmit");
  expect(second).not.toContain(BODY);
  expect(second).toMatch(/## Given Before and Unchanged\n`?shop\/cart\.py`?: [^\n]*Cart\.sum/);
  expect(second.length).toBeLessThan(first.length);
  expect(await ask({ ...inSession(SHOP_TASK), session_id: "two" })).toContain(BODY);
  for (const event of ["compact", "clear"]) {
    expect(await again(begins(event))).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    expect(await ask(inSession(SHOP_TASK))).toContain(BODY);
    expect(await ask(inSession(SHOP_TASK))).not.toContain(BODY);
  }
  await again({ hook_event_name: "PreCompress", trigger: "auto", session_id: "one" });
  expect(await ask(inSession(SHOP_TASK))).toContain(BODY);
  repo.write({ "shop/cart.py": SHOP_FILES["shop/cart.py"].replace(BODY, `${BODY} + 0`) });
  expect(await ask(inSession(SHOP_TASK))).toContain(`${BODY} + 0`);
  expect(await ask(inSession(SHOP_TASK))).not.toContain(BODY);
  repo.write({ "shop/cart.py": SHOP_FILES["shop/cart.py"] });
});

test("a package longer than Claude Code accepts is made smaller", async () => {
  const files = Array.from({ length: 16 }, (_, at) => [
    `shop/order_${at}.py`,
    `def order_cart_${at}(cart):\n    """Orders a cart of kind ${at}: ${"long words about carts ".repeat(36)}"""\n    return cart + ${at}\n`,
  ]);
  repo.write(Object.fromEntries(files));
  const run = await hook(prompt("order every cart of every kind"), ["--budget", "20000"]);
  expect(contextOf(run, "UserPromptSubmit").length).toBeWithin(5_000, 10_001);
});

test("a failed test run gets past failures; other tool calls get nothing", async () => {
  const first = contextOf(await hook(failed("npm test")), "PostToolUseFailure");
  expect(first).toContain("the cache was thought to be shared");
  for (const event of [
    failed("cd app && uv run pytest -q"),
    bash("pytest | tail -3", { stdout: "=== 2 failed, 3 passed ===", stderr: "", interrupted: false }),
    bash("make check", "--- FAIL: TestCart (0.00s)\n"),
  ]) {
    const context = contextOf(await again(event), event.hook_event_name);
    expect(context).toContain("the cache was thought to be shared");
  }
  for (const event of [
    failed("ls /none"),
    failed("ls tests/none"),
    failed("cd tests && git checkout test-branch"),
    failed("grep -rn missing tests/ | head"),
    { ...failed("npm test"), is_interrupt: true },
    bash("pytest", { stdout: "3 passed, 0 failed", stderr: "" }),
    bash("cat pytest.log", { stdout: "fine" }),
    { ...failed("npm test"), tool_name: "Read" },
    { hook_event_name: "Stop" },
    { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: 3 },
  ])
    expect(await again(event)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect(await again(failed("npm test"), ["--domain", "security"])).toMatchObject({ exitCode: 0, stdout: "" });
});

test("no model is asked, whatever the settings say: the prompt waits", async () => {
  await using server = await startOllama({ reply: () => ({ kind: "hang-before-headers" }) });
  const env = {
    CRA_MODEL: STAND_IN_MODEL,
    CRA_EMBEDDING_MODEL: STAND_IN_MODEL,
    CRA_LLM_ASSIST: "true",
    CRA_MODEL_TIME: "1",
    CRA_BASE_URL: server.url,
  };
  for (const event of [prompt(SHOP_TASK), failed("npm test")]) {
    const [asked, plain] = [await again(event, [], env), await again(event)];
    expect(contextOf(asked, event.hook_event_name)).toBe(contextOf(plain, event.hook_event_name));
  }
  expect(server.requests).toEqual([]);
});

test("the events of Gemini CLI get the same", async () => {
  expect(contextOf(await again({ hook_event_name: "BeforeAgent", prompt: SHOP_TASK }), "BeforeAgent")).toContain(
    "cart",
  );
  const failure = { llmContent: "FAILED tests/test_cart.py::test_sum", returnDisplay: "" };
  const event = { ...bash("pytest", failure), hook_event_name: "AfterTool", tool_name: "run_shell_command" };
  expect(contextOf(await again(event), "AfterTool")).toStartWith("A test failed.");
});

test("every error is one line on standard error with exit code 0, because code 2 would block the prompt", async () => {
  for (const [runs, stdin] of [
    [runCra, "nonsense"],
    [runCra, "[".repeat(100_000)],
    [runHere, ""],
    [runHere, "[]"],
    [runHere, "3"],
    [runHere, '{"hook_event_name": 3}'],
  ] as const) {
    const run = await runs(["hook"], { cwd: repo.path, stdin });
    expect(run).toMatchObject({ exitCode: 0, stdout: "" });
    expect(run.stderr).toMatch(/^cra: standard input is not an event of an agent; .*\n$/);
  }
  const stdin = JSON.stringify(prompt(SHOP_TASK));
  const broken = await runHere(["hook"], { cwd: repo.path, stdin, env: { CRA_MAX_LINES: "many" } });
  expect(broken).toMatchObject({ exitCode: 0, stdout: "", stderr: expect.stringContaining("CRA_MAX_LINES") });
});

test("secrets of a prompt are redacted in output and storage", async () => {
  const { stdout } = await again(prompt(`${SHOP_TASK} and ${PLANTED_KEYS.map(({ line }) => line).join(" ")}`));
  expect(PLANTED_SECRETS.filter((secret) => stdout.includes(secret))).toEqual([]);
});

test("wrong options do not block a prompt either", async () => {
  for (const options of [
    ["--budget", "50"],
    ["--budjet", "500"],
  ])
    expect(await again(prompt(SHOP_TASK), options)).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: expect.stringContaining(options[0] ?? ""),
    });
});
