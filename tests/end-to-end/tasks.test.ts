/** Any task text at all: an answer, never a crash. The counted text is within its budget for all of them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ContextPackage } from "../../src/retrieval/package-schema.ts";
import { openTokenCounter, type TokenCounter } from "../../src/text/tokens.ts";
import { ahead } from "../support/ahead.ts";
import { BUILD_TIMEOUT_MS } from "../support/binary.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { EMPTY_TASKS, ORDINARY_TASKS, TASK_TEXTS } from "../support/tasks.ts";

/** Above the floor of all of them: a fence around a run of backticks is longer than the run, twice. */
const BUDGET = 2000;
let repo: TempRepo;
let counter: TokenCounter;
beforeAll(async () => {
  counter = await openTokenCounter("o200k_base", { margin: 0 });
  repo = tempRepo({
    "src/auth/handler.py": "def validate_login(user):\n    return user is not None\n",
    "src/auth/ldap.py":
      "from auth.handler import validate_login\n\n\ndef ldap(user):\n    return validate_login(user)\n",
    "src/session.py": "class Session:\n    def close(self):\n        self.socket.close()\n",
    "src/parse/list.txt": `${"nested lists (((((([[[[[ ".repeat(200)}\n${"a".repeat(3000)}\n${"修复登录错误".repeat(300)}\n`,
  });
  expect((await runCra(["index", "-q"], { cwd: repo.path })).exitCode).toBe(0);
}, BUILD_TIMEOUT_MS);
afterAll(() => repo[Symbol.dispose]());

const ARGUMENTS = ["--no-refresh", "-q", "--budget", String(BUDGET)];

const runs = ahead(TASK_TEXTS, ({ text }) => runCra(["retrieve", "-", ...ARGUMENTS], { cwd: repo.path, stdin: text }));
test.each(TASK_TEXTS.map(({ name }, at) => [name, at] as const))("%s", async (_, at) => {
  const run = await runs(at);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toStartWith("## Task\n");
  expect(counter.count(run.stdout)).toBeLessThanOrEqual(BUDGET);
});

test.each(ORDINARY_TASKS.map(({ name, text }) => [name, text] as const))(
  "%s, as an argument, is the same",
  async (_, text) => {
    const [typed, piped] = await Promise.all([
      runCra(["retrieve", text, ...ARGUMENTS], { cwd: repo.path }),
      runCra(["retrieve", "-", ...ARGUMENTS], { cwd: repo.path, stdin: text }),
    ]);
    expect(typed).toEqual(piped);
  },
);

describe("a task without a word", () => {
  test.each(EMPTY_TASKS.map(({ name, text }) => [name, text] as const))("%s is refused", async (_, text) => {
    const run = await runCra(["retrieve", "-", "--no-refresh", "-q"], { cwd: repo.path, stdin: text });
    expect(run).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(/^cra: [^\n]+\n$/) });
  });

  test("bytes that are no text are taken as far as they are", async () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x00, ...Buffer.from("fix validate_login"), 0xc3, 0x28, 0x80]);
    const run = await runCra(["retrieve", "-", "--no-refresh", "-q", "--json"], { cwd: repo.path, stdin: bytes });
    expect(run.exitCode).toBe(0);
    expect(ContextPackage.parse(JSON.parse(run.stdout)).files[0]?.path).toBe("src/auth/handler.py");
  });

  test("a task of more than a mebibyte is refused, not cut", async () => {
    const run = await runCra(["retrieve", "-", "--no-refresh", "-q"], {
      cwd: repo.path,
      stdin: "word ".repeat(300_000),
    });
    expect(run).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("larger than 1048576 bytes"),
    });
  });
});
