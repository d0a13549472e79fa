/** Wrong arguments give exit code 2, nothing on standard output, and one line that names the error and the fix. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ErrorObject } from "../../src/cli/output/output.ts";
import { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { ahead } from "../support/ahead.ts";
import { tempFolder } from "../support/folder.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const outside = shared(tempFolder());
writeFileSync(join(outside.path, "budget.json"), '{"context_window": 9000, "reserved": 1}');
const cases = join(outside.path, "cases.json");
writeFileSync(cases, '[{"id": "a", "task": "expire the session", "expected_files": ["auth/session.py"]}]');
const repo = shared(
  tempRepo({
    "auth/session.py": `class Session:\n    def expire(self):\n${"        self.count = self.count + 1\n".repeat(40)}        return self.end()\n`,
    "auth/login.py": "from auth.session import Session\n\n\ndef login(user):\n    return Session(user)\n",
  }),
);
expect((await runHere(["index", "-q"], { cwd: repo.path })).exitCode).toBe(0);

describe("a package without files is a negative result", () => {
  const nothing = ["--include", "nothing/**"];
  test("its text, its note and exit code 1", async () => {
    const run = await runHere(["retrieve", "expire the session", ...nothing], { cwd: repo.path });
    expect(run).toMatchObject({ exitCode: 1, stdout: "## Task\nexpire the session\n" });
    expect(run.stderr).toContain("leave none of the 2 files, so the package is empty\n");
  });
  test("as JSON it is the package, not an error", async () => {
    const run = await runHere(["retrieve", "expire the session", "--exclude", "**", "--json"], { cwd: repo.path });
    expect(run.exitCode).toBe(1);
    expect(ContextPackage.parse(JSON.parse(run.stdout)).files).toEqual([]);
  });
  test("a round that keeps a file is none", async () => {
    const words = ["retrieve", "expire the session", ...nothing, "--accept", "auth/login.py"];
    expect((await runHere(words, { cwd: repo.path })).exitCode).toBe(0);
  });
  test("of a folder without a file that cra reads", async () => {
    using empty = tempRepo({});
    for (const words of [
      ["retrieve", "x"],
      ["search", "x"],
    ])
      expect((await runHere(words, { cwd: empty.path })).exitCode).toBe(1);
  });
});

const ONE_LINE = /^cra: [^\n]+\n$/;

/** What is typed, what the line must say is wrong, and what it must suggest. */
const CASES: readonly (readonly [args: readonly string[], says: string, suggests: string])[] = [
  [["retreive", "x"], "unknown command 'retreive'", "did you mean retrieve?"],
  [["nonsense"], "unknown command 'nonsense'", "cra --help"],
  [["retrieve"], "missing required argument 'task'", "cra retrieve --help"],
  [["retrieve", ""], "the task is empty", "cra retrieve"],
  [["retrieve", "x", "--budgte", "5"], "unknown option '--budgte'", "did you mean --budget?"],
  [["retrieve", "x", "--budget"], "--budget", "cra retrieve --help"],
  [["retrieve", "x", "--budget", "many"], "--budget", "a whole number of tokens"],
  [["retrieve", "x", "--budget", "0"], "--budget", "from 1"],
  [["retrieve", "x", "--budget", "-5"], "--budget", "from 1"],
  [["retrieve", "x", "--budget", "1e9999"], "--budget", "a whole number of tokens"],
  [["retrieve", "x", "--budget", "5", "--context-window", "9"], "exclude each other", "give one of them"],
  [["retrieve", "x", "--context-window", "9000"], "--context-window needs --reserved-tokens", ""],
  [["retrieve", "x", "--context-window", "9", "--reserved-tokens", "9"], "reserved", ""],
  [["retrieve", "x", "--depth", "4"], "--depth", "from 1 to 3"],
  [["retrieve", "x", "--scope-size", "0"], "--scope-size", "from 1 to 5000"],
  [["retrieve", "x", "--stages", "scop"], "--stages", "did you mean"],
  [["retrieve", "x", "--stages", ""], "--stages", ""],
  [["retrieve", "x", "--format", "markdwon"], "--format", "did you mean"],
  [["retrieve", "x", "--tokenizer", "gpt"], "--tokenizer", "o200k_base"],
  [["retrieve", "x", "--weights", "menton=1"], "--weights", "did you mean"],
  [["retrieve", "x", "--weights", "mention=100"], "--weights", "from 0 to 10"],
  [["retrieve", "x", "--safety-margin", "0.9"], "--safety-margin", "from 0 to 0.5"],
  [["retrieve", "x", "--force"], "--force needs --output", ""],
  [["retrieve", "x", "--events", "xml"], "--events", "jsonl"],
  [["retrieve", "x", "--events", "jsonl", "-o", "-"], "standard output", "name a file"],
  [["retrieve", "x", "--strict"], "--strict needs --model", "--model qwen3:8b"],
  [["retrieve", "x", "-q", "-v"], "exclude each other", "give one of them"],
  [["--budget", "5", "retrieve", "x"], "unknown option '--budget'", "go after its name"],
  [["search", ""], "the query is empty", "cra search --help"],
  [["search", "x", "--limit", "0"], "--limit", "from 1 to 1000"],
  [["completions", "csh"], "shell", "bash, zsh, fish"],
  [["schema", "pakage"], "name", "did you mean"],
  [["index", ".", "--repo", "."], "named twice", "--repo"],
  [["escalate"], "--handoff, --run-dir and --phase are missing", ", the folder with the logs of the run and the phase"],
  [["retrieve", "x", "--repos", "nowhere"], "nowhere: there is no such folder", "correct --repos"],
  [["evaluate", "--cases", cases, "--among", "nowhere"], "nowhere: there is no such folder", "correct --among"],
  [["serve", "nowhere"], "nowhere: there is no such folder; name a folder in a repository", "cra serve ~/code/api"],
  [
    ["store", "grant", "ci", "--repository", "a", "--days", "0", "--at", "postgres://a@127.0.0.1:1/b"],
    "grant: a token for 0 days",
    "leave out --days",
  ],
];

