/** Any task text gives an answer, never a crash, and its tokens stay within the budget. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { openTokenCounter, type TokenCounter } from "../../src/text/tokens/tokens.ts";
import { ahead } from "../support/ahead.ts";
import { HANG_MS } from "../support/hang.ts";
import { type Indexed, indexed } from "../support/indexed.ts";
import { runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { EMPTY_TASKS, HOSTILE_TASKS, ORDINARY_TASKS } from "../support/tasks.ts";

/** Above the floor of all of them: a fence around a run of backticks is longer than the run, twice. */
const BUDGET = 2000;
let here: Indexed;
let counter: TokenCounter;
beforeAll(async () => {
  counter = await openTokenCounter("o200k_base", { margin: 0 });
  here = await indexed({
    "src/auth/handler.py": "def validate_login(user):\n    return user is not None\n",
    "src/auth/ldap.py":
      "from auth.handler import validate_login\n\n\ndef ldap(user):\n    return validate_login(user)\n",
    "src/session.py": "class Session:\n    def close(self):\n        self.socket.close()\n",
    "src/parse/list.txt": `${"nested lists (((((([[[[[ ".repeat(200)}\n${"a".repeat(3000)}\n${"修复登录错误".repeat(300)}\n`,
  });
}, HANG_MS);
afterAll(() => here[Symbol.dispose]());

/** On the index that is there already. */
const options = () => ({ cwd: here.repo.path, env: { CRA_DATA_DIR: dirname(here.sessions) } });
const ARGUMENTS = ["--no-refresh", "-q", "--budget", String(BUDGET)];

/** Those that standard input could harm, and a long one, go through the binary too. */
const PIPED = [
  ...ORDINARY_TASKS.slice(-2),
  ...HOSTILE_TASKS.filter(({ name }) =>
    ["200 KB of words", "binary rubbish", "lone surrogates", "terminal escapes", "CJK"].includes(name),
  ),
];
const piped = ahead(PIPED, ({ text }) => runCra(["retrieve", "-", ...ARGUMENTS], { ...options(), stdin: text }));
test.each(PIPED.map(({ name }, at) => [name, at] as const))("%s, through a pipe", async (_, at) => {
  const run = await piped(at);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toStartWith("## Task\n");
  expect(counter.count(run.stdout)).toBeLessThanOrEqual(BUDGET);
});

test.each(HOSTILE_TASKS.map(({ name, text }) => [name, text] as const))("%s, in this process", async (_, text) => {
  const { markdown } = await here.run(text, { budget: BUDGET });
  expect(markdown).toStartWith("## Task\n");
  expect(counter.count(markdown)).toBeLessThanOrEqual(BUDGET);
});

test.each(ORDINARY_TASKS.map((task) => [task.name, task] as const))(
  "%s gives the same result as an argument",
  async (_, task) => {
    const [at, { text }] = [PIPED.indexOf(task), task];
    const read = at < 0 ? runHere(["retrieve", "-", ...ARGUMENTS], { ...options(), stdin: text }) : piped(at);
    const run = await runHere(["retrieve", text, ...ARGUMENTS], options());
    expect(run).toEqual(await read);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout).toStartWith("## Task\n");
    expect(counter.count(run.stdout)).toBeLessThanOrEqual(BUDGET);
  },
);

describe("unusable task", () => {
  test.each(EMPTY_TASKS.map(({ name, text }) => [name, text] as const))("%s is refused", async (_, text) => {
    const run = await runHere(["retrieve", "-", "--no-refresh", "-q"], { ...options(), stdin: text });
    expect(run).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(/^cra: [^\n]+\n$/) });
  });

  test("invalid UTF-8 is ignored, and the rest is used", async () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x00, ...Buffer.from("fix validate_login"), 0xc3, 0x28, 0x80]);
    const run = await runCra(["retrieve", "-", "--no-refresh", "-q", "--json"], { ...options(), stdin: bytes });
    expect(run.exitCode).toBe(0);
    expect(ContextPackage.parse(JSON.parse(run.stdout)).files[0]?.path).toBe("src/auth/handler.py");
  });

  test("a task larger than 1 MiB is refused, not truncated", async () => {
    const run = await runCra(["retrieve", "-", "--no-refresh", "-q"], {
      ...options(),
      stdin: "word ".repeat(300_000),
    });
    expect(run).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("larger than 1048576 bytes"),
    });
  });
});