describe("a one-line error", () => {
  const runs = ahead(CASES, ([args]) => runHere(args, { cwd: repo.path }));
  test.each(CASES.map((row, at) => [...row, at] as const))("cra %j", async (args, says, suggests, at) => {
    const run = await runs(at);
    expect(run).toMatchObject({ exitCode: 2 });
    // With --events the error is an event.
    expect(run.stdout).toMatch(args.includes("jsonl") ? /^\{"event":"error","code":"usage",[^\n]*\}\n$/ : /^$/);
    expect(run.stderr).toMatch(ONE_LINE);
    expect(run.stderr).toContain(says);
    expect(run.stderr).toContain(suggests);
  });

  test("a file of numbers names the wrong key", async () => {
    const file = join(outside.path, "budget.json");
    const run = await runHere(["retrieve", "x", "--budget-config", file], { cwd: repo.path });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toMatch(/^cra: [^\n]+reserved[^\n]+\n$/);
  });

  test("as JSON if requested", async () => {
    for (const args of [
      ["--budget", "many"],
      ["--format", "bundle"],
    ]) {
      const run = await runHere(["retrieve", "x", "--json", ...args], { cwd: repo.path });
      expect(run.exitCode).toBe(2);
      expect(ErrorObject.parse(JSON.parse(run.stdout)).error.message).toContain(args[0] ?? "");
    }
  });
});

test("every command that needs an index says how to create one, with code 10", async () => {
  using fresh = tempRepo({ "a.py": "x = 1\n" });
  for (const args of [
    ["retrieve", "x", "--no-quick"],
    ["retrieve", "x", "--no-quick", "--no-refresh"],
    ["search", "x", "--no-quick"],
    ["retrieve", "x", "--no-quick", "--json"],
    ["retrieve", "x", "--strict", "--model=m", "--base-url=http://127.0.0.1:1", "--stages=scope", "--budget=900"],
    ["enrich", "--model=m"],
  ]) {
    const run = await runHere(args, { cwd: fresh.path });
    expect(run.exitCode).toBe(10);
    expect(run.stderr).toMatch(/^cra: [^\n]+ is not indexed; run: cra index\n$/);
  }
  const status = await runHere(["status"], { cwd: fresh.path });
  expect([status.exitCode, status.stdout.includes("none; run: cra index")]).toEqual([0, true]);
  expect(await runHere(["retrieve", "x", "--index", "-q"], { cwd: fresh.path })).toMatchObject({ exitCode: 0 });
});

test.each([
  ["tokens", "--budget"],
  ["lines", "--max-lines"],
])("a number of %s below the floor is refused with the smallest that works, and that one works", async (unit, flag) => {
  // Only token counts matter here, and loading a tokenizer is slow.
  const tokenizer = unit === "tokens" ? "o200k_base" : "approximate";
  const task = "expire the Session in auth/session.py after login";
  const of = (format: string, value: number) =>
    runHere(
      ["retrieve", task, flag, String(value), "--format", format, "--no-refresh", "-q", "--tokenizer", tokenizer],
      {
        cwd: repo.path,
      },
    );
  const refused = await of("markdown", 1);
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  const floor = Number(
    new RegExp(
      `^cra: a budget of 1 ${unit} is too small for this task; the smallest that works is (\\d+) \\(${flag} \\1\\)\n$`,
    ).exec(refused.stderr)?.[1],
  );
  expect(floor).toBeGreaterThan(1);
  expect((await of("markdown", floor - 1)).exitCode).toBe(2);
  const [markdown, prompt, json] = await Promise.all([of("markdown", floor), of("prompt", floor), of("json", floor)]);
  expect([markdown.exitCode, prompt.exitCode]).toEqual([0, 0]);
  const pkg = ContextPackage.parse(JSON.parse(json.stdout));
  expect(pkg.files.map(({ path }) => path)).toContain("auth/session.py");
  if (unit === "lines")
    for (const { stdout } of [markdown, prompt]) expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(floor);
  else expect(pkg.token_count).toBeLessThanOrEqual(floor);
});
